import { summaryOf, type Tally } from '../../site/tally.js';
import type { AddCommand, CliContext } from '../context.js';
import { addManifestOptions, type ManifestFlags } from '../options.js';
import { openOutput, writeMessage, writtenTo } from '../output.js';

export const addMerge: AddCommand = (program, context, setExitCode) =>
  addManifestOptions(
    program
      .command('merge')
      .summary('create one tool manifest from shards that were compiled with --ndjson')
      .description('Creates one tool manifest from the output lines of webmcp-forms compile --ndjson, in any order.')
      .argument('[SHARD...]', 'files of such lines, or - (the default) for standard input'),
  )
    .addHelpText('after', help)
    .action(async (paths: readonly string[], flags: ManifestFlags) => {
      const { errors } = await merge(paths, flags, context);
      if (flags.strict && errors > 0) setExitCode(1);
    });

const help = `
The manifest is the same, byte for byte, as that of webmcp-forms compile for all pages. Set --profile and --sensitive to the
values that compile had, because the lines do not contain them. The search for package.json starts in the working directory
and continues in the folders above. Two pages with the same path are an error. Only the paths of pages are kept in memory.

Exit codes: 0 success; 1 errors with --strict; 2 wrong usage, unreadable input or unwritable output.

Examples:
  $ webmcp-forms merge --out webmcp.json shards/*.ndjson
  $ sort mapped.ndjson | webmcp-forms merge --name shop > webmcp.json`;

async function merge(paths: readonly string[], flags: ManifestFlags, context: CliContext): Promise<Tally> {
  const { cwd, stdin, stderr } = context;
  const { manifestOptions, writeManifest } = await import('../actions/compile.js');
  const { closeShards, openShards } = await import('../../site/manifest/shards.js');
  const { indexShards, readPages } = await import('../../site/manifest/merge-shards.js');
  const options = await manifestOptions(cwd, flags, cwd);
  const shards = await openShards(paths, cwd, stdin);
  try {
    const sink = openOutput(shards, flags.out, context);
    const { places, tally } = await indexShards(shards);
    await writeManifest(options, readPages(places), sink, flags.out);
    await writeMessage(stderr, `webmcp-forms: ${summaryOf(tally)}${writtenTo(flags.out)}\n`);
    return tally;
  } finally {
    await closeShards(shards);
  }
}
