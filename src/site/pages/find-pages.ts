import { readFileSync, statSync } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { byPath } from '../manifest/manifest.js';
import { reasonOf, UsageError } from '../usage-error.js';
import { globSearch, isGlob, splitGlob } from './glob.js';
import type { PageContent } from './undecoded-page.js';
import { hasExtension, isHidden, pageExtensions } from './page-extensions.js';
import { pathOfFile } from './page-path.js';
import { sizeProblem } from './process-page.js';
import { throwReadError } from './read-text.js';
import { hasInvalidName, pageFiles, type OnReadError, type PageSearch } from './walk-folder.js';

/** A page that has not been read yet. */
export interface PageInput {
  /** The page's path in the manifest. */
  readonly path: string;
  /** The file name for messages. */
  readonly file: string;
  /** The file's absolute path; null for standard input. */
  readonly at: string | null;
  /** The absolute path of the folder in which the page was found, unless the user named the file. */
  readonly folder?: string;
  readonly read: () => Promise<string>;
  /** The URL of a page that was read over HTTP. */
  readonly url?: string;
  /** The `Content-Language` of its response. */
  readonly contentLanguage?: string | undefined;
  /** The encoding of its response, unless it is UTF-8. */
  readonly encoding?: string | undefined;
  /** The reason why it could not be read, and the solution. */
  readonly problem?: string | undefined;
  /** Whether the page was read before a login. It is joined with a preceding page of the same path, read after the login. */
  readonly isSignedOut?: true;
}

export interface Site {
  /** The folder of the first PATH, where the search for package.json starts. */
  readonly folder: string;
  readonly pages: readonly PageInput[];
  /** Messages about skipped files. */
  readonly warnings: readonly string[];
}

/**
 * Finds the pages that the PATHs name, sorted by path.
 *
 * @throws {UsageError} if a PATH has no pages, or two pages have the same path
 */
export async function findPages(
  paths: readonly string[],
  cwd: string,
  stdin: AsyncIterable<Uint8Array>,
  extensions: readonly string[] = pageExtensions,
): Promise<Site> {
  if (paths.length === 0)
    throw new UsageError('PATH is missing. Name a file, a folder, a glob, or - for standard input.');
  const sites: Site[] = [];
  for (const path of paths)
    sites.push(path === '-' ? standardInput(cwd, stdin) : await findSite(path, cwd, extensions));
  return mergeSites(sites, cwd);
}

/** @throws {UsageError} if two pages have the same path */
export function mergeSites(sites: readonly Site[], cwd: string): Site {
  const pages = sites.flatMap((site) => site.pages).sort(byPath);
  pages.forEach((page, index) => checkPath(page, pages[index - 1]));
  return { folder: sites[0]?.folder ?? cwd, pages, warnings: sites.flatMap(({ warnings }) => warnings) };
}

function checkPath(page: PageInput, before: PageInput | undefined): void {
  if (page.path !== before?.path || page.isSignedOut) return;
  const both = page.file === before.file ? `${page.file} twice` : `${before.file} and ${page.file}`;
  throw new UsageError(
    `Two inputs have the path "${page.path}": ${both}. Name each page once, or name their common folder.`,
  );
}

const standardInput = (cwd: string, stdin: AsyncIterable<Uint8Array>): Site => ({
  folder: cwd,
  pages: [
    {
      path: 'index.html',
      file: '<stdin>',
      at: null,
      read: async () => (await import('./page-encoding.js')).readPageStream(stdin, '<stdin>'),
    },
  ],
  warnings: [],
});

/** An existing file takes precedence over a glob: `[id].html` can be both. */
async function findSite(path: string, cwd: string, extensions: readonly string[]): Promise<Site> {
  if (path === '') throw new UsageError('PATH is empty. Name a file, a folder, a glob, or - for standard input.');
  const at = resolve(cwd, path);
  const found = await stat(at).catch((cause: unknown) => (isGlob(path) ? undefined : throwMissing(path, at, cause)));
  if (found === undefined) return globSite(path, cwd);
  if (found.isDirectory()) return folderSite(path, at, extensions);
  return { folder: dirname(at), pages: [pageFile(pathOfFile(basename(at)), path, at)], warnings: [] };
}

