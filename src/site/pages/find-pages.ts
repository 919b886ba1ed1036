import { existsSync } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isDynamicPattern } from 'tinyglobby';
import { byPath } from '../manifest/manifest.js';
import { cannotRead, readTextFile, readTextStream } from './read-text.js';
import { UsageError } from '../usage-error.js';
import { globFiles, htmlFiles, mayBeMisread, type Refuse } from './walk-folder.js';

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
  /** What was left out, and why. */
  readonly warnings: readonly string[];
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
  return { folder: sites[0]?.folder ?? cwd, pages, warnings: sites.flatMap(({ warnings }) => warnings) };
}

function checkPath(page: PageInput, before: PageInput | undefined): void {
  if (page.path !== before?.path) return;
  const both = page.file === before.file ? `${page.file} twice` : `${before.file} and ${page.file}`;
  throw new UsageError(`two inputs have the path "${page.path}", ${both}: name each page once, or their common folder`);
}

const standardInput = (cwd: string, stdin: AsyncIterable<Uint8Array>): Site => ({
  folder: cwd,
  pages: [{ path: 'index.html', file: '<stdin>', at: null, read: () => readTextStream(stdin, '<stdin>') }],
  warnings: [],
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
  return { folder: dirname(at), pages: [pageFile(basename(at), path, at)], warnings: [] };
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

const misreadWarning = (file: string): string => `left out ${file}: its name is not UTF-8: rename it`;

async function folderSite(given: string, at: string): Promise<Site> {
  const warnings: string[] = [];
  const pages = await pagesIn(given, at, (_, file, cause) => {
    if (!mayBeMisread(file)) cannotRead(file, cause);
    warnings.push(misreadWarning(file));
  });
  if (pages.length > 0) return { folder: at, pages, warnings };
  throw new UsageError(
    `no .html file is in or below the folder ${given}: name another folder, or build the site first`,
  );
}

/** The pages in and below a folder, which may be none; `refuse` is told what cannot be listed or followed. */
export async function pagesIn(given: string, at: string, refuse: Refuse = refuseAll): Promise<readonly PageInput[]> {
  const pages: PageInput[] = [];
  for await (const path of htmlFiles({ at, given, refuse })) {
    pages.push(pageFile(path, join(given, path), join(at, path)));
  }
  return pages;
}

const refuseAll: Refuse = (_, file, cause) => cannotRead(file, cause);

function globSite(pattern: string, cwd: string): Site {
  const { base, rest } = splitGlob(sep === '\\' ? pattern.replaceAll('\\', '/') : pattern);
  const folder = resolve(cwd, base);
  const paths = globFiles(rest, folder);
  const misread = paths.filter((path) => mayBeMisread(path) && !existsSync(join(folder, path)));
  const pages = paths
    .filter((path) => !misread.includes(path))
    .map((path) => pageFile(path, join(base, path), join(folder, path)));
  const warnings = misread.map((path) => misreadWarning(join(base, path)));
  if (pages.length > 0) return { folder, pages, warnings };
  throw new UsageError(`no file matches ${pattern}: quote a glob, and check its folder`);
}

/** A glob's leading folders without pattern characters, and what is left. */
export function splitGlob(pattern: string): { readonly base: string; readonly rest: string } {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => part.includes('{') || isDynamicPattern(part));
  const base = parts.slice(0, first).join('/').replace(/\\(.)/g, '$1');
  return { base: first > 0 ? base || '/' : '', rest: parts.slice(first).join('/') };
}
