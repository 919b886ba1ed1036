import { isUtf8 } from 'node:buffer';
import { getHeapStatistics } from 'node:v8';
import { maxPageBytes, maxResultLength } from '../limits.js';
import { countOf } from '../printable.js';
import { reasonOf } from '../usage-error.js';
import type { PageContent } from './may-contain-tools.js';
import { decodeUtf8 } from './read-text.js';

export interface PageTask {
  /** A buffer is transferred, and detached in the main thread. */
  readonly content: PageContent;
}

/** A task for a thread, which stores the time of its start in `started`, because tasks wait for threads. */
export interface TimedTask<Task> {
  readonly task: Task;
  readonly started: Float64Array<SharedArrayBuffer>;
}

/** Milliseconds of a clock that all threads share. */
export const sharedNow = (): number => performance.timeOrigin + performance.now();

/** Starts the time of a task. */
export function startTask<Task>({ task, started }: TimedTask<Task>): Task {
  started[0] = sharedNow();
  return task;
}

/**
 * The result of a page, or the reason why it has none, as sentences that end with the way out. Failures are values, because
 * one page must not end the work on others.
 */
export type PageOutcome<Result> = { readonly result: Result } | { readonly problem: string };

/** @param verb - the work on a page, such as `compile` */
export function runPageTask<Result>(
  { content }: PageTask,
  verb: string,
  work: (html: string) => Result,
): PageOutcome<Result> {
  if (typeof content === 'string') return processPage(content, verb, work);
  if (!isUtf8(content)) return { problem: 'The page is not valid UTF-8. Save it as UTF-8.' };
  return processPage(decodeUtf8(content, 'the page'), verb, work);
}

/** Processes a page that is neither too large nor, at the end, has a result that is too large. */
function processPage<Result>(html: string, verb: string, work: (html: string) => Result): PageOutcome<Result> {
  const problem = sizeProblem(html.length) ?? memoryProblem(html);
  if (problem !== undefined) return { problem };
  try {
    const result = work(html);
    if (typeof result === 'string' && result.length > maxResultLength) return { problem: resultProblem(verb) };
    return { result };
  } catch (cause) {
    return { problem: bugProblem(verb, cause) };
  }
}

export const sizeProblem = (size: number): string | undefined =>
  size > maxPageBytes ? `The page has more than ${maxPageBytes / 1e6} MB. Split it.` : undefined;

const resultProblem = (verb: string): string =>
  `The page has tools of more than ${maxResultLength / 1e6} MB, which is the limit to ${verb} one. Split it.`;

export const timeoutProblem = (verb: string, timeoutMs: number): string =>
  `The page takes more than ${countOf(timeoutMs / 1000, 'second')} to ${verb}. Split it, or increase --page-timeout.`;

export const heapProblem = (): string =>
  'The page needs more memory than a thread has. Split it, or set NODE_OPTIONS=--max-old-space-size=8000.';

export const bugProblem = (verb: string, cause: unknown): string =>
  `Cannot ${verb} the page: ${reasonOf(cause)}. This is a bug in webmcp-forms. Please report it with the page.`;

/** The memory of a tag and its text in a parsed page: the average of dense markup, rounded up. */
const bytesPerTag = 1000;

/** Rejects pages that do not fit into memory: Node.js cannot catch running out of memory. */
function memoryProblem(html: string): string | undefined {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  const isTooLarge = (tags: number): boolean => tags * bytesPerTag >= limit - used;
  if (!isTooLarge(html.length)) return undefined;
  const tags = countTags(html);
  if (!isTooLarge(tags)) return undefined;
  const gigabytes = Math.ceil((tags * bytesPerTag + used) / 1e9);
  return `The page has ${tags} tags, which need about ${gigabytes} GB of memory. Split it, or set NODE_OPTIONS=--max-old-space-size=${gigabytes * 1000}.`;
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) count++;
  return count;
}