async function throwMissing(path: string, at: string, cause: unknown): Promise<never> {
  const link = await lstat(at).catch(() => undefined);
  throwReadError(link?.isSymbolicLink() ? `${path}, a symbolic link` : path, cause);
}

const pageFile = (path: string, file: string, at: string, folder?: string): PageInput => ({
  path,
  file,
  at,
  ...(folder !== undefined && { folder }),
  read: async () => (await import('./page-encoding.js')).readPageFile(at, file),
});

const nameWarning = (file: string): string => `Skipped ${file}: its name is not valid UTF-8. Rename it.`;

/** The warning about a broken link, which is skipped because the site does not serve it either. */
const linkWarning = (file: string, cause: unknown): string =>
  `Skipped ${file}: ${reasonOf(cause)}. Correct the link, or remove it.`;

async function folderSite(name: string, at: string, extensions: readonly string[]): Promise<Site> {
  const warnings: string[] = [];
  let throwBroken: (() => never) | undefined;
  const search = folderSearch(extensions);
  const found = await pagesIn(name, at, search, (_, file, cause, isLink = false) => {
    if (!isLink && !hasInvalidName(file)) throwReadError(file, cause);
    if (isLink) throwBroken ??= () => throwReadError(file, cause);
    warnings.push(isLink ? linkWarning(file, cause) : nameWarning(file));
  });
  if (found.length > 0) return { folder: at, pages: withUrlPaths(found), warnings };
  throwBroken?.();
  const kinds = extensions === pageExtensions ? `page (.${pageExtensions.join(', .')})` : 'page or template';
  throw new UsageError(`The folder ${name} contains no ${kinds}. Name another folder, or build the site first.`);
}

/** @param extensions - in lower case and without the full stop */
export const folderSearch = (extensions: readonly string[] = pageExtensions): PageSearch => ({
  isPage: (path) => hasExtension(path, extensions) && !isHidden(path),
  isVisited: (path) => !isHidden(path),
});

const withUrlPaths = (pages: readonly PageInput[]): readonly PageInput[] =>
  pages.map((page) => ({ ...page, path: pathOfFile(page.path) }));

/** The pages of a folder and its subfolders. Their paths are the paths of the files, relative to the folder. */
export async function pagesIn(
  name: string,
  at: string,
  search: PageSearch,
  onError: OnReadError,
): Promise<readonly PageInput[]> {
  const pages: PageInput[] = [];
  for await (const path of pageFiles({ at, name, onError, search })) {
    pages.push(pageFile(path, join(name, path), join(at, path), at));
  }
  return pages;
}

async function globSite(pattern: string, cwd: string): Promise<Site> {
  const { base, rest } = splitGlob(sep === '\\' ? pattern.replaceAll('\\', '/') : pattern);
  const folder = resolve(cwd, base);
  const warnings: string[] = [];
  const found = await pagesIn(base, folder, globSearch(rest), (_, file, cause, isLink = false) => {
    if (isLink) warnings.push(linkWarning(file, cause));
    else if (hasInvalidName(file)) warnings.push(nameWarning(file));
  });
  if (found.length > 0) return { folder, pages: withUrlPaths(found), warnings };
  throw new UsageError(`No file matches ${pattern}. Quote the glob, and check its folder.`);
}

export interface ReadInput {
  readonly input: PageInput;
  readonly content: PageContent;
  /** The reason why the page cannot be read, and the solution. */
  readonly problem?: string | undefined;
}

/** Reads pages one by one. Synchronous reads are faster for many small files. */
export async function* readInputs(inputs: readonly PageInput[]): AsyncGenerator<ReadInput> {
  for (const input of inputs) {
    const { at, file, read, problem } = input;
    if (problem !== undefined) yield { input, content: '', problem };
    else yield at === null ? { input, content: await read() } : { input, ...readBytes(at, file) };
  }
}

function readBytes(at: string, file: string): Pick<ReadInput, 'content' | 'problem'> {
  try {
    const problem = sizeProblem(statSync(at).size);
    return problem === undefined ? { content: readFileSync(at) } : { content: '', problem };
  } catch (cause) {
    throwReadError(file, cause);
  }
}
