import { existsSync } from 'node:fs';
import { byPath } from '../site/manifest/manifest.js';
import { folderSearch, pagesIn } from '../site/pages/find-pages.js';
import { throwReadError } from '../site/pages/read-text.js';
import { oneLine } from '../site/printable.js';
import { reasonOf } from '../site/usage-error.js';
import type { CompiledPage, Site } from './site.js';

export interface PageFile {
  readonly path: string;
  readonly file: string | undefined;
  readonly read: () => string | Promise<string>;
}

/** The pages in a folder, as the command line finds them. Reading an unreadable page throws. */
export async function pagesBelow(folder: string): Promise<readonly PageFile[]> {
  if (!existsSync(folder)) return [];
  const unreadable: PageFile[] = [];
  const pages = await pagesIn(folder, folder, folderSearch(), (path, file, cause) => {
    unreadable.push({ path, file: undefined, read: () => throwReadError(file, cause) });
  });
  const readable = pages.map(({ path, at, file, read }) => ({ path, file: at ?? file, read }));
  return [...readable, ...unreadable].sort(byPath);
}

/** Compiles a page that belongs to the site. Calls `onError` if the page cannot be read or compiled. */
export async function compilePage(
  { path, file, read }: PageFile,
  site: Site,
  onError: (message: string) => void,
): Promise<CompiledPage | undefined> {
  if (!site.has(path)) return undefined;
  try {
    return await site.compile(path, await read(), file);
  } catch (cause) {
    onError(`${path} is not in the manifest: ${oneLine(reasonOf(cause))}`);
    return undefined;
  }
}
