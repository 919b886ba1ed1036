import { applyChanges, checkChanges } from '../../init/changes.js';
import { consoleLines, firstTool, serveCommand, type FirstTool } from '../../init/first-call.js';
import { manifestChange, manifestFile } from '../../init/plan-manifest.js';
import { shellWord } from '../../init/workflow.js';
import type { Manifest } from '../../site/manifest/manifest.js';
import { countOf, oneLine } from '../../site/printable.js';
import { parseUrl } from '../../site/url.js';
import { UsageError } from '../../site/usage-error.js';
import type { CliContext } from '../program.js';
import { streamSink } from '../output.js';
import { compileManifest } from './compile.js';
import type { InitFlags } from './init.js';

const maxPages = 50;

/** Compiles a page over HTTP and the pages that it links to. Served pages cannot be changed. */
export async function initServed(name: string, flags: InitFlags, context: CliContext): Promise<number> {
  checkFlags(name, flags);
  const { href } = parseUrl(name);
  const compileFlags = { profile: 'precise', depth: 1, maxPages, allowPartial: true } as const;
  const { manifest } = await compileManifest([href], compileFlags, context);
  const tool = firstTool(manifest);
  const output = streamSink(context.stdout);
  if (!tool) {
    await output([
      `${oneLine(href)} and the pages it links to have no tools. Nothing was written.\n\n${suggestion(href)}`,
    ]);
    return 1;
  }
  await writeManifest(manifest, href, flags, context);
  await output(servedSteps(tool, href));
  return 0;
}

const suggestion = (href: string): string => {
  const command = `npx webmcp-forms annotate ${shellWord(href)}`;
  return `  ${command}\n      suggested annotations for its forms, which init writes if it is given the folder of the site\n`;
};

async function writeManifest(manifest: Manifest, href: string, flags: InitFlags, context: CliContext): Promise<void> {
  const { change, note } = await manifestChange(context.cwd, manifest);
  if (note !== undefined || change?.before !== undefined)
    throw new UsageError(
      `${manifestFile} exists and has other content. Run webmcp-forms compile --depth 1 --out ${manifestFile} ${shellWord(href)} to replace it.`,
    );
  const count = countOf(manifest.pages.flatMap(({ tools }) => tools).length, 'tool');
  if (change && !flags.dryRun) await applyChanges(await checkChanges(context.cwd, [change]));
  const written = flags.dryRun ? 'would be written to' : 'written to';
  const line = change ? `${count} ${written} ${manifestFile}` : `${manifestFile} is up to date (${count})`;
  await streamSink(context.stdout)([`${line}\n\n`]);
}

function checkFlags(name: string, { undo, kind, assets, github }: InitFlags): void {
  const [flag] = Object.entries({ undo, kind, assets, github }).find(([, value]) => value !== undefined) ?? [];
  if (flag !== undefined) throw new UsageError(`--${flag} is for the files of a site, and ${name} is a URL. Omit it.`);
}

function servedSteps(tool: FirstTool, href: string): readonly string[] {
  const [serve, comment] = serveCommand(href, manifestFile);
  return [
    `The first tool is ${oneLine(tool.name)} on ${new URL(tool.page ?? '', href).href}\n\n`,
    `  ${serve}\n      ${comment}\n\n`,
    'If the page loads the script of webmcp-forms, call the tool in its console:\n\n',
    ...consoleLines(tool).map((line) => `  ${line}\n`),
  ];
}
