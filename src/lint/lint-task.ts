import { compileHtml } from '../site/compile-html.js';
import { startTask, type PageOutcome, type PageTask, type TimedTask } from '../site/pages/process-page.js';
import { runPageTask } from '../site/pages/run-page-task.js';
import { applyFixes, type FixedFinding } from './fixes.js';
import { lintPage, type LintedPage } from './lint.js';
import type { LintOptions } from './read-page.js';

export interface LintTask extends PageTask {
  readonly options: LintOptions;
  readonly isFixing: boolean;
  readonly showsLines: boolean;
}

export interface LintTaskResult {
  readonly page: LintedPage;
  readonly fixed: readonly FixedFinding[];
  /** The page's text before and after fixes, if any. */
  readonly change?: { readonly before: string; readonly after: string };
  readonly lines?: ReadonlyMap<number, string>;
}

export const lintInThread = (task: TimedTask<LintTask>): PageOutcome<LintTaskResult> => lintTask(startTask(task));

export const lintTask = (task: LintTask): PageOutcome<LintTaskResult> =>
  runPageTask(task, 'lint', (html) => lintAndFix(html, task));

const maxPasses = 5;

/** Lints a page and applies fixes repeatedly, because a fix can make another fix possible. */
function lintAndFix(html: string, { options, isFixing, showsLines }: LintTask): LintTaskResult {
  let text = html;
  let page = lintPage(text, options);
  const allFixed: FixedFinding[] = [];
  for (let pass = 0; isFixing && pass < maxPasses; pass++) {
    const result = applyFixes(text, page.findings, (changed) => compileHtml(changed, options).tools);
    if (result.fixed.length === 0) break;
    allFixed.push(...result.fixed);
    text = result.text;
    page = lintPage(text, options);
  }
  return {
    page,
    fixed: allFixed,
    ...(text !== html && { change: { before: html, after: text } }),
    ...(showsLines && { lines: sourceLines(text, page) }),
  };
}

const maxLineLength = 10_000;

/** The lines with a finding, and the lines where `lintSite` may report a finding. */
function sourceLines(text: string, { findings, tools, disables }: LintedPage): ReadonlyMap<number, string> {
  const places = [...[...findings, ...disables].map(({ location }) => location), ...tools.map(({ source }) => source)];
  const wanted = new Set(places.map((place) => place?.line));
  const lines = new Map<number, string>();
  if (wanted.size === 0) return lines;
  for (const [index, line] of text.split('\n').entries())
    if (wanted.has(index + 1) && line.length <= maxLineLength) lines.set(index + 1, line.trimEnd());
  return lines;
}
