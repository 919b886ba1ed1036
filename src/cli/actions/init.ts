import { join, relative, resolve } from 'node:path';
import { tallyPlans, type FilePlan } from '../../annotate/report/choose-forms.js';
import { textDiff } from '../../annotate/report/diff.js';
import { tableOf } from '../../annotate/report/formats.js';
import { knownExtensions } from '../../annotate/templates/file-kinds.js';
import { applyChanges, checkChanges, uncommittedFiles } from '../../init/changes.js';
import { detectSite, isSiteFile, rootOf, type DetectedSite, type SiteKind } from '../../init/detect-site.js';
import { consoleLines, inspectCommand, serveCommand, type Command } from '../../init/first-call.js';
import { packageName, packagesMissing } from '../../init/package-json.js';
import { planInit, type InitPlan, type PlannedChange } from '../../init/plan-init.js';
import { manifestFile } from '../../init/plan-manifest.js';
import { recordFile, recordOf, undoInit } from '../../init/record.js';
import { shellWord } from '../../init/workflow.js';
import { decodePage } from '../../site/pages/charset.js';
import { countOf, oneLine } from '../../site/printable.js';
import { UsageError } from '../../site/usage-error.js';
import type { CliContext } from '../program.js';
import { createPainter, isTerminal, streamSink, warningLines, writeMessage } from '../output.js';
import { planFiles, problemLines } from './annotate.js';
import { findInputs, isUrlArgument } from './find-inputs.js';
import type { InitQuestions } from './questions.js';

export interface InitFlags {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly force?: true;
  readonly kind?: SiteKind;
  readonly assets?: string;
  readonly assetsUrl?: string;
  readonly includeSensitive?: true;
  readonly github?: true;
  readonly undo?: true;
}

/** Returns the exit code. */
export async function init(name: string, flags: InitFlags, context: CliContext): Promise<number> {
  const { stdin, stdout } = context;
  if (isUrlArgument(name, context.cwd))
    return await (await import('./init-served.js')).initServed(name, flags, context);
  if (flags.undo) return await undo(name, flags, context);
  if (flags.yes || flags.dryRun) return await setUp(name, flags, context, undefined);
  if (![stdin, stdout].every(isTerminal))
    throw new UsageError(
      'init asks questions, and standard input or output is not a terminal. Use --yes, or --dry-run for a diff.',
    );
  const { InitQuestions } = await import('./questions.js');
  return await setUp(name, flags, context, new InitQuestions(context));
}

async function setUp(
  name: string,
  flags: InitFlags,
  context: CliContext,
  questions: InitQuestions | undefined,
): Promise<number> {
  const detected = withAssets(await detectSite(name, context.cwd, flags.kind), flags);
  const site = questions ? await questions.askForSite(detected, context.cwd) : detected;
  const plans = await planSite(site, flags, context);
  const withWorkflow = flags.github === true;
  const plan = await planInit(site, plans, {
    cwd: context.cwd,
    withWorkflow,
    isAbsolute: flags.assetsUrl !== undefined,
  });
  const output = streamSink(context.stdout);
  const paint = createPainter(context.stdout);
  await output([`${site.name} in ${oneLine(name)}\n`, ...tableOf(plans, paint)]);
  await writeMessage(context.stderr, problemLines(plans));
  if (plan.changes.length > 0) await write(site, plan, flags, context, questions);
  else await output([`${plan.tool ? 'Nothing to change: the site is set up.' : noTools(plans)}\n`]);
  if (!flags.dryRun) await output(nextSteps(site, plan, context.cwd));
  return exitCodeOf(plans, plan);
}

function noTools(plans: readonly FilePlan[]): string {
  const advice =
    tallyPlans(plans).sensitive > 0
      ? 'Add --include-sensitive to annotate the forms that were left out.'
      : 'Annotate a form by hand, with toolname and tooldescription, and run the command again.';
  return `No form is a tool, so nothing was changed. ${advice}`;
}

