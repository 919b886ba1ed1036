import { relative, resolve } from 'node:path';
import { lintComponents } from '../../annotate/files/lint-components.js';
import { isComponentFile, lintedExtensions } from '../../annotate/templates/file-kinds.js';
import type { ProfileName, Sensitive } from '../../compiler/index.js';
import {
  findConfig,
  isIgnored,
  levelsFor,
  parseRuleFlags,
  readConfig,
  type LintConfig,
} from '../../lint/config/config.js';
import { shellWord } from '../../init/workflow.js';
import type { Finding } from '../../lint/finding.js';
import { writeFixes, type FixedFinding } from '../../lint/fixes.js';
import {
  formatTally,
  githubFormat,
  jsonFormat,
  sarifFormat,
  tallyOf,
  textFormat,
  type FileFindings,
  type Format,
  type LintTally,
} from '../../lint/formats.js';
import { lintPages, type LintedInput } from '../../lint/lint-pages.js';
import { lintSite } from '../../lint/lint.js';
import type { LintOptions } from '../../lint/read-page.js';
import type { RuleLevels } from '../../lint/rules/rules.js';
import { byPath } from '../../site/manifest/manifest.js';
import type { Sink } from '../../site/output.js';
import type { PageInput } from '../../site/pages/find-pages.js';
import { countOf, oneLine, type Paint } from '../../site/printable.js';
import { isUrl } from '../../site/url.js';
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

const formats = { text: textFormat, json: () => jsonFormat, sarif: () => sarifFormat, github: () => githubFormat };

export type FormatName = keyof typeof formats;

export interface LintFlags extends ServedFlags, ProcessFlags {
  readonly format: FormatName;
  readonly profile: ProfileName;
  readonly sensitive?: Sensitive;
  readonly config?: string;
  readonly rule: readonly string[];
  readonly quiet?: true;
  readonly fix?: true;
  readonly out?: string;
}

export async function runLint(paths: readonly string[], flags: LintFlags, context: CliContext): Promise<LintTally> {
  const run = await startRun(paths, flags, context);
  const linted = await lintAll(run);
  for (const { warnings } of linted) await writeMessage(run.stderr, warningLines(warnings));
  const notices = await writeFixes(linted.flatMap(({ input, change }) => (change ? { input, ...change } : [])));
  await writeMessage(run.stderr, warningLines(notices));
  for (const { input, fixed } of linted) await writeMessage(run.stderr, fixedLines(input.file, fixed));
  const files = filesOf(linted);
  const tally = tallyOf(files, countsOf(linted));
  const notice = noticeOf(tally, paths);
  await run.sink(run.format({ files: flags.quiet ? files.map(onlyErrors) : files, tally, notice }));
  const ignored = run.ignored > 0 ? `, ${run.ignored} ignored` : '';
  await writeMessage(run.stderr, `webmcp-forms: ${oneLine(formatTally(tally) + ignored + writtenTo(flags.out))}\n`);
  await writeMessage(run.stderr, warningLines(notice === undefined ? [] : [notice]));
  return tally;
}

const countsOf = (linted: readonly LintedInput[]) => ({
  components: linted.filter(({ input }) => isComponent(input)).length,
  tools: linted.reduce((sum, { page }) => sum + page.tools.length, 0),
  plainForms: linted.reduce((sum, { page: { plainForms = 0 } }) => sum + plainForms, 0),
  fixed: linted.reduce((sum, { fixed }) => sum + fixed.length, 0),
});

/** A notice for a site with forms but without tools. Without a notice, the site would seem to have no problems. */
function noticeOf({ tools, plainForms }: LintTally, paths: readonly string[]): string | undefined {
  if (tools > 0 || plainForms === 0) return undefined;
  return `0 tools in ${countOf(plainForms, 'form')}. Run webmcp-forms annotate ${paths.map(shellWord).join(' ')}.`;
}

interface Run extends CliContext {
  readonly flags: LintFlags;
  readonly inputs: readonly PageInput[];
  readonly ignored: number;
  readonly config: LintConfig | undefined;
  readonly flagLevels: RuleLevels;
  readonly sink: Sink;
  readonly format: Format;
  /** Whether the report contains source lines. */
  readonly showsLines: boolean;
}

