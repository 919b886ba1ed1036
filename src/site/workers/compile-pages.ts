import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ignoreAttribute } from '../../compiler/ignored.js';
import { isRecord, parseJson } from '../../json.js';
import type { CompileOptions } from '../compile-html.js';
import { version } from '../generator.js';
import { maxResultLength } from '../limits.js';
import type { ManifestPage } from '../manifest/manifest.js';
import type { PageInput } from '../pages/find-pages.js';
import { encodingWarnings } from '../pages/encoding-warnings.js';
import { mayContainTools, type PageContent } from '../pages/undecoded-page.js';
import type { PageOutcome } from '../pages/process-page.js';
import { hasPasswordInput } from '../tools/password-input.js';
import { reasonOf, UsageError } from '../usage-error.js';
import { codeHash, processPages, type PageProcessor, type ProcessOptions } from './process-pages.js';
import type { CompileTask } from './worker.js';

export interface UncompiledPage extends Pick<PageInput, 'path' | 'file' | 'contentLanguage' | 'encoding' | 'problem'> {
  readonly where: string;
  /** The HTTP status of a fetched page. */
  readonly status?: number | undefined;
  readonly content: PageContent;
}

export interface UnreadableLine {
  readonly content: '';
  readonly error: UsageError;
}

export interface CompiledPage {
  /** The page's name in diagnostics. */
  readonly file: string;
  readonly page: ManifestPage;
  readonly warnings?: readonly string[];
  /** Whether a fetched page has no tools, but a password input. */
  readonly isLogin?: boolean;
  /** Whether the page could not be compiled. Its diagnostic has the reason. */
  readonly isUnreadable?: boolean;
}

interface CompilePagesOptions extends ProcessOptions {
  readonly cache: PageCache | undefined;
  readonly options: Omit<CompileOptions, 'path'>;
}

export const compilePages = (
  pages: AsyncIterable<UncompiledPage | UnreadableLine>,
  options: CompilePagesOptions,
): AsyncGenerator<CompiledPage | UnreadableLine> =>
  processPages(pages, options, compiler, async (page, run) =>
    'error' in page ? page : compileOne(page, options, run),
  );

/** The processor of pages, for commands and for the Vite plugin. */
export const compiler: PageProcessor<CompileTask, string> = {
  worker: 'site/workers/worker',
  name: 'compileInThread',
  verb: 'compile',
  load: async () => (await import('./worker.js')).compilePage,
};

async function compileOne(
  { path, file, where, status = 200, content, problem, contentLanguage, encoding }: UncompiledPage,
  { cache, options }: CompilePagesOptions,
  run: (task: CompileTask) => Promise<PageOutcome<string>>,
): Promise<CompiledPage> {
  const empty = { path, tools: [], diagnostics: [] };
  if (status < 200 || status > 299) return { file, page: empty, warnings: [statusWarning(where, path, status)] };
  if (problem !== undefined) return unreadable(file, path, problem);
  const isLogin = (): Promise<boolean> => isLoginPage({ content, options, isLoginCheck: true }, run);
  if (!mayContainTools(content)) return { file, page: empty, isLogin: await isLogin() };
  const warnings = await encodingWarnings(content, where); // the bytes are transferred below
  const headers = { ...(contentLanguage && { contentLanguage }), ...(encoding && { encoding }) };
  const hasHeaders = Object.keys(headers).length > 0;
  const key = hasHeaders ? undefined : cache?.keyOf(content); // the key depends only on the content
  const cached = key === undefined ? undefined : parseResult(cache?.get(key));
  const outcome = cached ? { result: '' } : await run({ content, options: { ...options, ...headers } });
  if ('problem' in outcome) return unreadable(file, path, outcome.problem);
  if (key !== undefined && !cached) cache?.set(key, outcome.result);
  const page = { path, ...(cached ?? (JSON.parse(outcome.result) as PageResult)) };
  return { file, page, warnings, isLogin: page.tools.length === 0 && (await isLogin()) };
}

/** Whether a page may be a login. Only pages that exclude content from tools are parsed. A failure counts as a login. */
async function isLoginPage(
  task: CompileTask,
  run: (task: CompileTask) => Promise<PageOutcome<string>>,
): Promise<boolean> {
  const { content } = task;
  if (typeof content !== 'string' || !hasPasswordInput(content)) return false;
  if (!content.toLowerCase().includes(ignoreAttribute)) return true;
  const outcome = await run(task);
  return 'problem' in outcome || outcome.result === 'true';
}

type PageResult = Omit<ManifestPage, 'path'>;

/** The result in an entry of the cache; undefined if it is invalid although its checksum is correct. */
function parseResult(text: string | undefined): PageResult | undefined {
  const value = parseJson(text ?? '');
  return isRecord(value) && Array.isArray(value.tools) && Array.isArray(value.diagnostics)
    ? (value as PageResult & typeof value)
    : undefined;
}

