import { compileHtml } from '../site/compile-html.js';
import { decodeUtf8 } from '../site/pages/read-text.js';
import type { PageContent } from '../site/pages/may-hold-tools.js';
import { UsageError } from '../site/usage-error.js';
import { applyFixes, type FixedFinding } from './fixes/apply-fixes.js';
import type { LintedPage } from './lint.js';
import { lintSource } from './lint-source.js';
import type { LintOptions } from './read-page.js';

/** A page to lint, as it goes to another thread. */
export interface LintTask {
  readonly content: PageContent;
  /** What errors call it. */
  readonly where: string;
  readonly options: LintOptions;
  readonly isFixing: boolean;
  /** Whether somebody shows the lines that findings are in. */
  readonly showsLines: boolean;
}

/** A page that was linted. */
export interface LintedText {
  readonly page: LintedPage;
  readonly fixed: readonly FixedFinding[];
  /** The page's text as it was and with its fixes, if it has any. */
  readonly change?: { readonly before: string; readonly after: string };
  readonly lines?: ReadonlyMap<number, string>;
}

/** A page that was linted, or why it was not. */
export type LintOutcome = LintedText | { readonly error: string };

/** Lints a page, in whatever thread; nothing is written. */
export function lintTask(task: LintTask): LintOutcome {
  try {
    const { content, where } = task;
    return lintText(typeof content === 'string' ? content : decodeUtf8(content, where), task);
  } catch (error) {
    if (error instanceof UsageError) return { error: error.message };
    throw error;
  }
}

const mostPasses = 5;

/** Lints a page; where fixes are asked for, until nothing is left to fix. */
function lintText(html: string, { where, options, isFixing, showsLines }: LintTask): LintedText {
  let text = html;
  let page = lintSource(text, where, options);
  const all: FixedFinding[] = [];
  for (let pass = 0; isFixing && pass < mostPasses; pass++) {
    const { text: next, fixed } = applyFixes(text, page.findings, (html) => compileHtml(html, options).tools);
    if (fixed.length === 0) break;
    all.push(...fixed);
    text = next;
    page = lintSource(text, where, options);
  }
  return {
    page,
    fixed: all,
    ...(text !== html && { change: { before: html, after: text } }),
    ...(showsLines && { lines: linesOf(text, page) }),
  };
}

const longestLine = 10_000;

/** The lines that findings are in. */
function linesOf(text: string, { findings, tools, disables }: LintedPage): ReadonlyMap<number, string> {
  const places = [
    ...findings.map(({ location }) => location),
    ...tools.map(({ source }) => source),
    ...disables.map(({ location }) => location),
  ];
  const wanted = new Set(places.map((place) => place?.line));
  if (wanted.size === 0) return new Map();
  const lines = new Map<number, string>();
  let number = 1;
  for (const [line] of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    if (wanted.has(number) && line.length <= longestLine) lines.set(number, line.trimEnd());
    number++;
  }
  return lines;
}
