import { Option } from 'commander';
import type { AddCommand } from 'webmcp-forms/cli';
import type { ReleaseFlags } from './run-release.js';
import { offerOptions } from './offer-options.js';

/** `webmcp-gateway release` */
export const addRelease: AddCommand = (program, surroundings, end) => {
  const command = program
    .command('release')
    .summary("keep a manifest's version for good, or list those that are kept")
    .description("Keeps the version of a manifest for good, so that clients of a gateway can pin its actions' hash.")
    .argument('MANIFEST', 'a tool manifest whose version is a semantic version')
    .option(
      '--store <location>',
      'a folder, or the URL of a Redis (default: WEBMCP_FORMS_STORE in the environment, or .webmcp)',
    )
    .addOption(new Option('--check', 'write nothing, and exit with 1 unless the version is released like this'))
    .addOption(new Option('--list', 'list the versions of the webtool that are released').conflicts('check'))
    .option('--base-url <url>', 'the site, where forms name it by its URL');
  for (const option of offerOptions()) command.addOption(option);
  return command.addHelpText('after', releaseHelp).action(async (manifest: string, flags: ReleaseFlags) => {
    const { runRelease } = await import('./run-release.js');
    if (!(await runRelease(manifest, flags, surroundings))) end(1);
  });
};

const releaseHelp = `
A release is the manifest with the actions that a gateway makes of it: serve answers with them at GET /VERSION for as long
as the store has them. In a folder it is the file releases/NAME/VERSION.json, which is made to be committed. A release is
never changed: to release the same again does nothing, and to release other actions in its version is refused. It has the
actions that serve offers with the same --config, --client-secrets, --autosubmit-only and --origin; of a configuration the
names count, and no value is kept. A gateway that would offer less of it does not start.

What changed since the release before says which step a version has to make at least, as diff tells it:
  breaking  the major version (before 1.0.0 the minor one)
  widening  the minor version (before 1.0.0 the patch)
  wording   the patch
A smaller step is a warning.

The hash of the actions goes to standard output, a report goes to standard error. Keep the password of a Redis out of the
arguments, which other users of the machine can see: give its URL in WEBMCP_FORMS_STORE. Redis needs ioredis.

Exit codes: 0 done, 1 refused, not released like this (--check), or a damaged release (--list), 2 wrong usage, a file that
is no manifest, or a store that does not answer.

Examples:
  $ webmcp-gateway release webmcp.json
  $ webmcp-gateway release --check webmcp.json
  $ webmcp-gateway release --list --store redis://localhost:6379 webmcp.json`;
