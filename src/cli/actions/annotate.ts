import { annotateFiles, hashOf, type AnnotatedFile } from '../../annotate/files/annotate-files.js';
import { planFile, tallyPlans, type FilePlan } from '../../annotate/report/choose-forms.js';
import type { Choice } from '../../annotate/site-tools.js';
import { applyInsertions } from '../../annotate/tags/insertion.js';
import { hasKind, knownExtensions } from '../../annotate/templates/file-kinds.js';
import type { PageInput } from '../../site/pages/find-pages.js';
import { countOf, oneLine } from '../../site/printable.js';
import { rewriteFile, writableFile } from '../../site/rewrite-file.js';
import { UsageError } from '../../site/usage-error.js';
import { processOptions, type ProcessFlags } from '../../site/workers/process-pages.js';
import type { CliContext } from '../program.js';
import {
  createPainter,
  createProgress,
  isTerminal,
  openOutput,
  warningLines,
  writeMessage,
  writtenTo,
} from '../output.js';
import { findInputs, type ServedFlags } from './find-inputs.js';

export interface AnnotateFlags extends ServedFlags, ProcessFlags {
  readonly write?: true;
  readonly interactive?: true;
  readonly data?: true;
  readonly includeSensitive?: true;
  readonly minConfidence: Choice['minConfidence'];
  readonly withFindings?: true;
  readonly format: 'text' | 'json';
  readonly out?: string;
}

interface AnnotateResult {
  readonly unsafe: number;
  readonly unreadable: number;
  /** The files whose diffs are not printed. */
  readonly hidden: number;
  readonly unwritten: number;
}

export async function annotate(
  paths: readonly string[],
  flags: AnnotateFlags,
  context: CliContext,
): Promise<AnnotateResult> {
  checkFlags(paths, flags, context);
  await writeMessage(context.stderr, warningLines(flagNotices(flags)));
  const { pages } = await findInputs(paths, flags, context, knownExtensions);
  const inputs = await knownInputs(pages, flags, context);
  const sink = openOutput(pages, flags.out, context);
  const plans = await planFiles(inputs, flags, context);
  const written = flags.write || flags.interactive ? await writeAll(plans, context) : new Set<FilePlan>();
  const { text, hidden } = await outputOf(plans, written, flags, context);
  await sink(text);
  await writeMessage(context.stderr, problemLines(plans) + warningLines(hidden));
  const tally = tallyPlans(plans);
  const unwritten = written.size === 0 && !isWriting(flags) ? 0 : changedPlans(plans).length - written.size;
  await writeMessage(context.stderr, `webmcp-forms: ${summaryOf(plans, written.size, flags)}${writtenTo(flags.out)}\n`);
  return { unsafe: tally.unsafe, unreadable: tally.unreadable, hidden: hidden.length, unwritten };
}

/** Suggests annotations, and asks for each form with `--interactive`. */
export async function planFiles(
  inputs: readonly PageInput[],
  flags: PlanFlags,
  context: CliContext,
): Promise<readonly FilePlan[]> {
  const files = await readFiles(inputs, flags, context);
  const suggested = files.map((file) => planFile(file, choiceOf(flags)));
  return flags.interactive ? await askAll(suggested, flags, context) : suggested;
}

interface PlanFlags extends Omit<AnnotateFlags, 'format'> {
  /** Whether the caller asks the user for confirmation before it writes. */
  readonly isConfirmedLater?: true;
}

const isWriting = ({ write, interactive }: AnnotateFlags): boolean => write === true || interactive === true;

function checkFlags(paths: readonly string[], flags: AnnotateFlags, { stdin, stdout }: CliContext): void {
  const flag = flags.write ? '--write' : '--interactive';
  if (isWriting(flags) && paths.includes('-'))
    throw new UsageError(`${flag} cannot be used with standard input. Name files or folders.`);
  if (flags.interactive && ![stdin, stdout].every(isTerminal))
    throw new UsageError('--interactive needs a terminal. Use --write, or --format json to choose by a program.');
  if (flags.interactive && flags.format === 'json')
    throw new UsageError('--interactive asks in the terminal, and --format json does not. Omit one of them.');
}

/** The notice about a missing `--with-findings`: most sensitive forms have findings, and are left out without it. */
const flagNotices = ({ includeSensitive, withFindings, interactive }: AnnotateFlags): readonly string[] =>
  includeSensitive && !withFindings && !interactive
    ? ['--include-sensitive leaves out the forms that lint would report. Add --with-findings to annotate them as well.']
    : [];

/** The files of known kinds. Reports the other files. */
async function knownInputs(
  pages: readonly PageInput[],
  flags: AnnotateFlags,
  { stderr }: CliContext,
): Promise<readonly PageInput[]> {
  const served = pages.find(({ url }) => url !== undefined);
  if (isWriting(flags) && served)
    throw new UsageError(
      `${served.file} is a URL, which cannot be written. Name the file or the template of the page.`,
    );
  const isKnown = ({ at, file }: PageInput): boolean => at === null || hasKind(file);
  const unknown = pages.filter((page) => !isKnown(page));
  const warnings = unknown.map(({ file }) => `Skipped ${file}: it is neither a page nor a known kind of template.`);
  await writeMessage(stderr, warningLines(warnings));
  if (unknown.length === pages.length)
    throw new UsageError(
      'No PATH is a page or a known kind of template. Run webmcp-forms annotate --help for the kinds.',
    );
  return pages.filter(isKnown);
}

