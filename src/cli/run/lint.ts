import { relative, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import type { ProfileName, Sensitive } from '../../compiler/index.js';
import { findPages, type PageInput } from '../../site/pages/find-pages.js';
import { sinkBeside, type Sink } from '../../site/output.js';
import { oneLine, tell, warningLines } from '../../site/report.js';
import { progressOf } from '../../site/jobs/progress.js';
import { jobsFor } from '../../site/jobs/work-in-order.js';
import type { Surroundings } from '../../site/surroundings.js';
import { UsageError } from '../../site/usage-error.js';
import type { FixedFinding } from '../../lint/fixes/apply-fixes.js';
import {
  findConfig,
  isIgnored,
  levelsFor,
  levelsOfFlags,
  readConfig,
  type LintConfig,
} from '../../lint/config/config.js';
import type { Finding } from '../../lint/finding.js';
import { writeFixes } from '../../lint/fixes/fix-file.js';
import { githubFormat } from '../../lint/formats/github.js';
import { jsonFormat } from '../../lint/formats/json.js';
import { sarifFormat } from '../../lint/formats/sarif.js';
import { textFormat } from '../../lint/formats/text.js';
import { lintPages, type LintedInput } from '../../lint/lint-pages.js';
import { lintSite } from '../../lint/lint.js';
import type { LintOptions } from '../../lint/read-page.js';
import { lintSummary, tallyOf, type FileFindings, type Format, type LintTally } from '../../lint/formats/report.js';
import type { RuleLevels } from '../../lint/rules/rules.js';

const formats = { text: textFormat, json: () => jsonFormat, sarif: () => sarifFormat, github: () => githubFormat };

export type FormatName = keyof typeof formats;

/** The options of `webmcp-forms lint`. */
export interface LintFlags {
  readonly format: FormatName;
  readonly profile: ProfileName;
  readonly sensitive?: Sensitive;
  readonly config?: string;
  readonly rule: readonly string[];
  readonly quiet?: true;
  readonly fix?: true;
  readonly out?: string;
  readonly jobs?: number;
}

/** Lints what the paths name, fixes and writes what is asked for, and returns how much was found. */
export async function runLint(
  paths: readonly string[],
  flags: LintFlags,
  surroundings: Surroundings,
): Promise<LintTally> {
  const run = await startRun(paths, flags, surroundings);
  const linted = await lintAll(run);
  for (const { warnings } of linted) await tell(run.stderr, warningLines(warnings));
  await writeFixes(linted.flatMap(({ input, change }) => (change ? { input, ...change } : [])));
  for (const { input, fixed } of linted) await tell(run.stderr, fixedLines(input.file, fixed));
  const files = filesOf(linted);
  const tally = tallyOf(files, linted.flatMap(({ fixed }) => fixed).length);
  await run.sink(run.format({ files: flags.quiet ? files.map(onlyErrors) : files, tally }));
  const destination = flags.out === undefined ? '' : `, written to ${flags.out}`;
  const ignored = run.ignored > 0 ? `, ${run.ignored} ignored` : '';
  await tell(run.stderr, `webmcp-forms: ${oneLine(lintSummary(tally) + ignored + destination)}\n`);
  return tally;
}

/** One run of the command. */
interface Run extends Surroundings {
  readonly flags: LintFlags;
  readonly inputs: readonly PageInput[];
  /** How many pages the configuration ignores. */
  readonly ignored: number;
  readonly config: LintConfig | undefined;
  readonly chosen: RuleLevels;
  readonly sink: Sink;
  readonly format: Format;
  /** Whether the report shows the lines of the pages. */
  readonly showsLines: boolean;
}

async function startRun(paths: readonly string[], flags: LintFlags, surroundings: Surroundings): Promise<Run> {
  const { cwd, stdin, stdout, stderr } = surroundings;
  if (paths.length === 0)
    throw new UsageError('no PATH is given: name a file, a folder, a glob, or - for standard input');
  if (flags.fix && paths.includes('-'))
    throw new UsageError('--fix changes files, and - is none: name files or folders');
  const chosen = levelsOfFlags(flags.rule);
  const { folder, pages, warnings } = await findPages(paths, cwd, stdin);
  await tell(stderr, warningLines(warnings));
  const config = await configOf(flags, folder, cwd);
  const inputs = pages.filter(({ at }) => at === null || config === undefined || !isIgnored(config, at));
  const isTerminal = flags.out === undefined && 'isTTY' in stdout && stdout.isTTY === true;
  return {
    ...surroundings,
    flags,
    inputs,
    ignored: pages.length - inputs.length,
    config,
    chosen,
    sink: sinkBeside(pages, flags.out, surroundings),
    format: formats[flags.format](isTerminal && hasColours(stdout)),
    showsLines: isTerminal && flags.format === 'text',
  };
}

/** A terminal knows what it can show, and whether NO_COLOR is set. */
const hasColours = (stdout: Writable & Partial<Pick<WriteStream, 'hasColors'>>): boolean =>
  stdout.hasColors?.(16) === true;

async function configOf({ config }: LintFlags, folder: string, cwd: string): Promise<LintConfig | undefined> {
  if (config !== undefined) return readConfig(resolve(cwd, config), config);
  const found = findConfig(folder);
  return found === undefined ? undefined : readConfig(found, relative(cwd, found));
}

async function lintAll(run: Run): Promise<readonly LintedInput[]> {
  const { inputs, flags, showsLines } = run;
  const jobs = flags.jobs ?? jobsFor(inputs.length);
  const progress = progressOf(run, inputs.length);
  const linted: LintedInput[] = [];
  const optionsFor = (input: PageInput): LintOptions => optionsOf(input, run);
  try {
    for await (const each of lintPages(inputs, {
      jobs,
      isFixing: flags.fix === true,
      showsLines,
      optionsOf: optionsFor,
    }))
      progress.show(linted.push(each));
  } finally {
    progress.clear();
  }
  return linted;
}

function optionsOf({ path, at }: PageInput, { flags: { profile, sensitive }, config, chosen, cwd }: Run): LintOptions {
  const configured = config ? levelsFor(config, at ?? resolve(cwd, path)) : {};
  return { path, profile, ...(sensitive && { sensitive }), rules: { ...configured, ...chosen } };
}

function filesOf(linted: readonly LintedInput[]): readonly FileFindings[] {
  const byPath = new Map(linted.map((each) => [each.page.path, each]));
  return lintSite(linted.map(({ page }) => page)).map(({ path, findings }) => {
    const { input, lines } = byPath.get(path) as LintedInput;
    return { file: input.file, path, findings, ...(lines && { lines }) };
  });
}

const onlyErrors = ({ findings, ...file }: FileFindings): FileFindings => ({
  ...file,
  findings: findings.filter(({ severity }: Finding) => severity === 'error'),
});

const fixedLines = (file: string, fixed: readonly FixedFinding[]): string =>
  fixed
    .map(
      ({ code, fix: { title, place } }) =>
        `${oneLine(`${file}:${place.line}:${place.column} fixed ${code} ${title}`)}\n`,
    )
    .join('');
