import { availableParallelism } from 'node:os';
import { workerPath, type WorkerModule } from './worker-path.js';
import { inOrder } from './in-order.js';
import type { PageContent } from '../pages/may-hold-tools.js';
import { createPool, type Pool, type PoolTask } from './pool.js';

/** What is done with pages. */
export interface PageWork<Task, Outcome> {
  /** The module that a thread loads for it, and the function of that module. */
  readonly worker: WorkerModule;
  readonly name: string;
  /** What it is called in errors. */
  readonly verb: string;
  /** The same in this thread, which loads the parser with the first page that needs it. */
  readonly here: (task: Task) => Promise<Outcome>;
}

/** Few pages in flight for each thread: enough that it never waits. */
const pagesPerJob = 4;

/** Works on pages in so many threads, of which 1 is this one, and gives the results in the order of the pages. */
export async function* workInOrder<
  Page extends { readonly content: PageContent },
  Task extends PoolTask,
  Outcome,
  Result,
>(
  pages: AsyncIterable<Page>,
  jobs: number,
  { worker, name, verb, here }: PageWork<Task, Outcome>,
  work: (page: Page, run: Pool<Task, Outcome>['run']) => Promise<Result>,
): AsyncGenerator<Result> {
  if (jobs === 1) {
    for await (const page of pages) yield await work(page, here);
    return;
  }
  const pool = createPool<Task, Outcome>({ jobs, filename: workerPath(worker), name, verb });
  try {
    yield* inOrder(pages, jobs * pagesPerJob, (page) => work(page, pool.run), sizeOf);
  } finally {
    await pool.end();
  }
}

const sizeOf = ({ content }: { readonly content: PageContent }): number => content.length;

/** Fewer pages than this for each thread, and starting it costs more than it saves. */
const worthAJob = 100;

/** How many threads work on so many pages unless the person says; one where their number is unknown, as in a filter. */
export const jobsFor = (pages = 0): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(pages / worthAJob)));
