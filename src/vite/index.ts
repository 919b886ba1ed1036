import type { Plugin } from 'vite';
import { buildPlugin } from './build-plugin.js';
import { cssPlugin } from './css.js';
import { devPlugin } from './dev/plugin.js';
import { injectPlugin } from './inject/inject.js';
import { manifestPaths, type WebmcpFormsOptions } from './options.js';
import { createSite } from './site.js';
import { validatorsPlugin } from './validators/plugin.js';
import { validatorsPath } from './outputs.js';

export type { InjectOptions, ScriptName, ValidatorsOptions, WebmcpFormsOptions } from './options.js';

/**
 * Makes a tool manifest of a Vite site's pages, in the build and in dev. It depends on Vite 6, 7 or 8.
 *
 * Author mistakes are warnings of the build, and fail it with `strict`.
 *
 * @throws {TypeError} when a path among the options is no path of a file below the base URL
 * @example
 * export default defineConfig({ plugins: [webmcpForms({ inject: true })] });
 */
export function webmcpForms(options: WebmcpFormsOptions = {}): Plugin[] {
  manifestPaths(options); // a wrong path is told where the option stands
  validatorsPath(options);
  const site = createSite(options);
  return [
    ...(options.css === false ? [] : [cssPlugin()]),
    ...injectPlugin(options),
    validatorsPlugin(options),
    buildPlugin(options, site),
    devPlugin(options, site),
  ];
}