function exitCodeOf(plans: readonly FilePlan[], { tool }: InitPlan): number {
  const { unsafe, unreadable } = tallyPlans(plans);
  return unsafe + unreadable > 0 || !tool ? 1 : 0;
}

function withAssets(site: DetectedSite, { assets, assetsUrl }: InitFlags): DetectedSite {
  const folder = assets === undefined ? site.assets.folder : assetsFolder(site.root, assets);
  const url = assetsUrl ?? (assets === undefined ? site.assets.url : `/${folder}/`);
  return { ...site, assets: { folder, url: url.endsWith('/') ? url : `${url}/` } };
}

function assetsFolder(root: string, folder: string): string {
  const path = relative(root, resolve(root, folder)).replaceAll('\\', '/');
  if (!/^(?:\.\.(?:\/|$)|[a-z]:)/i.test(path)) return path === '' ? '.' : path;
  throw new UsageError(`--assets ${folder} is outside of the site. Name a folder in ${root}.`);
}

/** Suggests annotations for the files of the site, except build output. */
async function planSite(site: DetectedSite, flags: InitFlags, context: CliContext): Promise<readonly FilePlan[]> {
  const folder = relative(context.cwd, site.folder) || '.';
  const { pages } = await findInputs([folder], {}, context, knownExtensions);
  const inputs = pages.filter(({ at }) => isSiteFile(relative(site.folder, at ?? ''), site.kind));
  const { yes, dryRun, includeSensitive } = flags;
  const isAsking = yes === undefined && dryRun === undefined;
  return await planFiles(
    inputs,
    {
      minConfidence: 'low',
      ...(isAsking && { interactive: true, isConfirmedLater: true }),
      ...(includeSensitive && { includeSensitive }),
    },
    context,
  );
}

async function write(
  site: DetectedSite,
  plan: InitPlan,
  flags: InitFlags,
  context: CliContext,
  questions: InitQuestions | undefined,
): Promise<void> {
  const { root } = site;
  const output = streamSink(context.stdout);
  const checked = await checkChanges(root, plan.changes);
  if (flags.dryRun) {
    await output(['\n', ...changeLines(plan.changes, root, context.cwd), '\n']);
    await writeDiffs(plan.changes, root, context);
    return;
  }
  await checkCommitted(root, flags, questions);
  if (questions && !(await questions.confirm(`Write ${countOf(plan.changes.length, 'file')}?`)))
    throw new UsageError('Nothing was changed.');
  const record = await checkChanges(root, [await recordOf(root, checked.writes, checked.folders)]);
  await applyChanges({ ...checked, writes: [...record.writes, ...checked.writes] });
  await output(['\n', ...changeLines(plan.changes, root, context.cwd)]);
}

async function checkCommitted(root: string, { force }: InitFlags, questions: InitQuestions | undefined): Promise<void> {
  const files = await uncommittedFiles(root);
  if (force || files.length === 0) return;
  const some = files.slice(0, 3).map(oneLine).join(', ') + (files.length > 3 ? ` and ${files.length - 3} more` : '');
  const problem = `The git repository has uncommitted changes: ${some}.`;
  if (questions && (await questions.confirm(`${problem} Continue?`, false))) return;
  throw new UsageError(`${problem} Nothing was changed. Commit or stash them, or add --force.`);
}

/** Writes the diffs of the changes, except for the scripts and the manifest. */
async function writeDiffs(changes: readonly PlannedChange[], root: string, context: CliContext): Promise<void> {
  const { stdout, stderr, cwd } = context;
  const target = isTerminal(stdout) ? 'terminal' : 'pipe';
  for (const { file, before, after = Buffer.alloc(0) } of changes.filter(({ isGenerated }) => !isGenerated)) {
    const source = before && decodePage(before);
    const name = relative(cwd, join(root, file)) || file;
    const diff = textDiff({ file: name, source, changed: decodePage(after).text }, target, createPainter(stdout));
    if ('text' in diff) await streamSink(stdout)([diff.text]);
    else await writeMessage(stderr, warningLines([`The diff of ${name} is not printed, because ${diff.reason}`]));
  }
}

