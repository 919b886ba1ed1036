import { toLintedPage, type LintedPage } from '../../lint/lint.js';
import { findingsOf, type Finding } from '../../lint/finding.js';
import type { Place } from '../../lint/page/place.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { LintedInput } from '../../lint/lint-pages.js';
import { readParsed, type LintOptions } from '../../lint/read-page.js';
import type { RuleLevels } from '../../lint/rules/rules.js';
import { readInputs, type PageInput, type ReadInput } from '../../site/pages/find-pages.js';
import { startTask, type PageOutcome, type PageTask, type TimedTask } from '../../site/pages/process-page.js';
import { runPageTask } from '../../site/pages/run-page-task.js';
import { processPages, type PageProcessor, type ProcessOptions } from '../../site/workers/process-pages.js';
import type { ToolReading } from '../../site/tools/compile-form.js';
import { parsePage, type ParsedPage } from '../annotate-page.js';
import type { UnsafeForm } from '../form-annotation.js';
import { namelessProblem, completedByTemplates, ofOthers } from '../templates/template-rules.js';
import { startOf } from '../page-annotator.js';
import { loadKind, type FileKind } from '../templates/file-kinds.js';
import { findForms } from '../templates/form-tags.js';
import { mask, type MaskedText } from '../templates/masked-text.js';
import { mayContainForms } from './annotate-task.js';

interface LintComponentTask extends PageTask {
  /** The file whose name determines the kind of component. */
  readonly file: string;
  readonly options: LintOptions;
}

/** The processor of files with components, for `lint` and for the Vite plugin. */
export const componentLinter: PageProcessor<LintComponentTask, LintedPage> = {
  worker: 'annotate/worker',
  name: 'lintComponentInThread',
  verb: 'lint',
  load: async ({ file }) => loadLint(file),
};

async function loadLint(file: string): Promise<(task: LintComponentTask) => PageOutcome<LintedPage>> {
  const kind = await loadKind(file);
  return ({ content, options }) => runPageTask({ content }, 'lint', (source) => lintComponent(source, kind, options));
}

export async function lintComponentInThread(timed: TimedTask<LintComponentTask>): Promise<PageOutcome<LintedPage>> {
  const task = startTask(timed);
  return (await loadLint(task.file))(task);
}

interface LintComponentsOptions extends ProcessOptions {
  readonly optionsOf: (input: PageInput) => LintOptions;
}

/** Lints files with components, as `lintPages` lints pages. */
export const lintComponents = (
  inputs: readonly PageInput[],
  options: LintComponentsOptions,
): AsyncGenerator<LintedInput> =>
  processPages(readInputs(inputs), options, componentLinter, (read, run) => lintInput(read, options, run));

async function lintInput(
  { input, content, problem }: ReadInput,
  { optionsOf }: LintComponentsOptions,
  run: (task: LintComponentTask) => Promise<PageOutcome<LintedPage>>,
): Promise<LintedInput> {
  const options = optionsOf(input);
  const { path, rules = {} } = options;
  const empty: LintedPage = { path, findings: [], disables: [], tools: [], rules };
  const unreadable = (message: string): LintedInput => ({
    input,
    fixed: [],
    page: { ...empty, findings: findingsOf(rules, 'unreadable-page', [{ message }]) },
  });
  if (problem !== undefined) return unreadable(problem);
  if (!mayContainForms(content)) return { input, fixed: [], page: empty };
  const outcome = await run({ content, file: input.file, options });
  return 'problem' in outcome ? unreadable(outcome.problem) : { input, fixed: [], page: outcome.result };
}

/** Lints the forms of a component whose annotations are literal, and reports forms whose annotations are computed. */
function lintComponent(source: string, kind: FileKind, options: LintOptions): LintedPage {
  const { path, rules = {} } = options;
  const parsed = parsePage(source, { ...kind, mask: (text) => withLineBreaks(kind.mask(text)) }, true);
  if ('reason' in parsed)
    return {
      path,
      findings: findingsOf(rules, 'unreadable-form', [toProblem(parsed)]),
      disables: [],
      tools: [],
      rules,
    };
  const { page } = parsed;
  const reading = readParsed(
    page.masked.text,
    page,
    { ...options, rules: { ...rules, ...notChecked } },
    {
      isKnown: isWritten,
      findIn: (tools) => findingsIn(tools, parsed, rules).map((finding) => ({ finding, startTag: finding.location })),
    },
  );
  const findings = reading.findings.map(({ fix: _, ...finding }) => finding);
  return toLintedPage({ ...reading, findings }, options);
}

/** Restores the line breaks of the source in the masked text. */
const withLineBreaks = (masked: MaskedText): MaskedText => ({
  ...masked,
  text: masked.source.replace(/[^\r\n]+/g, (line, at: number) => masked.text.slice(at, at + line.length)),
});

const notChecked: RuleLevels = Object.fromEntries([...ofOthers, ...completedByTemplates].map((code) => [code, 'off']));

type Problem = Pick<Finding, 'message' | 'location' | 'tool'>;

function findingsIn(tools: readonly ToolReading[], parsed: ParsedPage, rules: RuleLevels): readonly Finding[] {
  const { page, lines } = parsed;
  const { unsafe } = findForms(page.masked, new Set());
  const unread = [
    ...unsafe.map(({ at, reason }) => ({ message: reason, location: lines.at(at) })),
    ...tools
      .filter((tool) => !isWritten(tool))
      .map(({ element }) => ({ message: computed, location: placeIn(parsed, element) })),
  ];
  const nameless = tools.filter(isWritten).flatMap((tool) => namelessOf(parsed, tool));
  return [...findingsOf(rules, 'unreadable-form', unread), ...findingsOf(rules, 'missing-parameter-name', nameless)];
}

const toProblem = ({ reason, ...location }: UnsafeForm): Problem => ({ message: reason, location });

/** Whether the name and the description of a tool are literal, not computed. */
const isWritten = ({ element }: ToolReading): boolean =>
  !element.attrs.some(
    ({ name, value }) => computedAnnotation.test(name) || (annotation.test(name) && value.includes(mask)),
  );

const annotation = /^(?:data-)?tool(?:name|description)$/;
const computedAnnotation = /^(?::|v-bind:)(?:data-)?tool(?:name|description)$/;

const computed =
  'The toolname or the tooldescription of the form is computed, so that the tool is unknown here. Lint the page that the component renders.';

const placeIn = ({ lines }: ParsedPage, element: Parse5Element): Place => lines.at(Math.max(startOf(element), 0));

function namelessOf(parsed: ParsedPage, { form, controls, element }: ToolReading): readonly Problem[] {
  const message = namelessProblem(form, controls, true);
  if (message === undefined) return [];
  return [{ message, location: placeIn(parsed, element), ...(form.tool.name && { tool: form.tool.name }) }];
}
