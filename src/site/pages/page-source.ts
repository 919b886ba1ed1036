import { getHeapStatistics } from 'node:v8';
import { compileHtml, type CompileOptions } from '../compile-html.js';
import type { ManifestPage } from '../manifest/manifest.js';
import { mayHoldTools } from './may-hold-tools.js';
import { reasonOf, UsageError } from '../usage-error.js';

/** A page's text with its names. */
export interface PageSource {
  /** The page's path in the manifest. */
  readonly path: string;
  readonly html: string;
  /** What its diagnostics call it. */
  readonly file: string;
  /** Where it was read from, for errors. */
  readonly where: string;
}

/** Compiles a page for a person who knows it by where it was read from. */
export function compileSource({ path, html, where }: PageSource, options: Omit<CompileOptions, 'path'>): ManifestPage {
  checkSize(html, where);
  try {
    return compileHtml(html, { ...options, path });
  } catch (cause) {
    const advice = 'this is a fault of webmcp-forms: please report it with the page';
    throw new UsageError(`cannot compile ${where}: ${reasonOf(cause)}: ${advice}`, { cause });
  }
}

/** What a tag and its text take in a parsed page, in bytes: a measured mean of dense markup, rounded up. */
const bytesPerTag = 1000;

/** Node.js ends without a word to catch when memory does, so a page that cannot fit is refused before it is parsed. */
function checkSize(html: string, where: string): void {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  if (html.length * bytesPerTag < limit - used || !mayHoldTools(html)) return;
  const tags = countTags(html);
  if (tags * bytesPerTag < limit - used) return;
  const gigabytes = Math.ceil((tags * bytesPerTag + used) / 1e9);
  const advice = `split it, or set NODE_OPTIONS=--max-old-space-size=${gigabytes * 1000}`;
  throw new UsageError(`cannot compile ${where}: its ${tags} tags need about ${gigabytes} GB of memory: ${advice}`);
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) count++;
  return count;
}
