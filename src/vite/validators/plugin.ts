import type { Plugin } from 'vite';
import { validatorsPath, type WebmcpFormsOptions } from '../options.js';
import { encodePath, relativeUrl } from '../outputs.js';

const id = 'virtual:webmcp-forms/validators';
const resolvedId = `\0${id}`;
const placeholder = '__WEBMCP_FORMS_VALIDATORS__';

/**
 * Provides `virtual:webmcp-forms/validators`, which imports the generated validators for the first call. The tools are
 * known only after all modules are loaded, so the validators are a separate file.
 */
export function validatorsPlugin(options: WebmcpFormsOptions): Plugin {
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