const unreadable = (file: string, path: string, message: string): CompiledPage => ({
  file,
  page: { path, tools: [], diagnostics: [{ code: 'unreadable-page', severity: 'error', message }] },
  isUnreadable: true,
});

const statusWarning = (where: string, path: string, status: number): string =>
  `Skipped ${where}: the site responded to "${path}" with the status ${status}. Fetch the page in the session that the gateway will have.`;

/** Opens the cache for these options and this version of the compiler. */
export function openPageCache(
  folder: string,
  cwd: string,
  { profile, sensitive }: CompilePagesOptions['options'],
): PageCache {
  if (folder === '') throw new UsageError('--cache is empty. Name a folder.');
  return openCache(resolve(cwd, folder), [version, codeHash(), profile, sensitive].join(' '));
}

/**
 * A cache of page results by content: one file per result, in a folder that processes can share.
 *
 * Files are written in place. A checksum detects incomplete files, and concurrent writers of a file write the same
 * text.
 */
interface PageCache {
  /** The key of a page; undefined if it would not be unique. */
  readonly keyOf: (content: PageContent) => string | undefined;
  readonly get: (key: string) => string | undefined;
  readonly set: (key: string, text: string) => void;
  /** Deletes old entries. Returns the reason if the cache could not be written. */
  readonly close: () => Promise<string | undefined>;
}

/** @param salt - identifies everything else that the results depend on */
export function openCache(folder: string, salt: string): PageCache {
  let writeError: string | undefined;
  return {
    keyOf: (content) =>
      isWellFormed(content)
        ? createHash('sha256').update(`${salt}\0`).update(withoutMark(content)).digest('hex')
        : undefined,
    get: (key) => readEntry(fileOf(folder, key), key),
    set: (key, text) => {
      if (writeError !== undefined) return;
      try {
        writeEntry(fileOf(folder, key), key, text);
      } catch (error) {
        writeError = reasonOf(error);
      }
    },
    close: async () => {
      if (writeError === undefined) await deleteOldEntries(folder).catch(() => undefined);
      return writeError;
    },
  };
}

/**
 * Whether the content has a unique key. All lone surrogates, which JSON strings may contain, have the same UTF-8 encoding. The
 * bytes of a file with the escape character may be ISO-2022-JP, and equal the UTF-8 encoding of a string with other text.
 */
const isWellFormed = (content: PageContent): boolean =>
  typeof content === 'string' ? !/\p{Surrogate}/u.test(content) : !content.includes(0x1b);

/** Removes the byte order mark of bytes, as decoding does. Strings are compiled unchanged. */
function withoutMark(content: PageContent): PageContent {
  if (typeof content === 'string') return content;
  const hasMark = content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf;
  return hasMark ? content.subarray(3) : content;
}

const fileOf = (folder: string, key: string): string => join(folder, key.slice(0, 2), key.slice(2));

const checksum = (key: string, text: string): string => createHash('sha256').update(`${key}\n${text}`).digest('hex');

/** The maximum size of an entry: a result in UTF-8 with its checksum. */
const maxEntryBytes = 4 * maxResultLength;

function readEntry(file: string, key: string): string | undefined {
  try {
    const found = statSync(file);
    if (!found.isFile() || found.size > maxEntryBytes) return undefined;
    const [, sum, text = ''] = /^([\da-f]{64})\n(.*)$/s.exec(readFileSync(file, 'utf8')) ?? [];
    if (sum !== checksum(key, text)) return undefined;
    markUsed(file, found.mtimeMs);
    return text;
  } catch {
    return undefined;
  }
}

function writeEntry(file: string, key: string, text: string): void {
  const entry = `${checksum(key, text)}\n${text}`;
  try {
    writeFileSync(file, entry);
  } catch {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entry);
  }
}

const dayMs = 24 * 60 * 60 * 1000;
const isOlder = (timeMs: number, days: number): boolean => Date.now() - timeMs > days * dayMs;

/** Stores the day of the last use as the modification time. */
function markUsed(file: string, mtimeMs: number): void {
  try {
    if (isOlder(mtimeMs, 1)) utimesSync(file, new Date(), new Date());
  } catch {
    // The cache may be read-only.
  }
}

/** Deletes the entries that were not used for a month, at most once a day. */
async function deleteOldEntries(folder: string): Promise<void> {
  const mark = join(folder, 'swept');
  const last = await stat(mark).catch(() => ({ mtimeMs: 0 }));
  if (!isOlder(last.mtimeMs, 1)) return;
  writeFileSync(mark, '');
  for (const part of await readdir(folder)) {
    if (!/^[\da-f]{2}$/.test(part)) continue;
    for (const name of await readdir(join(folder, part))) {
      const file = join(folder, part, name);
      if (/^[\da-f]{62}$/.test(name) && isOlder((await stat(file)).mtimeMs, 30)) await rm(file, { force: true });
    }
  }
}
