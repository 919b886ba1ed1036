import { getHeapStatistics } from 'node:v8';
import { reasonOf, UsageError } from '../site/usage-error.js';
import { lintPage, type LintedPage } from './lint.js';
import type { LintOptions } from './read-page.js';

/** Lints a page for a person who knows it by `file`. */
export function lintSource(html: string, file: string, options: LintOptions): LintedPage {
  checkSize(html, file);
  try {
    return lintPage(html, options);
  } catch (cause) {
    const advice = 'this is a fault of webmcp-forms: please report it with the page';
    throw new UsageError(`cannot lint ${file}: ${reasonOf(cause)}: ${advice}`, { cause });
  }
}

/** What a tag and its text take in a parsed page, in bytes. */
const bytesPerTag = 1000;

/** Node.js ends without a word to catch when memory does. */
function checkSize(html: string, file: string): void {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  if (
    html.length * bytesPerTag < limit - used ||
    !/tool-?(?:name|description)|webmcp-forms-|<form|<webmcp-tool/i.test(html)
  )
    return;
  const tags = countTags(html);
  if (tags * bytesPerTag < limit - used) return;
  const gigabytes = Math.ceil((tags * bytesPerTag + used) / 1e9);
  const advice = `split it, or set NODE_OPTIONS=--max-old-space-size=${gigabytes * 1000}`;
  throw new UsageError(`cannot lint ${file}: its ${tags} tags need about ${gigabytes} GB of memory: ${advice}`);
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) count++;
  return count;
}
