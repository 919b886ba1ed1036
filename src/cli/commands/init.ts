import { Option } from 'commander';
import type { SiteKind } from '../../init/detect-site.js';
import { commandGroups, includeSensitiveOption } from '../options.js';
import type { InitFlags } from '../actions/init.js';
import type { AddCommand } from '../program.js';

// The names are duplicated here, so that help and usage errors do not load the compiler.
const kinds: Readonly<Record<SiteKind, true>> = { static: true, vite: true, templates: true };

export const addInit: AddCommand = (program, context, setExitCode) =>
  program
    .command('init')
    .summary('set up a site: annotations, script, manifest and check')
    .description('Sets up a site: annotates its forms, adds the script, and shows how to call the first tool.')
    .helpGroup(commandGroups.forms)
    .argument('[SITE]', 'the folder of the site, or the URL of a page that is served', '.')
    .option('--yes', 'write all changes without questions')
    .addOption(new Option('--dry-run', 'print the changes as a unified diff, and write nothing').conflicts('yes'))
    .option('--force', 'write although the git repository has uncommitted changes')
    .addOption(new Option('--kind <kind>', 'the kind of site, if it is not detected').choices(Object.keys(kinds)))
    .option(
      '--assets <folder>',
      'the folder for the two scripts, relative to the folder of package.json or of the site',
    )
    .option('--assets-url <url>', 'the URL of this folder (default: relative in static pages, otherwise by framework)')
    .addOption(includeSensitiveOption())
    .option('--github', 'add a workflow of GitHub Actions that checks the tools')
    .addOption(
      new Option('--undo', 'undo the last run, if its files have not changed since').conflicts([
        'yes',
        'force',
        'kind',
        'assets',
        'assetsUrl',
        'includeSensitive',
        'github',
      ]),
    )
    .addHelpText('after', help)
    .action(async (site: string, flags: InitFlags) => {
      const { init } = await import('../actions/init.js');
      setExitCode(await init(site, flags, context));
    });

const help = `
The kind of site is detected. Static pages get the script by a relative URL, with its integrity. A Vite project (vite.config)
gets the plugin webmcpForms, whose build adds the script. Templates of a server (Django, Rails, Laravel, Symfony, Express, Flask,
Go, PHP) get the script in their layouts. Only pages with tools and layouts are changed. The annotations are those of annotate:
logins, sign-ups, payments and deletions are left out without --include-sensitive. package.json gets a script webmcp, which
checks that the manifest webmcp.json is up to date.

Without --yes, init asks in the terminal. All changes are planned and checked first; if a file cannot be written, no file is
changed. A second run changes nothing. .webmcp-forms-init.json records the changes for --undo: commit it, or delete it.

The pages of a URL cannot be changed. init reads the page and those it links to, and writes webmcp.json.

The changes and the next steps go to standard output, problems to standard error. Exit codes: 0 success; 1 no form is a tool, or
forms that cannot be annotated; 2 wrong usage, uncommitted changes, or a file that cannot be read or written.

Examples:
  $ webmcp-forms init
  $ webmcp-forms init --dry-run site
  $ webmcp-forms init --yes --github
  $ webmcp-forms init --undo
  $ webmcp-forms init http://localhost:8000/`;
