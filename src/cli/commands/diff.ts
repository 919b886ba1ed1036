import { changesSummary, changesText, isNotable, type ManifestChange } from '../../diff/change.js';
import type { InspectOptions } from '../../inspect/inspect.js';
import type { Manifest } from '../../site/manifest/manifest.js';
import { oneLine, printableJson } from '../../site/printable.js';
import { isUrl } from '../../site/url.js';
import { UsageError } from '../../site/usage-error.js';
import type { AddCommand, CliContext } from '../program.js';
import { addBrowserOptions, commandGroups } from '../options.js';
import { createPainter, streamSink, writeMessage } from '../output.js';

interface DiffFlags extends InspectOptions {
  readonly json?: true;
  readonly page?: string;
}

export const addDiff: AddCommand = (program, context, setExitCode) =>
  addBrowserOptions(
    program
      .command('diff')
      .helpGroup(commandGroups.tools)
      .summary('compare two manifests, or a manifest and a live page')
      .description('Reports the changes for callers of the tools: breaking, widening, wording.')
      .argument('OLD', 'a manifest')
      .argument('NEW', 'another manifest, or the URL of a live page')
      .option('--json', 'print the changes as JSON')
      .option('--page <path>', "the path of the manifest's page at the URL (default: from the URL's path)"),
  )
    .addHelpText('after', help)
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const changes = await compare(before, after, flags, context);
      const { stdout, stderr } = context;
      await streamSink(stdout)([
        flags.json ? `${printableJson(changes, 2)}\n` : changesText(changes, createPainter(stdout)),
      ]);
      await writeMessage(
        stderr,
        `webmcp-forms: ${changesSummary(changes)} from ${oneLine(before)} to ${oneLine(after)}\n`,
      );
      if (changes.some(isNotable)) setExitCode(1);
    });

const help = `
breaking  an input that was valid, or a tool that existed, may no longer work; also changes of annotations, of how and where
          a form is submitted, and of whether it waits for the user
widening  a new tool, or a tool that accepts more
wording   titles, descriptions, defaults, examples, order

A schema that cannot be compared is breaking. Both manifests must have the same profile. A live page is read in Chromium
with the manifest's profile; methods and actions of forms and toolautosubmit are not compared with it.

The changes go to standard output, a summary goes to standard error. Exit codes: 0 no changes, or only wording; 1 other
changes; 2 wrong usage, an invalid manifest, or a page that cannot be read.

Examples:
  $ webmcp-forms diff released.json webmcp.json
  $ webmcp-forms diff webmcp.json https://example.com/book`;

async function compare(
  before: string,
  after: string,
  flags: DiffFlags,
  context: CliContext,
): Promise<readonly ManifestChange[]> {
  if (isUrl(before)) throw new UsageError(`${oneLine(before)} is a URL. Name the manifest first, then the URL.`);
  if (!isUrl(after) && flags.page !== undefined)
    throw new UsageError('--page is for a live page. Use a URL instead of the second manifest.');
  const { readManifest } = await import('../../site/manifest/read-manifest.js');
  const old = await readManifest(before, context.cwd);
  if (isUrl(after)) return compareWithPage(old, after, flags, context);
  const { diff } = await import('../../diff/diff.js');
  return diff(old, await readManifest(after, context.cwd));
}

async function compareWithPage(
  manifest: Manifest,
  url: string,
  flags: DiffFlags,
  context: CliContext,
): Promise<readonly ManifestChange[]> {
  const { diffPage, livePagePath } = await import('../../diff/diff.js');
  const { readLivePage } = await import('../../inspect/inspect.js');
  const path = livePagePath(manifest, url, flags.page);
  const { profile, sensitive } = manifest;
  const live = await readLivePage(url, { ...flags, profile, sensitive }, context);
  const before = manifest.pages.find((page) => page.path === path)?.tools ?? [];
  return diffPage(
    path,
    before.map(({ annotations: _, ...tool }) => tool), // live pages have no annotations
    live.filter(({ isForm }) => isForm),
  );
}
