import { Option } from 'commander';
import { type AddCommand, repeatable } from 'webmcp-forms/cli';
import type { ReleaseFlags } from './run-release.js';

export const addRelease: AddCommand = (program, context, end) => {
  const command = program
    .command('release')
    .summary("release a manifest's version, or list its releases")
    .description('Releases the version of a manifest permanently, so that clients can pin the hash of its actions.')
    .argument('MANIFEST', 'a tool manifest with a semantic version')
    .option('--store <location>', 'a folder or a Redis URL (default: WEBMCP_FORMS_STORE, or .webmcp)')
    .addOption(
      new Option('--check', 'write nothing, and exit with 1 unless the version is released with these actions'),
    )
    .addOption(new Option('--list', "list the webtool's releases").conflicts('check'))
    .option('--base-url <url>', 'the URL of the site, for forms with absolute URLs');
  for (const option of policyOptions()) command.addOption(option);
  return command.addHelpText('after', releaseHelp).action(async (manifest: string, flags: ReleaseFlags) => {
    const { runRelease } = await import('./run-release.js');
    if (!(await runRelease(manifest, flags, context))) end(1);
  });
};

const releaseHelp = `
A release is a manifest with its actions. serve returns them at GET /VERSION as long as the store has the release. In a
folder, a release is the file releases/NAME/VERSION.json; commit it. Releases never change: releasing the same actions again
does nothing, and releasing other actions in the same version fails. A release has the actions that serve has with the same
--config, --client-secrets, --autosubmit-only, --read-forms, --continue and --origin. It stores no values of the configuration. A gateway that excludes
an action of its current release does not start.

The changes since the previous release determine the next version, as reported by webmcp-forms diff:
  breaking  a major version (before 1.0.0 a minor version)
  widening  a minor version (before 1.0.0 a patch)
  wording   a patch
A smaller step is a warning.

The hash of the actions is written to standard output, the report to standard error. Arguments are visible to other users of
the machine: set a Redis URL with a password in WEBMCP_FORMS_STORE. Redis requires ioredis.

Exit codes: 0 success; 1 rejected, not released with these actions (--check), or a damaged release (--list); 2 wrong usage,
an invalid manifest, or an unavailable store.

Examples:
  $ webmcp-gateway release webmcp.json
  $ webmcp-gateway release --check webmcp.json
  $ webmcp-gateway release --list --store redis://localhost:6379 webmcp.json`;

export const policyOptions = (): readonly Option[] => [
  new Option('--config <file>', "the operator's headers and values, hidden from clients"),
  new Option('--client-secrets', 'also serve forms with required secrets, which clients send in their config'),
  new Option('--autosubmit-only', 'serve only forms with toolautosubmit'),
  new Option('--read-forms', 'also serve read_NAME for each tool, which returns the current values of its form'),
  repeatable('--continue <glob>', 'a path whose forms a session may submit next, such as /imports/** (repeatable)'),
  repeatable('--origin <origin>', 'another origin that forms may be submitted and redirected to (repeatable)'),
];
