import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { ResolvedConfig } from 'vite';

/** The HTML files that the build has as entries. */
export function htmlEntries(config: ResolvedConfig): readonly string[] {
  const { build } = config.environments.client ?? config;
  // Vite 8 has rolldownOptions, and the other as a name of it; Vite 6 and 7 have only the other.
  const { input } = ('rolldownOptions' in build ? build.rolldownOptions : build['rollupOptions']) as {
    readonly input?: string | readonly string[] | Readonly<Record<string, string>>;
  };
  const inputs = input === undefined ? ['index.html'] : typeof input === 'string' ? [input] : Object.values(input);
  const files = inputs.filter((file) => /\.html$/i.test(file)).map((file) => fileOf(file, config.root));
  return [...new Set(files)];
}

/** An absolute path is one, unless it is meant from the root, as Vite allows. */
function fileOf(input: string, root: string): string {
  const fromRoot = resolve(root, input.replace(/^\/+/, ''));
  const file = existsSync(input) || !existsSync(fromRoot) ? resolve(root, input) : fromRoot;
  return toPosix(file);
}

export const toPosix = (path: string): string => (sep === '\\' ? path.replaceAll('\\', '/') : path);

/** A file's path from the root, as the build names the page. */
export const pathFromRoot = (root: string, file: string): string => toPosix(relative(root, file));

/** The URL, without the base, that Vite serves a file under. */
export function urlOfFile(root: string, file: string): string {
  const path = pathFromRoot(root, file);
  const url = path.startsWith('../') ? `/@fs/${file.replace(/^\//, '')}` : `/${path}`;
  return encodeURI(url).replaceAll('?', '%3F').replaceAll('#', '%23');
}
