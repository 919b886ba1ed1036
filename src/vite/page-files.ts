import { existsSync } from 'node:fs';
import { pagesIn } from '../site/pages/find-pages.js';
import { byPath } from '../site/manifest/manifest.js';
import { cannotRead } from '../site/pages/read-text.js';

/** A page that can be read: its path in the manifest, and the file that it is, or is made of. */
export interface PageFile {
  readonly path: string;
  readonly file: string | undefined;
  readonly read: () => string | Promise<string>;
}

/** The pages in a folder, as the command line finds them; none is no mistake here, and what is unreadable is told when read. */
export async function pagesBelow(folder: string): Promise<readonly PageFile[]> {
  if (!existsSync(folder)) return [];
  const unreadable: PageFile[] = [];
  const pages = await pagesIn(folder, folder, (path, file, cause) => {
    unreadable.push({ path, file: undefined, read: () => cannotRead(file, cause) });
  });
  const readable = pages.map(({ path, at, file, read }) => ({ path, file: at ?? file, read }));
  return [...readable, ...unreadable].sort(byPath);
}
