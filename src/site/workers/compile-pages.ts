import { resolve } from 'node:path';
import { ignoreAttribute } from '../../compiler/ignored.js';
import { isRecord, parseJson } from '../../json.js';
import type { CompileOptions } from '../compile-html.js';
import { version } from '../generator.js';
import type { ManifestPage } from '../manifest/manifest.js';
import { encodingWarnings } from '../pages/encoding-warnings.js';
import { mayContainTools, type PageContent } from '../pages/may-contain-tools.js';
import { UsageError } from '../usage-error.js';
import { hasPasswordInput } from '../tools/password-input.js';
import { openCache, type PageCache } from './cache.js';
import type { PageOutcome } from '../pages/process-page.js';
import { processPages, type PageProcessor, type ProcessOptions, codeHash } from './process-pages.js';
import type { CompileTask } from './worker.js';

export interface UncompiledPage {
  readonly path: string;
  /** The page's name in diagnostics. */
  readonly file: string;
  readonly where: string;
  /** The HTTP status of a fetched page. */
  readonly status?: number | undefined;
  readonly content: PageContent;
  /** The `Content-Language` of a fetched page. */
  readonly contentLanguage?: string | undefined;
  /** The encoding of a fetched page, unless it is UTF-8. */
  readonly encoding?: string | undefined;
  /** The reason why the page cannot be read, with the way out. */
  readonly problem?: string | undefined;
}

/** A line of a stream that is not a page. */
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
  const key = hasHeaders ? undefined : cache?.keyOf(content); // the key is that of the content alone
  const cached = key === undefined ? undefined : parseResult(cache?.get(key));
  const outcome = cached ? { result: '' } : await run({ content, options: { ...options, ...headers } });
  if ('problem' in outcome) return unreadable(file, path, outcome.problem);
  if (key !== undefined && !cached) cache?.set(key, outcome.result);
  const page = { path, ...(cached ?? (JSON.parse(outcome.result) as PageResult)) };
  return { file, page, warnings, isLogin: page.tools.length === 0 && (await isLogin()) };
}

/** Parses only pages that exclude content from tools, as a task. A page that takes too long may be a login. */
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

/** The result in an entry of the cache; undefined if it is not one, although its checksum is correct. */
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