/** Undoes the last run of `init`, or lists its files with `--dry-run`. */
async function undo(name: string, { dryRun }: InitFlags, { cwd, stdout }: CliContext): Promise<number> {
  const root = rootOf(resolve(cwd, name), cwd);
  const changes = await undoInit(root, dryRun === true);
  const lines = changes.map(({ file, after }) => `${after === undefined ? 'delete ' : 'restore'}  ${oneLine(file)}\n`);
  const summary = `${countOf(changes.length, 'file')} ${dryRun ? 'to restore or delete' : 'restored or deleted'}.\n`;
  await streamSink(stdout)([...lines, summary]);
  return 0;
}

function changeLines(changes: readonly PlannedChange[], root: string, cwd: string): readonly string[] {
  const rows = changes.map(({ file, before, purpose }) => {
    const name = oneLine(relative(cwd, join(root, file)) || file);
    return { name, action: before === undefined ? 'create' : 'change', purpose };
  });
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, action, purpose }) => `${action}  ${name.padEnd(width)}  ${purpose}\n`);
}

/** The commands for the steps after `init`, up to the first call of a tool. */
function nextSteps(site: DetectedSite, plan: InitPlan, cwd: string): readonly string[] {
  const { tool, changes, notes, hasManifest } = plan;
  if (!tool) return notes.map((note) => `\n${oneLine(note)}\n`);
  const folder = shellWord(relative(cwd, site.root) || '.');
  const undo = oneLine(`npx webmcp-forms init --undo${folder === '.' ? '' : ` ${folder}`}`);
  const page = new URL((tool.page ?? '').replace(/(^|\/)index\.html$/, '$1'), site.url).href;
  return [
    ...(changes.length > 0 ? [`Undo: ${undo} (reads ${recordFile}; commit it, or delete it)\n`] : []),
    ...notes.map((note) => `\n${oneLine(note)}\n`),
    `\nThe first tool is ${oneLine(tool.name)}. Start the site${oneLine(startCommand(site, cwd))}\n`,
    `Open ${tool.page === undefined ? `its page at ${site.url}` : page} and call it in the console of the browser:\n\n`,
    ...consoleLines(tool).map((line) => `  ${line}\n`),
    ...(tool.isForUser ? ['\nThe form is filled in, and waits for you to press its button.\n'] : []),
    '\nOther ways to call its tools:\n\n',
    ...otherWays(site, hasManifest, page, cwd).map(([command, comment]) => `  ${oneLine(command)}\n      ${comment}\n`),
  ];
}

function startCommand({ kind, folder, packageJson }: DetectedSite, cwd: string): string {
  if (kind === 'static') return `: npx http-server ${shellWord(relative(cwd, folder) || '.')}`;
  if (kind === 'vite') return packagesMissing(packageJson) ? ': npm install && npx vite' : ': npx vite';
  return ' as usual.';
}

function otherWays(site: DetectedSite, hasManifest: boolean, page: string, cwd: string): readonly Command[] {
  const { kind, url, root, folder, packageJson } = site;
  const manifest = relative(cwd, join(root, manifestFile));
  const compile = `npx ${packageName} compile`;
  const fromSite: Command = [
    `${compile} --depth 2 --out ${shellWord(manifest)} ${shellWord(url)}`,
    'the manifest of the running site, for the next command',
  ];
  const check: Command = [
    `${compile} --check --out ${shellWord(manifest)} ${shellWord(relative(cwd, folder) || '.')}`,
    'whether the manifest is up to date, in a continuous integration job',
  ];
  return [
    inspectCommand(page),
    ...(kind === 'templates' ? [fromSite] : []),
    ...(hasManifest || kind === 'templates' ? [serveCommand(url, manifest)] : []),
    ...(hasManifest && packageJson === undefined ? [check] : []),
  ];
}
