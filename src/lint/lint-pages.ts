import { isUtf8 } from 'node:buffer';
import { processPages, type PageProcessor } from '../site/jobs/process-pages.js';
import { readInputs, type PageInput, type ReadInput } from '../site/pages/find-pages.js';
import { encodingWarnings, mayContainTools } from '../site/pages/may-contain-tools.js';
import type { LintTask, LintTaskResult } from './lint-task.js';
import { mayContainFindings, type LintOptions } from './read-page.js';

export interface LintedInput extends LintTaskResult {
  readonly input: PageInput;
  /** The reasons why the page was skipped. */
  readonly warnings?: readonly string[];
}

export interface LintPagesOptions extends Pick<LintTask, 'isFixing' | 'showsLines'> {
  readonly jobs: number;
  readonly optionsOf: (input: PageInput) => LintOptions;
}

export const lintPages = (inputs: readonly PageInput[], options: LintPagesOptions): AsyncGenerator<LintedInput> =>
  processPages(readInputs(inputs), options.jobs, processor, (page, run) => lintInput(page, options, run));

const processor: PageProcessor<LintTask, LintTaskResult> = {
  worker: 'lint/worker',
  name: 'lintTask',
  verb: 'lint',
  processHere: async (task) => (await import('./lint-task.js')).lintTask(task),
};

async function lintInput(
  { input, content }: ReadInput,
  { optionsOf, isFixing, showsLines }: LintPagesOptions,
  run: (task: LintTask) => Promise<LintTaskResult>,
): Promise<LintedInput> {
  const options = optionsOf(input);
  const { path, rules = {} } = options;
  const empty = { input, page: { path, findings: [], disables: [], tools: [], rules }, fixed: [] };
  // UTF-8 does not need to be decoded for this test.
  if (typeof content !== 'string' && isUtf8(content) && !mayContainFindings(asLatin1(content), rules)) return empty;
  const warnings = mayContainTools(content) ? [] : encodingWarnings(content, input.file);
  if (warnings.length > 0) return { ...empty, warnings };
  const result = await run({ content, where: input.file, options, isFixing, showsLines });
  return { ...result, input, page: { ...result.page, rules } };
}

const asLatin1 = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1');
