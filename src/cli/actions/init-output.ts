import { join, relative } from 'node:path';
import type { DetectedSite } from '../../init/detect-site.js';
import { consoleLines, inspectCommand, serveCommand, type Command } from '../../init/first-call.js';
import { packageName, packagesMissing } from '../../init/package-json.js';
import type { InitPlan, PlannedChange } from '../../init/plan-init.js';
import { manifestFile } from '../../init/plan-manifest.js';
import { recordFile } from '../../init/record.js';
import { shellWord } from '../../init/workflow.js';
import { oneLine } from '../../site/printable.js';

/** A line for each change, with the file as the user names it. */
export function changeLines(changes: readonly PlannedChange[], root: string, cwd: string): readonly string[] {
  const rows = changes.map(({ file, before, purpose }) => {
    const name = oneLine(relative(cwd, join(root, file)) || file);
    return { name, action: before === undefined ? 'create' : 'change', purpose };
  });
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, action, purpose }) => `${action}  ${name.padEnd(width)}  ${purpose}\n`);
}

/** The commands from here to the first call of a tool. */
export function nextSteps(site: DetectedSite, plan: InitPlan, cwd: string): readonly string[] {
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
    '\nOther ways to its tools:\n\n',
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
