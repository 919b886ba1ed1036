import type { Plugin } from 'vite';
import { buildPlugin } from './build-plugin.js';
import { cssPlugin } from './css.js';
import { devPlugin } from './dev/plugin.js';
import { injectPlugin } from './inject/inject.js';
import { validatorsPath, type WebmcpFormsOptions } from './options.js';
import { createOutputs, encodePath, relativeUrl } from './outputs.js';
import { createSite } from './site.js';

const id = 'virtual:webmcp-forms/validators';
const resolvedId = `\0${id}`;
const placeholder = '__WEBMCP_FORMS_VALIDATORS__';

/**
 * Provides `virtual:webmcp-forms/validators`, which imports the generated validators for the first call. The tools are
 * known only after all modules are loaded, so the validators are a separate file.
 */
function validatorsPlugin(options: WebmcpFormsOptions): Plugin {
  const path = validatorsPath(options);
  return {
    name: 'webmcp-forms:validators',
    resolveId: (source) => (source === id ? resolvedId : undefined),
    load(loaded) {
      if (loaded !== resolvedId) return undefined;
      if (path === undefined) return this.error(`${id} requires the option validators of webmcpForms. Set it to true.`);
      const { command, base } = this.environment.config;
      return moduleCode(command === 'serve' ? JSON.stringify(base + encodePath(path)) : urlInChunk);
    },
    renderChunk(code, { fileName }) {
      if (path === undefined || !code.includes(placeholder)) return null;
      return { code: code.replaceAll(placeholder, relativeUrl(fileName, path)), map: null };
    },
  };
}

const urlInChunk = `new URL(/* @vite-ignore */ '${placeholder}', import.meta.url).href`;

const moduleCode = (url: string): string => `
const url = ${url};
export const loadValidators = () => import(/* @vite-ignore */ url);
export const validate = async (schema, tool) => (await loadValidators()).validate(schema, tool);
`;

export type { InjectOptions, ValidatorsOptions, WebmcpFormsOptions } from './options.js';

/**
 * Generates a tool manifest from the pages of a Vite site, in builds and in dev. Requires Vite 6, 7 or 8.
 *
 * Mistakes in pages are warnings. With `strict`, errors fail the build.
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
