import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { ResolvedConfig } from 'vite';
import { isPageFile } from '../../site/pages/page-extensions.js';

export function htmlEntries(config: ResolvedConfig): readonly string[] {
  const { build } = config.environments.client ?? config;
  // In Vite 8, rollupOptions is an alias of rolldownOptions. Vite 6 and 7 only have rollupOptions.
  const { input } = ('rolldownOptions' in build ? build.rolldownOptions : build['rollupOptions']) as {
    readonly input?: string | readonly string[] | Readonly<Record<string, string>>;
  };
  const inputs = input === undefined ? ['index.html'] : typeof input === 'string' ? [input] : Object.values(input);
  const files = inputs.filter((file) => isPageFile(file)).map((file) => resolveInput(file, config.root));
  return [...new Set(files)];
}

/** As in Vite, a path with a leading slash may be relative to the root. */
function resolveInput(input: string, root: string): string {
  const fromRoot = resolve(root, input.replace(/^\/+/, ''));
  return toPosix(existsSync(input) || !existsSync(fromRoot) ? resolve(root, input) : fromRoot);
}

export const toPosix = (path: string): string => (sep === '\\' ? path.replaceAll('\\', '/') : path);

/** The path of a file on the dev server, which serves files outside of the root below `@fs/`. */
export function pathOnServer(root: string, file: string): string {
  const path = toPosix(relative(root, file));
  return path.startsWith('../') ? `@fs/${file.replace(/^\//, '')}` : path;
}

/** The URL of a file on the dev server, without the base. */
export const urlOfFile = (root: string, file: string): string =>
  encodeURI(`/${pathOnServer(root, file)}`)
    .replaceAll('?', '%3F')
    .replaceAll('#', '%23');
