import { getHeapStatistics } from 'node:v8';
import { bugError, reasonOf, UsageError } from '../usage-error.js';
import type { PageContent } from './may-contain-tools.js';
import { decodeUtf8 } from './read-text.js';

export interface PageTask {
  /** A buffer is transferred, and detached in the main thread. */
  readonly content: PageContent;
  /** The name for error messages. */
  readonly where: string;
}

/** Errors lose their class between threads, so usage errors are returned instead of thrown. */
export type PageOutcome<Result> = { readonly result: Result } | { readonly error: string };

export function runPageTask<Result>(
  { content, where }: PageTask,
  verb: string,
  work: (html: string) => Result,
): PageOutcome<Result> {
  try {
    const html = typeof content === 'string' ? content : decodeUtf8(content, where);
    return { result: processPage(html, where, verb, work) };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

/**
 * Processes a page. Errors contain its name.
 *
 * @throws {UsageError} if the page is too large, or the work fails
 */
export function processPage<Result>(html: string, where: string, verb: string, work: (html: string) => Result): Result {
  checkSize(html, `${verb} ${where}`);
  try {
    return work(html);
  } catch (cause) {
    throw bugError(`${verb} ${where}`, cause);
  }
}

/** The memory of a tag and its text in a parsed page: the average of dense markup, rounded up. */
const bytesPerTag = 1000;

/** Rejects pages that do not fit into memory: Node.js cannot catch running out of memory. */
function checkSize(html: string, what: string): void {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  const isTooLarge = (tags: number): boolean => tags * bytesPerTag >= limit - used;
  if (!isTooLarge(html.length)) return;
  const tags = countTags(html);
  if (!isTooLarge(tags)) return;
  const gigabytes = Math.ceil((tags * bytesPerTag + used) / 1e9);
  const advice = `Split the page, or set NODE_OPTIONS=--max-old-space-size=${gigabytes * 1000}.`;
  throw new UsageError(`Cannot ${what}: its ${tags} tags need about ${gigabytes} GB of memory. ${advice}`);
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) count++;
  return count;
}
