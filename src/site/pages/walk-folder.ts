import { readdirSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { hasExtension } from './page-extensions.js';

/**
 * Handles an error of a page or folder. `path` starts from the root; `file` is the name for messages. `isLink` is true for a
 * symbolic link without a target.
 */
export type OnReadError = (path: string, file: string, cause: unknown, isLink?: boolean) => void;

/** The folder of a PATH: its absolute path, and its name for messages. */
interface Root {
  readonly at: string;
  readonly name: string;
  readonly onError: OnReadError;
  /** The ends of the names of pages, in lower case and without the full stop. */
  readonly extensions: readonly string[];
}

interface Walk extends Root {
  /** The real paths of the visited folders, because links could multiply the pages. */
  readonly visited: Set<string>;
  /** The symbolic links to folders. They are visited last, so that pages get their direct paths. */
  readonly links: string[];
}

/** Yields the paths of a folder's pages. A real folder is visited once, directly or by its first link. */
export async function* pageFiles(root: Root): AsyncGenerator<string> {
  const walk: Walk = { ...root, visited: new Set(), links: [] };
  yield* pagesBelow(walk, '');
  while (walk.links.length > 0) for (const path of walk.links.splice(0).sort()) yield* pagesBelow(walk, path);
}

/** @param path - empty, or the folder's path with a `/` at its end */
async function* pagesBelow(walk: Walk, path: string): AsyncGenerator<string> {
  for (const entry of await listFolder(walk, path)) {
    const below = path + entry.name;
    const isPage = hasExtension(entry.name, walk.extensions);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (hasInvalidName(entry.name) && !(await exists(walk, below, isPage || entry.isDirectory()))) continue;
    const isLink = entry.isSymbolicLink();
    const found = isLink ? await followLink(walk, below, isPage) : entry;
    if (isPage && found?.isFile()) yield below;
    if (!found?.isDirectory()) continue;
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

/** The target of a symbolic link. A broken link is an error only if its name is that of a page. */
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

/** Whether a name contains U+FFFD, with which Node.js replaces invalid UTF-8. The file may have another name. */
export const hasInvalidName = (path: string): boolean => path.includes('\ufffd');

interface GlobResult {
  readonly paths: readonly string[];
  /** The symbolic links without a target, with the reasons. */
  readonly broken: readonly { readonly path: string; readonly cause: unknown }[];
}

/** The paths that a glob matches below a folder. It follows links as `pageFiles` does. */
export function globFiles(pattern: string, cwd: string): GlobResult {
  const owners = new Map<string, string>();
  const direct = globOnce(pattern, cwd, owners, false);
  return direct.hasLinks ? globOnce(pattern, cwd, owners, true) : direct;
}

/** @param owners - the path by which each real folder is visited */
function globOnce(
  pattern: string,
  cwd: string,
  owners: Map<string, string>,
  isFollowing: boolean,
): GlobResult & { readonly hasLinks: boolean } {
  let hasLinks = false;
  const causes = new Map<string, unknown>();
  const list = (folder: string): readonly ListedEntry[] => {
    const real = realpathSync(folder);
    const owner = owners.get(real) ?? folder;
    owners.set(real, owner);
    if (owner !== folder) return [];
    const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    return entries.flatMap((entry) => {
      if (!entry.isSymbolicLink()) return entry;
      const link = join(folder, entry.name);
      const target = targetOf(link, (cause) => causes.set(link, cause));
      hasLinks ||= target?.isDirectory() === true;
      return isFollowing || target?.isDirectory() !== true ? asTarget(entry.name, target) : [];
    });
  };
  const fs = { readdirSync: list as unknown as typeof readdirSync };
  const paths = globSync(pattern, { cwd, ignore: '**/node_modules/**', expandDirectories: false, fs });
  const isBroken = (path: string): boolean => causes.size > 0 && causes.has(join(cwd, path));
  const broken = paths.filter(isBroken).map((path) => ({ path, cause: causes.get(join(cwd, path)) }));
  return { paths: paths.filter((path) => !isBroken(path)), broken, hasLinks };
}

function targetOf(link: string, onError: (cause: unknown) => void): Stats | undefined {
  try {
    return statSync(link);
  } catch (cause) {
    onError(cause);
    return undefined;
  }
}

type ListedEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** @param target - undefined for a broken link, whose name may match the glob */
const asTarget = (name: string, target: Stats | undefined): ListedEntry => ({
  name,
  isFile: () => target?.isFile() ?? true,
  isDirectory: () => target?.isDirectory() ?? false,
  isSymbolicLink: () => false,
});
