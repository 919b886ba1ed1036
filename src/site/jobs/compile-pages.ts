import { resolve } from 'node:path';
import type { CompileOptions } from '../compile-html.js';
import type { ManifestPage } from '../manifest/manifest.js';
import { version } from '../generator.js';
import { oneLine, tell } from '../report.js';
import type { Surroundings } from '../surroundings.js';
import { UsageError } from '../usage-error.js';
import { openCache, type PageCache } from './cache.js';
import { codeHash } from './worker-path.js';
import { mayHoldTools, unreadableWarnings, type PageContent } from '../pages/may-hold-tools.js';
import type { Pool } from './pool.js';
import { workInOrder, type PageWork } from './work-in-order.js';
import type { PageOutcome, PageTask } from './worker.js';

/** A page's content with its names. */
export interface UncompiledPage {
  /** The page's path in the manifest. */
  readonly path: string;
  /** What its diagnostics call it. */
  readonly file: string;
  /** Where it was read from, for errors. */
  readonly where: string;
  readonly content: PageContent;
}

/** A page with its tools, and what its diagnostics call it. */
export interface CompiledPage {
  readonly file: string;
  readonly page: ManifestPage;
  readonly warnings?: readonly string[];
}

export interface Scale {
  /** How many threads compile; 1 is this one. */
  readonly jobs: number;
  readonly cache: PageCache | undefined;
  readonly options: Omit<CompileOptions, 'path'>;
}

/** Compiles pages and gives them in their order, whatever the number of jobs. */
export const compileInOrder = (pages: AsyncIterable<UncompiledPage>, scale: Scale): AsyncGenerator<CompiledPage> =>
  workInOrder(pages, scale.jobs, compiling, (page, run) => compileOne(page, scale, run));

const compiling: PageWork<PageTask, PageOutcome> = {
  worker: 'site/jobs/worker',
  name: 'compilePage',
  verb: 'compile',
  here: async (task) => (await import('./worker.js')).compilePage(task),
};

async function compileOne(
  { path, file, where, content }: UncompiledPage,
  { cache, options }: Scale,
  run: Pool<PageTask, PageOutcome>['run'],
): Promise<CompiledPage> {
  const pageOf = (json: string): CompiledPage => ({ file, page: { path, ...(JSON.parse(json) as Said) } });
  if (!mayHoldTools(content))
    return { file, page: { path, tools: [], diagnostics: [] }, warnings: unreadableWarnings(content, where) };
  const key = cache?.keyOf(content);
  const known = key === undefined ? undefined : cache?.get(key);
  if (known !== undefined) return pageOf(known);
  const outcome = await run({ content, where, options });
  if ('error' in outcome) throw new UsageError(outcome.error);
  if (key !== undefined) cache?.put(key, outcome.json);
  return pageOf(outcome.json);
}

type Said = Omit<ManifestPage, 'path'>;

/** The cache in a folder for results of this code and these options. */
export function cacheIn(folder: string, cwd: string, { profile, sensitive }: Scale['options']): PageCache {
  if (folder === '') throw new UsageError('--cache is empty: name a folder');
  return openCache(resolve(cwd, folder), [version, codeHash(), profile, sensitive].join(' '));
}

/** Drops what the cache needs no more, or tells why it is none. */
export async function endCache(
  cache: PageCache | undefined,
  folder: string | undefined,
  stderr: Surroundings['stderr'],
): Promise<void> {
  const trouble = cache?.trouble();
  if (trouble === undefined) await cache?.sweep();
  else
    await tell(
      stderr,
      `webmcp-forms: cannot write the cache ${oneLine(folder ?? '')}: ${trouble}: went on without it\n`,
    );
}
