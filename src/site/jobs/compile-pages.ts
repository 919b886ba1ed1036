import { resolve } from 'node:path';
import type { CompileOptions } from '../compile-html.js';
import { version } from '../generator.js';
import type { ManifestPage } from '../manifest/manifest.js';
import { encodingWarnings, mayContainTools, type PageContent } from '../pages/may-contain-tools.js';
import { UsageError } from '../usage-error.js';
import { hasPasswordInput } from '../tools/password-input.js';
import { openCache, type PageCache } from './cache.js';
import { processPages, type PageProcessor } from './process-pages.js';
import { codeHash } from './worker-path.js';
import type { CompileTask } from './worker.js';

export interface UncompiledPage {
  readonly path: string;
  /** The page's name in diagnostics. */
  readonly file: string;
  readonly where: string;
  /** The HTTP status of a fetched page. */
  readonly status?: number | undefined;
  readonly content: PageContent;
}

export interface CompiledPage {
  /** The page's name in diagnostics. */
  readonly file: string;
  readonly page: ManifestPage;
  readonly warnings?: readonly string[];
  /** Whether a fetched page has no tools, but a password input. */
  readonly isLogin?: boolean;
}

export interface CompilePagesOptions {
  /** The number of threads; 1 means this one. */
  readonly jobs: number;
  readonly cache: PageCache | undefined;
  readonly options: Omit<CompileOptions, 'path'>;
}

export const compilePages = (
  pages: AsyncIterable<UncompiledPage>,
  options: CompilePagesOptions,
): AsyncGenerator<CompiledPage> =>
  processPages(pages, options.jobs, compiler, (page, run) => compileOne(page, options, run));

const compiler: PageProcessor<CompileTask, string> = {
  worker: 'site/jobs/worker',
  name: 'compilePage',
  verb: 'compile',
  processHere: async (task) => (await import('./worker.js')).compilePage(task),
};

async function compileOne(
  { path, file, where, status = 200, content }: UncompiledPage,
  { cache, options }: CompilePagesOptions,
  run: (task: CompileTask) => Promise<string>,
): Promise<CompiledPage> {
  const empty = { path, tools: [], diagnostics: [] };
  if (status < 200 || status > 299) return { file, page: empty, warnings: [statusWarning(where, path, status)] };
  const isLogin = typeof content === 'string' && hasPasswordInput(content);
  if (!mayContainTools(content)) return { file, page: empty, warnings: encodingWarnings(content, where), isLogin };
  const key = cache?.keyOf(content);
  let json = key === undefined ? undefined : cache?.get(key);
  if (json === undefined) {
    json = await run({ content, where, options });
    if (key !== undefined) cache?.set(key, json);
  }
  const page = { path, ...(JSON.parse(json) as Omit<ManifestPage, 'path'>) };
  return { file, page, isLogin: isLogin && page.tools.length === 0 };
}

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
