import { readdirSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';

/** `path` is a page's or a folder's, from the root; `file` is what a person calls it. */
export type Refuse = (path: string, file: string, cause: unknown) => void;

/** A folder that is a PATH: where it is, and what the person called it. */
export interface Root {
  readonly at: string;
  readonly given: string;
  readonly refuse: Refuse;
}

interface Walk extends Root {
  /** The real places of the folders that were entered: links among them would multiply their pages. */
  readonly entered: Set<string>;
  /** The folders that symbolic links lead to, which come last, so that what is reached directly has its own path. */
  readonly links: string[];
}

/** The paths of a folder's pages, from the root. Each real folder is entered once, directly or by the first link. */
export async function* htmlFiles(root: Root): AsyncGenerator<string> {
  const walk: Walk = { ...root, entered: new Set(), links: [] };
  yield* pagesBelow(walk, '');
  while (walk.links.length > 0) for (const path of walk.links.splice(0).sort()) yield* pagesBelow(walk, path);
}

/** `path` is the folder's own, with a `/` at its end, or empty. */
async function* pagesBelow(walk: Walk, path: string): AsyncGenerator<string> {
  for (const entry of await enter(walk, path)) {
    const below = path + entry.name;
    const isPage = /\.html$/i.test(entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (mayBeMisread(entry.name) && !(await isSayable(walk, below, isPage || entry.isDirectory()))) continue;
    const isLink = entry.isSymbolicLink();
    const found = isLink ? await linked(walk, below, isPage) : entry;
    if (isPage && found?.isFile()) yield below;
    if (!found?.isDirectory()) continue;
    if (isLink) walk.links.push(`${below}/`);
    else yield* pagesBelow(walk, `${below}/`);
  }
}

async function enter({ at, given, refuse, entered }: Walk, path: string): Promise<readonly Dirent[]> {
  const folder = join(at, path);
  try {
    const real = await realpath(folder);
    if (entered.has(real)) return [];
    entered.add(real);
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    refuse(path, join(given, path), cause);
    return [];
  }
}

/** What a symbolic link leads to; one that leads nowhere matters only if it is a page. */
const linked = ({ at, given, refuse }: Root, path: string, isPage: boolean): Promise<Stats | undefined> =>
  stat(join(at, path)).catch((cause: unknown) => {
    if (isPage) refuse(path, `${join(given, path)}, a symbolic link`, cause);
    return undefined;
  });

/** Whether what has a name can be opened by it. */
const isSayable = ({ at, given, refuse }: Root, path: string, matters: boolean): Promise<boolean> =>
  lstat(join(at, path)).then(
    () => true,
    (cause: unknown) => {
      if (matters) refuse(path, join(given, path), cause);
      return false;
    },
  );

/** Whether a name may be another one, of which Node.js replaced the bytes that are no UTF-8. */
export const mayBeMisread = (path: string): boolean => path.includes('\ufffd');

/** The paths that a glob matches below a folder; links are followed as `htmlFiles` follows them. */
export function globFiles(pattern: string, cwd: string): readonly string[] {
  const owners = new Map<string, string>();
  const direct = globOnce(pattern, cwd, owners, false);
  return direct.hasLinks ? globOnce(pattern, cwd, owners, true).paths : direct.paths;
}

/** @param owners - by which path each real folder is entered */
function globOnce(
  pattern: string,
  cwd: string,
  owners: Map<string, string>,
  isFollowing: boolean,
): { readonly paths: readonly string[]; readonly hasLinks: boolean } {
  let hasLinks = false;
  const list = (folder: string): readonly ListedEntry[] => {
    const real = realpathSync(folder);
    const owner = owners.get(real) ?? folder;
    owners.set(real, owner);
    if (owner !== folder) return [];
    const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    return entries.flatMap((entry) => {
      if (!entry.isSymbolicLink()) return entry;
      const found = targetOf(join(folder, entry.name));
      hasLinks ||= found?.isDirectory() === true;
      return found && (isFollowing || found.isFile()) ? asIfThere(entry.name, found) : [];
    });
  };
  const fs = { readdirSync: list as unknown as typeof readdirSync };
  const paths = globSync(pattern, { cwd, ignore: '**/node_modules/**', expandDirectories: false, fs });
  return { paths, hasLinks };
}

function targetOf(link: string): Stats | undefined {
  try {
    return statSync(link);
  } catch {
    return undefined; // what cannot be opened matches nothing
  }
}

type ListedEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

const asIfThere = (name: string, found: Stats): ListedEntry => ({
  name,
  isFile: () => found.isFile(),
  isDirectory: () => found.isDirectory(),
  isSymbolicLink: () => false,
});
