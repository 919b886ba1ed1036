import { posix } from 'node:path';
import type { Plugin } from 'vite';
import type { WebmcpFormsOptions } from '../options.js';
import { validatorsPath } from '../outputs.js';

const id = 'virtual:webmcp-forms/validators';
const resolvedId = `\0${id}`;
const placeholder = '__WEBMCP_FORMS_VALIDATORS__';

/**
 * `virtual:webmcp-forms/validators`: loads the validators' file when the first input is checked. What the pages' tools are
 * is known only when all modules are made, so their code is a file of its own.
 */
export function validatorsPlugin(options: WebmcpFormsOptions): Plugin {
  const path = validatorsPath(options);
  return {
    name: 'webmcp-forms:validators',
    resolveId: (source) => (source === id ? resolvedId : undefined),
    load(loaded) {
      if (loaded !== resolvedId) return undefined;
      if (path === undefined) return this.error(`${id} needs the option validators of webmcpForms: set it to true.`);
      const { command, base } = this.environment.config;
      return moduleCode(command === 'serve' ? JSON.stringify(base + encoded(path)) : urlInChunk);
    },
    renderChunk(code, { fileName }) {
      if (path === undefined || !code.includes(placeholder)) return null;
      return { code: code.replaceAll(placeholder, relativeUrl(fileName, path)), map: null };
    },
  };
}

const urlInChunk = `new URL(/* @vite-ignore */ '${placeholder}', import.meta.url).href`;

const relativeUrl = (from: string, to: string): string => encoded(posix.relative(posix.dirname(from), to));

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

const moduleCode = (url: string): string => `
const url = ${url};
export const loadValidators = () => import(/* @vite-ignore */ url);
export const validate = async (schema, tool) => (await loadValidators()).validate(schema, tool);
`;
