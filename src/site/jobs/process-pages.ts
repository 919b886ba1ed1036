import { availableParallelism } from 'node:os';
import type { PageContent } from '../pages/may-contain-tools.js';
import type { PageOutcome, PageTask } from '../pages/process-page.js';
import { UsageError } from '../usage-error.js';
import { mapInOrder } from './map-in-order.js';
import { createPool } from './pool.js';
import { workerPath, type WorkerModule } from './worker-path.js';

export interface PageProcessor<Task, Result> {
  readonly worker: WorkerModule;
  readonly name: string;
  readonly verb: string;
  /** Processes a page in this thread. Imports the parser only when a page needs it. */
  readonly processHere: (task: Task) => Promise<PageOutcome<Result>>;
}

/** The number of queued pages per thread, so that threads are never idle. */
const pagesPerJob = 4;

/**
 * Processes pages in `jobs` threads, or in this one if `jobs` is 1, and yields the results in the order of the pages.
 */
export async function* processPages<
  Page extends { readonly content: PageContent },
  Task extends PageTask,
  TaskResult,
  Result,
>(
  pages: AsyncIterable<Page>,
  jobs: number,
  { worker, name, verb, processHere }: PageProcessor<Task, TaskResult>,
  work: (page: Page, run: (task: Task) => Promise<TaskResult>) => Promise<Result>,
): AsyncGenerator<Result> {
  if (jobs === 1) {
    for await (const page of pages) yield await work(page, async (task) => resultOf(await processHere(task)));
    return;
  }
  const pool = createPool<Task, PageOutcome<TaskResult>>({ jobs, filename: workerPath(worker), name, verb });
  const run = async (task: Task): Promise<TaskResult> => resultOf(await pool.run(task));
  try {
    yield* mapInOrder(
      pages,
      jobs * pagesPerJob,
      (page) => work(page, run),
      ({ content }) => content.length,
    );
  } finally {
    await pool.end();
  }
}

function resultOf<Result>(outcome: PageOutcome<Result>): Result {
  if ('error' in outcome) throw new UsageError(outcome.error);
  return outcome.result;
}

/** With fewer pages per thread, starting a thread takes longer than it saves. */
const minPagesPerJob = 100;

/** The default number of threads: 1 for a stream, whose number of pages is unknown. */
export const defaultJobs = (pages = 0): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(pages / minPagesPerJob)));
