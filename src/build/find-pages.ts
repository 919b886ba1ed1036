import type { Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { byPath } from './manifest.js';
import { cannotRead, readTextFile, readTextStream } from './read-text.js';
import { UsageError } from './usage-error.js';

/** A page that can be read when its turn comes. */
export interface PageInput {
  /** The page's path in the manifest. */
  readonly path: string;
  /** What a person opens it by. */
  readonly file: string;
  /** The file's absolute path; null for standard input. */
  readonly at: string | null;
  readonly read: () => Promise<string>;
}

/** What one PATH names, and the folder that its pages' paths start from. */
export interface Site {
  readonly folder: string;
  readonly pages: readonly PageInput[];
}

/** The pages that PATHs name, sorted by path, and the folder of the first PATH. */
export async function findPages(
  paths: readonly string[],
  cwd: string,
  stdin: AsyncIterable<Uint8Array>,
): Promise<Site> {
  const sites: Site[] = [];
  for (const path of paths) sites.push(path === '-' ? standardInput(cwd, stdin) : await siteOf(path, cwd));
  const pages = sites.flatMap((site) => site.pages).sort(byPath);
  pages.forEach((page, index) => checkPath(page, pages[index - 1]));
  return { folder: sites[0]?.folder ?? cwd, pages };
}

function checkPath(page: PageInput, before: PageInput | undefined): void {
  if (page.path !== before?.path) return;
  const both = page.file === before.file ? `${page.file} twice` : `${before.file} and ${page.file}`;
  throw new UsageError(`two inputs have the path "${page.path}", ${both}: name each page once, or their common folder`);
}

const standardInput = (cwd: string, stdin: AsyncIterable<Uint8Array>): Site => ({
  folder: cwd,
  pages: [{ path: 'index.html', file: '<stdin>', at: null, read: () => readTextStream(stdin, '<stdin>') }],
});

/** A name that exists is taken as it is, so that `[id].html` is a file before it is a glob. */
async function siteOf(path: string, cwd: string): Promise<Site> {
  if (path === '') throw new UsageError('a PATH is empty: name a file, a folder, a glob, or - for standard input');
  const at = resolve(cwd, path);
  const found = await stat(at).catch((cause: unknown) =>
    isDynamicPattern(path) ? undefined : noSuch(path, at, cause),
  );
  if (found === undefined) return globSite(path, cwd);
  if (found.isDirectory()) return folderSite(path, at);
  return { folder: dirname(at), pages: [pageFile(basename(at), path, at)] };
}

async function noSuch(path: string, at: string, cause: unknown): Promise<never> {
  const isLink = await lstat(at).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  cannotRead(isLink ? `${path}, a symbolic link` : path, cause);
}

const pageFile = (path: string, file: string, at: string): PageInput => ({
  path,
  file,
  at,
  read: () => readTextFile(at, file),
});

async function folderSite(given: string, at: string): Promise<Site> {
  const pages: PageInput[] = [];
  for await (const path of htmlFiles({ at, given }, '')) pages.push(pageFile(path, join(given, path), join(at, path)));
  if (pages.length > 0) return { folder: at, pages };
  throw new UsageError(
    `no .html file is in or below the folder ${given}: name another folder, or build the site first`,
  );
}

/** A folder that is a PATH: where it is, and what the person called it. */
interface Root {
  readonly at: string;
  readonly given: string;
}

/** The paths of a folder's pages, from the root; `path` is the folder's own, with a `/` at its end, or empty. */
async function* htmlFiles(root: Root, path: string): AsyncGenerator<string> {
  const entries = await readdir(join(root.at, path), { withFileTypes: true }).catch((cause: unknown) =>
    cannotRead(join(root.given, path), cause),
  );
  for (const entry of entries) {
    const below = path + entry.name;
    const isPage = /\.html$/i.test(entry.name);
    const found = entry.isSymbolicLink() ? await linked(root, below, isPage) : entry;
    if (isPage && found?.isFile()) yield below;
    if (found?.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name) && !(await isOnLoop(root.at, `${below}/`))) {
      yield* htmlFiles(root, `${below}/`);
    }
  }
}

/** What a symbolic link leads to; one that leads nowhere matters only if it is a page. */
const linked = ({ at, given }: Root, path: string, isPage: boolean): Promise<Stats | undefined> =>
  stat(join(at, path)).catch((cause: unknown) =>
    isPage ? cannotRead(`${join(given, path)}, a symbolic link`, cause) : undefined,
  );

/** Whether a folder on a path is, by a symbolic link, one of the folders above it. */
async function isOnLoop(root: string, path: string): Promise<boolean> {
  const parts = path.split('/');
  const folders = await Promise.all(parts.map((_, depth) => realpath(join(root, ...parts.slice(0, depth)))));
  return new Set(folders).size < folders.length;
}

async function globSite(pattern: string, cwd: string): Promise<Site> {
  const { base, rest } = splitGlob(sep === '\\' ? pattern.replaceAll('\\', '/') : pattern);
  const folder = resolve(cwd, base);
  const pages: PageInput[] = [];
  for (const path of await glob(rest, { cwd: folder, ignore: '**/node_modules/**', expandDirectories: false })) {
    if (!(await isOnLoop(folder, path))) pages.push(pageFile(path, join(base, path), join(folder, path)));
  }
  if (pages.length > 0) return { folder, pages };
  throw new UsageError(`no file matches ${pattern}: quote a glob, and check its folder`);
}

/** A glob's leading folders without pattern characters, and what is left. */
export function splitGlob(pattern: string): { readonly base: string; readonly rest: string } {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => part.includes('{') || isDynamicPattern(part));
  const base = parts.slice(0, first).join('/').replace(/\\(.)/g, '$1');
  return { base: first > 0 ? base || '/' : '', rest: parts.slice(first).join('/') };
}
