import { getHeapStatistics } from 'node:v8';
import { maxResultLength } from '../limits.js';
import { decodePage } from './charset.js';
import { encodingProblem } from './page-encoding.js';
import { bugProblem, sizeProblem, type PageOutcome, type PageTask } from './process-page.js';

/** @param work - receives the encoding of a file that is not UTF-8 */
export function runPageTask<Result>(
  { content }: PageTask,
  verb: string,
  work: (html: string, encoding?: string) => Result,
): PageOutcome<Result> {
  if (typeof content === 'string') return processPage(content, verb, work);
  const decoded = decodePage(content);
  const problem = encodingProblem(content, decoded);
  if (problem !== undefined) return { problem };
  const encoding = decoded.encoding === 'utf-8' ? undefined : decoded.encoding;
  return processPage(decoded.text, verb, (html) => work(html, encoding));
}

/** Processes a page, unless the page or its result is too large. */
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

const resultProblem = (verb: string): string =>
  `The page has tools of more than ${maxResultLength / 1e6} MB, which is the limit to ${verb} one. Split it.`;

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