/** The forms to annotate. With `--interactive`, forms with findings are included, because the question shows the findings. */
const choiceOf = ({ minConfidence, includeSensitive, withFindings, interactive }: PlanFlags): Choice => ({
  minConfidence,
  includeSensitive: includeSensitive === true,
  withFindings: withFindings === true || interactive === true,
});

async function readFiles(
  inputs: readonly PageInput[],
  flags: PlanFlags,
  context: CliContext,
): Promise<readonly AnnotatedFile[]> {
  const progress = createProgress(context, inputs.length);
  try {
    return await annotateFiles(inputs, {
      ...processOptions(flags, inputs.length),
      isPrefixed: flags.data === true,
      choice: choiceOf(flags),
      onFile: progress.show,
    });
  } finally {
    progress.clear();
  }
}

async function askAll(plans: readonly FilePlan[], flags: PlanFlags, context: CliContext): Promise<readonly FilePlan[]> {
  const { askForForms } = await import('./annotate-interactive.js');
  const { data, isConfirmedLater = false } = flags;
  return await askForForms(plans, { ...processOptions(flags), isPrefixed: data === true, isConfirmedLater }, context);
}

const changedPlans = (plans: readonly FilePlan[]): readonly FilePlan[] =>
  plans.filter(({ chosen }) => chosen.length > 0);

/** Writes each file once. Reports the files that cannot be written, and continues. */
async function writeAll(plans: readonly FilePlan[], { stderr }: CliContext): Promise<ReadonlySet<FilePlan>> {
  const written = new Set<FilePlan>();
  const paths = new Set<string>();
  for (const plan of changedPlans(plans)) {
    const { input, hash } = plan.file;
    try {
      const { path, notice } = await writableFile(input, '--write');
      const insertions = plan.chosen.flatMap((form) => form.insertions);
      if (!paths.has(path))
        await rewriteFile(
          path,
          input.file,
          (bytes) => hashOf(bytes) === hash,
          (text) => applyInsertions(text, insertions),
        );
      if (notice !== undefined) await writeMessage(stderr, warningLines([notice]));
      paths.add(path);
      written.add(plan);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      await writeMessage(stderr, warningLines([error.message]));
    }
  }
  return written;
}

/** The output, and the warnings about files whose diffs are omitted. */
async function outputOf(
  plans: readonly FilePlan[],
  written: ReadonlySet<FilePlan>,
  flags: AnnotateFlags,
  { stdout }: CliContext,
) {
  const { jsonOf, tableOf } = await import('../../annotate/report/formats.js');
  if (flags.format === 'json') return { text: [...jsonOf(plans, (plan) => written.has(plan))], hidden: [] };
  const paint = flags.out === undefined ? createPainter(stdout) : (_: string, text: string): string => text;
  const table = [...tableOf(plans, paint)];
  if (isWriting(flags)) return { text: table, hidden: [] };
  const { diffOf } = await import('../../annotate/report/diff.js');
  const target = flags.out !== undefined ? 'file' : isTerminal(stdout) ? 'terminal' : 'pipe';
  const diffs: string[] = [];
  const hidden: string[] = [];
  for (const plan of plans) {
    const diff = await diffOf(plan, target, paint);
    if ('reason' in diff) hidden.push(hiddenWarning(plan, diff.reason));
    else diffs.push(diff.text);
  }
  return { text: [...table, table.length > 0 ? '\n' : '', ...diffs], hidden };
}

const hiddenWarning = ({ file: { input } }: FilePlan, reason: string): string =>
  `The diff of ${input.file} is not printed, because ${reason}`;

/** The forms and files that are not annotated, with the reasons. */
export const problemLines = (plans: readonly FilePlan[]): string =>
  plans
    .flatMap(({ file: { input, problem }, unsafe }) => [
      ...(problem === undefined ? [] : [`${input.file} ${problem}`]),
      ...unsafe.map(({ line, column, reason }) => `${input.file}:${line}:${column} not annotated: ${reason}`),
    ])
    .map((line) => `${oneLine(line)}\n`)
    .join('');

function summaryOf(plans: readonly FilePlan[], written: number, flags: AnnotateFlags): string {
  const { files, forms, low, sensitive, unsafe, unreadable } = tallyPlans(plans);
  const changed = countOf(changedPlans(plans).length, 'file');
  const found = isWriting(flags)
    ? `${countOf(forms, 'form')} annotated, ${written} of ${changed} written`
    : `${countOf(forms, 'form')} to annotate in ${changed}`;
  return [
    forms === 0 ? `${countOf(files, 'file')}, nothing to annotate` : found,
    ...(low > 0 ? [`${low} with low confidence`] : []),
    ...(sensitive > 0 ? [`${sensitive} left out as sensitive (--include-sensitive)`] : []),
    ...(unsafe > 0 ? [`${unsafe} not annotated`] : []),
    ...(unreadable > 0 ? [`${countOf(unreadable, 'file')} not read`] : []),
  ].join(', ');
}
