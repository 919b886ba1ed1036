import type { AddCommand } from '../program.js';
import { addManifestOptions, addRequestOptions, commandGroups } from '../options.js';
import type { MergeFlags } from '../actions/merge.js';

export const addMerge: AddCommand = (program, context, setExitCode) =>
  addRequestOptions(
    addManifestOptions(
      program
        .command('merge')
        .helpGroup(commandGroups.files)
        .summary('create one tool manifest from several')
        .description(
          'Creates one tool manifest from others, or from the output lines of webmcp-forms compile --ndjson, in any order.',
        )
        .argument(
          '[SHARD...]',
          'files of such lines, manifests as files or URLs, or - (the default) for lines on standard input',
        ),
    ),
  )
    .addHelpText('after', help)
    .action(async (paths: readonly string[], flags: MergeFlags) => {
      const { merge } = await import('../actions/merge.js');
      const { errors } = await merge(paths, flags, context);
      if (flags.strict && errors > 0) setExitCode(1);
    });

const help = `
The manifest is the same, byte for byte, as that of webmcp-forms compile for all pages. Set --profile and --sensitive to the
values that compile had, because the lines do not contain them; those of manifests have to be the same. The search for
package.json starts in the working directory and continues in the folders above. Two lines with the same path are an error. Only the paths of their pages are kept in memory.

Manifests can be those of different sessions, such as before and after a login. The tools of a path are joined, in the order of
the arguments: equal ones are one, of two different ones with the same name the first is kept, and each that is not in both has the
diagnostic session-dependent-tool. A URL is read as a page of compile is, and not by the rules of robots.txt. All URLs have one origin. Values of --header are
sent to this origin only, and are hidden in messages.

Exit codes: 0 success; 1 errors with --strict; 2 wrong usage, unreadable input or unwritable output.

Examples:
  $ webmcp-forms merge --out webmcp.json shards/*.ndjson
  $ webmcp-forms merge --out webmcp.json admin.json https://shop.example/webmcp.json
  $ webmcp-forms merge --header @token.txt --out webmcp.json public.json https://staging.shop.example/webmcp.json
  $ sort mapped.ndjson | webmcp-forms merge --name shop > webmcp.json`;