async function startRun(paths: readonly string[], flags: LintFlags, context: CliContext): Promise<Run> {
  const { cwd, stdout } = context;
  if (flags.fix && paths.includes('-'))
    throw new UsageError('--fix cannot be used with standard input. Name files or folders.');
  const url = flags.fix && paths.find(isUrl);
  if (url) throw new UsageError(`--fix changes files, and ${url} is a URL. Name files or folders.`);
  const flagLevels = parseRuleFlags(flags.rule);
  const { folder, pages } = await findInputs(paths, flags, context, lintedExtensions);
  const config = await configOf(flags, folder, cwd);
  const readPaths = new Set(pages.flatMap(({ path, isSignedOut }) => (isSignedOut ? [] : path)));
  const readOnce = pages.filter(({ path, isSignedOut }) => !isSignedOut || !readPaths.has(path));
  const inputs = readOnce.filter((page) => config === undefined || !isIgnoredPage(config, page, cwd));
  const isShown = flags.out === undefined && isTerminal(stdout);
  const paint: Paint = isShown ? createPainter(stdout) : (_, text) => text;
  return {
    ...context,
    flags,
    inputs,
    ignored: readOnce.length - inputs.length,
    config,
    flagLevels,
    sink: openOutput(pages, flags.out, context),
    format: formats[flags.format](paint),
    showsLines: isShown && flags.format === 'text',
  };
}

function isIgnoredPage(config: LintConfig, page: PageInput, cwd: string): boolean {
  const file = page.at ?? (page.url === undefined ? undefined : fileOf(page, cwd));
  return file !== undefined && isIgnored(config, file);
}

/** The path to compare with the globs of a configuration. A URL counts as a page of a site in the working directory. */
const fileOf = ({ at, path }: PageInput, cwd: string): string => at ?? resolve(cwd, path.replace(/^\/|\?.*/gs, ''));

async function configOf({ config }: LintFlags, folder: string, cwd: string): Promise<LintConfig | undefined> {
  if (config !== undefined) return readConfig(resolve(cwd, config), config);
  const found = findConfig(folder);
  return found === undefined ? undefined : readConfig(found, relative(cwd, found));
}

async function lintAll(run: Run): Promise<readonly LintedInput[]> {
  const { inputs, flags, showsLines } = run;
  const progress = createProgress(run, inputs.length);
  const linted: LintedInput[] = [];
  const options = {
    ...processOptions(flags, inputs.length),
    isFixing: flags.fix === true,
    showsLines,
    optionsOf: (input: PageInput) => optionsOf(input, run),
  };
  const components = inputs.filter(isComponent);
  const pages = components.length > 0 ? inputs.filter((input) => !isComponent(input)) : inputs;
  try {
    for await (const each of lintPages(pages, options)) progress.show(linted.push(each));
    for await (const each of lintComponents(components, options)) progress.show(linted.push(each));
  } finally {
    progress.clear();
  }
  return linted;
}

const isComponent = ({ at, file }: PageInput): boolean => at !== null && isComponentFile(file);

function optionsOf(page: PageInput, { flags: { profile, sensitive }, config, flagLevels, cwd }: Run): LintOptions {
  const configured = config ? levelsFor(config, fileOf(page, cwd)) : {};
  return { path: page.path, profile, ...(sensitive && { sensitive }), rules: { ...configured, ...flagLevels } };
}

/** The findings of all files. Components are not compared with pages, because a page may be the output of a component. */
function filesOf(linted: readonly LintedInput[]): readonly FileFindings[] {
  const inputs = new Map(linted.map((each) => [each.page.path, each]));
  const sites = [false, true].map((expected) => linted.filter(({ input }) => isComponent(input) === expected));
  const found = sites.flatMap((each) => lintSite(each.map(({ page }) => page))).sort(byPath);
  return found.map(({ path, findings }) => {
    const { input, lines } = inputs.get(path) as LintedInput;
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
