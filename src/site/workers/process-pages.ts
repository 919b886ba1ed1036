import { availableParallelism } from 'node:os';
import { defaultPageTimeoutMs, maxPageBytes } from '../limits.js';
import type { PageContent } from '../pages/undecoded-page.js';
import { timeoutProblem, type PageOutcome, type PageTask } from '../pages/process-page.js';
import { DeadlineError, runWithDeadline } from './deadline.js';
import { mapInOrder } from './map-in-order.js';
import { createPool, type Pool, type PoolOptions } from './pool.js';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PageProcessor<Task, Result> {
  readonly worker: WorkerModule;
  readonly name: string;
  readonly verb: string;
  /** Loads the function for a page in this thread. It imports a parser only when a page needs it. */
  readonly load: (task: Task) => Promise<(task: Task) => PageOutcome<Result>>;
}

export interface ProcessOptions {
  /** The number of threads. With 1, small pages are processed in this thread. */
  readonly jobs: number;
  /** The time limit for a page. A thread that takes longer is replaced. */
  readonly timeoutMs: number;
}

/** The number of queued pages per thread, so that threads are never idle. */
const pagesPerJob = 4;

/**
 * Processes pages in threads, and yields the results in the order of the pages. A page that takes too much time or memory has
 * a problem instead of a result, and does not affect other pages.
 */
export async function* processPages<
  Page extends { readonly content: PageContent },
  Task extends PageTask,
  TaskResult,
  Result,
>(
  pages: AsyncIterable<Page>,
  options: ProcessOptions,
  processor: PageProcessor<Task, TaskResult>,
  work: (page: Page, run: (task: Task) => Promise<PageOutcome<TaskResult>>) => Promise<Result>,
): AsyncGenerator<Result> {
  const { jobs } = options;
  const pool = createRunner(processor, options);
  try {
    yield* mapInOrder(
      pages,
      jobs === 1 ? 1 : jobs * pagesPerJob,
      (page) => work(page, pool.run),
      ({ content }) => content.length,
    );
  } finally {
    await pool.end();
  }
}

/** Creates a pool. With one job, it processes small pages in this thread. */
export function createRunner<Task extends PageTask, Result>(
  { worker, name, verb, load }: PageProcessor<Task, Result>,
  options: ProcessOptions,
): Pool<Task, Result> {
  const poolOptions: PoolOptions = { filename: workerPath(worker), name, verb, ...options };
  const pool = createPool<Task, Result>(poolOptions);
  if (options.jobs > 1) return pool;
  return {
    run: async (task) => (isReadHere(task) ? runHere(await load(task), task, poolOptions) : await pool.run(task)),
    end: pool.end,
  };
}

/** The maximum length of a page for this thread. A larger page could exhaust the memory, which must end only a worker. */
const maxLengthHere = 100_000;

/** Whether a page is processed in this thread if there is only one job. Pages beyond the size limit are rejected here. */
export const isReadHere = ({ content }: PageTask): boolean =>
  content.length <= maxLengthHere || content.length > maxPageBytes;

function runHere<Task, Result>(
  process: (task: Task) => PageOutcome<Result>,
  task: Task,
  { verb, timeoutMs }: PoolOptions,
): PageOutcome<Result> {
  try {
    return runWithDeadline(() => process(task), timeoutMs);
  } catch (cause) {
    if (cause instanceof DeadlineError) return { problem: timeoutProblem(verb, timeoutMs) };
    throw cause;
  }
}

/** The minimum number of pages per thread. With fewer pages, starting a thread takes longer than it saves. */
const minPagesPerJob = 100;

/** The default number of threads. It is 1 for a stream, whose number of pages is unknown. */
const defaultJobs = (pages: number): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(pages / minPagesPerJob)));

/** The flags of commands that process pages. */
export interface ProcessFlags {
  readonly jobs?: number;
  /** In seconds. */
  readonly pageTimeout?: number;
}

export const processOptions = ({ jobs, pageTimeout }: ProcessFlags, pages = 0): ProcessOptions => ({
  jobs: jobs ?? defaultJobs(pages),
  timeoutMs: pageTimeout === undefined ? defaultPageTimeoutMs : pageTimeout * 1000,
});

/** The folder of this package's modules: `src`, or `dist`, where the workers have the same paths. */
const root = fileURLToPath(import.meta.url.replace(/(\/(?:src|dist)\/)(?!.*\/(?:src|dist)\/).*$/, '$1'));
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

type WorkerModule = 'site/workers/worker' | 'lint/worker' | 'annotate/worker';

/** Worker threads of Node.js 20 do not inherit a loader for TypeScript. */
const workerPath = (worker: WorkerModule): string =>
  join(root, extension === '.ts' ? 'site/workers/worker-from-sources.mjs' : `${worker}.js`);

/** The folders of the compiler, in `src` or in `dist`. The key of the cache depends on their code. */
const hashed = /^(?:compiler|parse5|site|cli|node-chunks)[\\/]/;

export function codeHash(): string {
  const hash = createHash('sha256');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith(extension) && hashed.test(file),
  );
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
