import { isUtf8 } from 'node:buffer';
import type { PageInput } from '../site/pages/find-pages.js';
import { mayHoldTools, unreadableWarnings } from '../site/pages/may-hold-tools.js';
import { readInputs, type ReadInput } from '../site/pages/read-inputs.js';
import { workInOrder, type PageWork } from '../site/jobs/work-in-order.js';
import { UsageError } from '../site/usage-error.js';
import type { LintOutcome, LintTask, LintedText } from './lint-task.js';
import type { LintOptions } from './read-page.js';
import { isOn } from './rules/rules.js';

/** A page that was linted, with its names. */
export interface LintedInput extends LintedText {
  readonly input: PageInput;
  /** Why it was left out, if it was. */
  readonly warnings?: readonly string[];
}

export interface LintPagesOptions extends Pick<LintTask, 'isFixing' | 'showsLines'> {
  /** How many threads lint; 1 is this one. */
  readonly jobs: number;
  readonly optionsOf: (input: PageInput) => LintOptions;
}

/** Lints pages and gives them in their order, whatever the number of jobs. */
export const lintPages = (inputs: readonly PageInput[], options: LintPagesOptions): AsyncGenerator<LintedInput> =>
  workInOrder(readInputs(inputs), options.jobs, linting, (page, run) => lintOne(page, options, run));

const linting: PageWork<LintTask, LintOutcome> = {
  worker: 'lint/worker',
  name: 'lintTask',
  verb: 'lint',
  here: async (task) => (await import('./lint-task.js')).lintTask(task),
};

async function lintOne(
  { input, content }: ReadInput,
  { optionsOf, isFixing, showsLines }: LintPagesOptions,
  run: (task: LintTask) => Promise<LintOutcome>,
): Promise<LintedInput> {
  const options = optionsOf(input);
  const { path, rules = {} } = options;
  const empty = { input, page: { path, findings: [], disables: [], tools: [], rules }, fixed: [] };
  if (saysNothing(content, options)) return empty;
  const warnings = mayHoldTools(content) ? [] : unreadableWarnings(content, input.file);
  if (warnings.length > 0) return { ...empty, warnings };
  const outcome = await run({ content, where: input.file, options, isFixing, showsLines });
  if ('error' in outcome) throw new UsageError(outcome.error);
  return { ...outcome, input, page: { ...outcome.page, rules } };
}

/** Whether a page has nothing for any rule, so that it need not be decoded or go to another thread. */
function saysNothing(content: LintTask['content'], { rules = {} }: LintOptions): boolean {
  if (typeof content === 'string' || !isUtf8(content)) return false;
  const text = Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1');
  return !(isOn(rules, 'form-without-tool') ? anythingOrForm : anything).test(text);
}

// They find all that `readPage` looks for, and more.
const anything = /tool-?(?:name|description)|<webmcp-tool|webmcp-forms-/i;
const anythingOrForm = /tool-?(?:name|description)|<webmcp-tool|webmcp-forms-|<form/i;
