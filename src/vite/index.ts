import type { Plugin } from 'vite';
import { buildPlugin } from './build-plugin.js';
import { cssPlugin } from './css.js';
import { devPlugin } from './dev/plugin.js';
import { injectPlugin } from './inject/inject.js';
import type { WebmcpFormsOptions } from './options.js';
import { createOutputs } from './outputs.js';
import { createSite } from './site.js';
import { validatorsPlugin } from './validators/plugin.js';

export type { InjectOptions, ValidatorsOptions, WebmcpFormsOptions } from './options.js';

/**
 * Generates a tool manifest from the pages of a Vite site, in builds and in dev. Requires Vite 6, 7 or 8.
 *
 * Author mistakes are warnings; errors among them fail a build with `strict`.
 *
 * @throws {TypeError} if a path in the options is not the path of a file below the base URL
 * @example
 * export default defineConfig({ plugins: [webmcpForms({ inject: true })] });
 */
export function webmcpForms(options: WebmcpFormsOptions = {}): Plugin[] {
  const site = createSite(options);
  const outputs = createOutputs(options, site);
  return [
    ...(options.css === false ? [] : [cssPlugin()]),
    ...injectPlugin(options, site),
    validatorsPlugin(options),
    buildPlugin(options, site, outputs),
    devPlugin(options, site, outputs),
  ];
}
