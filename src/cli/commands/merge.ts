import type { CompileFlags } from '../run/compile.js';
import type { AddCommand } from './command.js';
import { addManifestFlags } from '../options/manifest-flags.js';

/** `webmcp-forms merge` */
export const addMerge: AddCommand = (program, surroundings, end) =>
  addManifestFlags(
    program
      .command('merge')
      .summary('make one tool manifest of shards that were compiled with --ndjson')
      .description('Makes one tool manifest of the lines that webmcp-forms compile --ndjson wrote, in any order.')
      .argument('[SHARD...]', 'files of such lines, or - (the default) for standard input'),
  )
    .addHelpText('after', mergeHelp)
    .action(async (paths: readonly string[], flags: CompileFlags) => {
      const { merge } = await import('../run/merge.js');
      const { errors } = await merge(paths, flags, surroundings);
      end(flags.strict && errors > 0 ? 1 : 0);
    });

const mergeHelp = `
The manifest is the one, byte for byte, that webmcp-forms compile makes of all the pages at once. Give --profile and
--sensitive as they were given to compile: the lines do not say them. The nearest package.json is looked for from the
working directory upwards. Two pages of one path are an error. Pages are not kept in memory, only their paths.

Exit codes: 0 done, 1 errors under --strict, 2 wrong usage, unreadable input or unwritable output.

Examples:
  $ webmcp-forms merge --out webmcp.json shards/*.ndjson
  $ sort mapped.ndjson | webmcp-forms merge --name shop > webmcp.json`;
