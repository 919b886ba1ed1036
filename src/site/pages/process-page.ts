import { maxPageBytes } from '../limits.js';
import { countOf } from '../printable.js';
import { reasonOf } from '../usage-error.js';
import type { PageContent } from './undecoded-page.js';

export interface PageTask {
  /** A buffer is transferred, and detached in the main thread. */
  readonly content: PageContent;
}

/** A task for a thread. The thread stores the start time of the task in `started`: waiting for a thread does not count. */
export interface TimedTask<Task> {
  readonly task: Task;
  readonly started: Float64Array<SharedArrayBuffer>;
}

/** The current time of a clock that all threads share, in milliseconds. */
export const sharedNow = (): number => performance.timeOrigin + performance.now();

export function startTask<Task>({ task, started }: TimedTask<Task>): Task {
  started[0] = sharedNow();
  return task;
}

/**
 * The result of a page, or the reason of a failure as sentences that end with the solution. Failures are values, because one
 * page must not end the work on other pages.
 */
export type PageOutcome<Result> = { readonly result: Result } | { readonly problem: string };

export const sizeProblem = (size: number): string | undefined =>
  size > maxPageBytes ? `The page has more than ${maxPageBytes / 1e6} MB. Split it.` : undefined;

export const timeoutProblem = (verb: string, timeoutMs: number): string =>
  `The page takes more than ${countOf(timeoutMs / 1000, 'second')} to ${verb}. Split it, or increase --page-timeout.`;

export const heapProblem = (): string =>
  'The page needs more memory than a thread has. Split it, or set NODE_OPTIONS=--max-old-space-size=8000.';

export const bugProblem = (verb: string, cause: unknown): string =>
  `Cannot ${verb} the page: ${reasonOf(cause)}. This is a bug in webmcp-forms. Please report it with the page.`;
