import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Handles an error of a page or folder. `path` is relative to the root; `file` is the name for messages. `isLink` is true for a
 * symbolic link without a target.
 */
export type OnReadError = (path: string, file: string, cause: unknown, isLink?: boolean) => void;

/** The folder of a PATH: its absolute path, and its name for messages. */
interface Root {
  readonly at: string;
  readonly name: string;
  readonly onError: OnReadError;
  readonly search: PageSearch;
}

/** The files that a folder or a glob selects. Paths are relative to the root. */
export interface PageSearch {
  readonly isPage: (path: string) => boolean;
  readonly isVisited: (path: string) => boolean;
}

interface Walk extends Root {
  /** The real paths of the visited folders, because links could multiply the pages. */
  readonly visited: Set<string>;
  /** The symbolic links to folders. They are visited last, so that pages get their direct paths. */
  readonly links: string[];
}

/** Yields the paths of a folder's pages. Each real folder is visited once, directly or through its first link. */
export async function* pageFiles(root: Root): AsyncGenerator<string> {
  const walk: Walk = { ...root, visited: new Set(), links: [] };
  yield* pagesBelow(walk, '');
  while (walk.links.length > 0) for (const path of walk.links.splice(0).sort()) yield* pagesBelow(walk, path);
}

/** @param path - empty, or the folder's path with a `/` at its end */
async function* pagesBelow(walk: Walk, path: string): AsyncGenerator<string> {
  for (const entry of await listFolder(walk, path)) {
    const below = path + entry.name;
    const isPage = walk.search.isPage(below);
    const isVisited = entry.name !== 'node_modules' && walk.search.isVisited(below);
    if (!isPage && !isVisited) continue;
    if (hasInvalidName(entry.name) && !(await exists(walk, below, isPage || entry.isDirectory()))) continue;
    const isLink = entry.isSymbolicLink();
    const found = isLink ? await followLink(walk, below, isPage) : entry;
    if (isPage && found?.isFile()) yield below;
    if (!isVisited || !found?.isDirectory()) continue;
    if (isLink) walk.links.push(`${below}/`);
    else yield* pagesBelow(walk, `${below}/`);
  }
}

async function listFolder({ at, name, onError, visited }: Walk, path: string): Promise<readonly Dirent[]> {
  const folder = join(at, path);
  try {
    const real = await realpath(folder);
    if (visited.has(real)) return [];
    visited.add(real);
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    onError(path, join(name, path), cause);
    return [];
  }
}

/** The target of a symbolic link. A broken link is an error only if its name is the name of a page. */
const followLink = ({ at, name, onError }: Root, path: string, isPage: boolean): Promise<Stats | undefined> =>
  stat(join(at, path)).catch((cause: unknown) => {
    if (isPage) onError(path, `${join(name, path)}, a symbolic link`, cause, true);
    return undefined;
  });

const exists = ({ at, name, onError }: Root, path: string, isRelevant: boolean): Promise<boolean> =>
  lstat(join(at, path)).then(
    () => true,
    (cause: unknown) => {
      if (isRelevant) onError(path, join(name, path), cause);
      return false;
    },
  );

/** Whether a name contains U+FFFD, with which Node.js replaces invalid UTF-8. The actual name of the file may differ. */
export const hasInvalidName = (path: string): boolean => path.includes('\ufffd');
