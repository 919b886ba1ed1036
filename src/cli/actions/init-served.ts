import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { consoleLines, firstTool, serveCommand } from '../../init/first-call.js';
import { manifestFile } from '../../init/plan-manifest.js';
import { readManifest } from '../../site/manifest/read-manifest.js';
import { oneLine } from '../../site/printable.js';
import { parseUrl } from '../../site/url.js';
import { UsageError } from '../../site/usage-error.js';
import type { CliContext } from '../context.js';
import { streamSink } from '../output.js';
import { compile, type CompileFlags } from './compile.js';
import type { InitFlags } from './init.js';

const maxPages = 50;

/** Compiles a page over HTTP and those that it links to. A page that is served cannot be changed. */
export async function initServed(name: string, flags: InitFlags, context: CliContext): Promise<number> {
  checkFlags(name, flags);
  const { href } = parseUrl(name);
  const exists = existsSync(resolve(context.cwd, manifestFile));
  const compileFlags: CompileFlags = {
    profile: 'precise',
    depth: 1,
    maxPages,
    allowPartial: true,
    ...(!flags.dryRun && { out: manifestFile }),
    ...(exists && !flags.dryRun && { check: true }),
  };
  const { isStale } = await compile([href], compileFlags, context);
  if (flags.dryRun) return 0;
  if (isStale)
    throw new UsageError(
      `${manifestFile} exists and has other tools. Run webmcp-forms compile --depth 1 --out ${manifestFile} ${href} to replace it.`,
    );
  return await showFirstTool(href, context);
}

function checkFlags(name: string, { undo, kind, assets, github }: InitFlags): void {
  const [flag] = Object.entries({ undo, kind, assets, github }).find(([, value]) => value !== undefined) ?? [];
  if (flag !== undefined) throw new UsageError(`--${flag} is for the files of a site, and ${name} is a URL. Omit it.`);
}

async function showFirstTool(href: string, { cwd, stdout }: CliContext): Promise<number> {
  const tool = firstTool(await readManifest(manifestFile, cwd));
  const output = streamSink(stdout);
  if (!tool) {
    await output([
      `${oneLine(href)} has no tools. Annotate the files of the site with init, or see suggestions for this page:\n\n  npx webmcp-forms annotate ${href}\n`,
    ]);
    return 1;
  }
  const page = new URL(tool.page ?? '', href).href;
  const [serve, comment] = serveCommand(href, manifestFile);
  await output([
    `The first tool is ${oneLine(tool.name)} on ${page}\n\n`,
    `  ${serve}\n      ${comment}\n\n`,
    'If the page loads the script of webmcp-forms, call the tool in its console:\n\n',
    ...consoleLines(tool).map((line) => `  ${line}\n`),
  ]);
  return 0;
}
