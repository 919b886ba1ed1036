import { isUtf8 } from 'node:buffer';
import { readInputs, type PageInput, type ReadInput } from '../site/pages/find-pages.js';
import { encodingWarnings } from '../site/pages/encoding-warnings.js';
import { asciiText, mayContainTools } from '../site/pages/undecoded-page.js';
import type { PageOutcome } from '../site/pages/process-page.js';
import { processPages, type PageProcessor, type ProcessOptions } from '../site/workers/process-pages.js';
import { findingsOf } from './finding.js';
import type { LintTask, LintTaskResult } from './lint-task.js';
import { mayContainForms, type LintOptions } from './read-page.js';

export interface LintedInput extends LintTaskResult {
  readonly input: PageInput;
  /** The warnings about the encoding of the page. */
  readonly warnings?: readonly string[];
}

interface LintPagesOptions extends ProcessOptions, Pick<LintTask, 'isFixing' | 'showsLines'> {
  readonly optionsOf: (input: PageInput) => LintOptions;
}

export const lintPages = (inputs: readonly PageInput[], options: LintPagesOptions): AsyncGenerator<LintedInput> =>
  processPages(readInputs(inputs), options, linter, (page, run) => lintInput(page, options, run));

/** The processor of pages, for commands and for the Vite plugin. */
export const linter: PageProcessor<LintTask, LintTaskResult> = {
  worker: 'lint/worker',
  name: 'lintInThread',
  verb: 'lint',
  load: async () => (await import('./lint-task.js')).lintTask,
};

async function lintInput(
  { input, content, problem }: ReadInput,
  { optionsOf, isFixing, showsLines }: LintPagesOptions,
  run: (task: LintTask) => Promise<PageOutcome<LintTaskResult>>,
): Promise<LintedInput> {
  const options = optionsOf(input);
  const { path, rules = {} } = options;
  const empty = { input, page: { path, findings: [], disables: [], tools: [], rules }, fixed: [] };
  const unreadable = (message: string): LintedInput => ({
    ...empty,
    page: { ...empty.page, findings: findingsOf(rules, 'unreadable-page', [{ message }]) },
  });
  if (problem !== undefined) return unreadable(problem);
  // Most pages need not be decoded for this test.
  if (typeof content !== 'string' && isUtf8(content) && !mayContainForms(asciiText(content))) return empty;
  const warnings = mayContainTools(content) ? await encodingWarnings(content, input.file) : [];
  const outcome = await run({ content, options, isFixing, showsLines });
  if ('problem' in outcome) return unreadable(outcome.problem);
  return { ...outcome.result, input, page: { ...outcome.result.page, rules }, warnings };
}
