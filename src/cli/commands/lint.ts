import { InvalidArgumentError, Option, type Command } from 'commander';
import { configFile } from '../../lint/config/config-file.js';
import {
  addGroup,
  commandGroups,
  optionGroups,
  addServedOptions,
  jobsOption,
  outOption,
  pageTimeoutOption,
  profileOption,
  sensitiveOption,
} from '../options.js';
import type { FormatName, LintFlags } from '../actions/lint.js';
import type { AddCommand } from '../program.js';

interface Flags extends LintFlags {
  readonly maxWarnings?: number;
}

// The names are duplicated here, so that help and usage errors do not load the linter.
const formats: Readonly<Record<FormatName, true>> = { text: true, json: true, sarif: true, github: true };

export const addLint: AddCommand = (program, context, setExitCode) =>
  addRuleOptions(
    addServedOptions(
      program
        .command('lint')
        .helpGroup(commandGroups.forms)
        .summary('find problems of the tools in pages and components')
        .description('Finds errors and possible improvements of the annotated forms in pages and components.')
        .argument(
          '[PATH...]',
          'a file, a folder (all pages and components, such as TSX and Vue, in and below it), a glob, - for a page on standard input, or the URL of a page',
        )
        .option('--fix', 'apply the fixes that are safe to the pages')
        .addOption(
          new Option('--format <format>', 'the format of the findings').choices(Object.keys(formats)).default('text'),
        )
        .addOption(outOption())
        .option('--quiet', 'report errors only; warnings still count for --max-warnings')
        .addOption(
          new Option('--max-warnings <number>', 'exit with 1 if there are more warnings').argParser(parseCount),
        ),
    ),
  )
    .addOption(jobsOption('lint'))
    .addOption(pageTimeoutOption('lint'))
    .addHelpText('after', help)
    .action(async (paths: readonly string[], { maxWarnings = Infinity, ...flags }: Flags) => {
      const { runLint } = await import('../actions/lint.js');
      const { errors, warnings } = await runLint(paths, flags, context);
      if (errors > 0 || warnings > maxWarnings) setExitCode(1);
    });

const addRuleOptions = (command: Command): Command =>
  addGroup(command, optionGroups.rules, (group) =>
    group
      .option('--config <file>', `the configuration (default: the nearest ${configFile})`)
      .addOption(
        new Option('--rule <code:severity>', 'the severity of a rule: off, info, warning or error; repeatable')
          .argParser((value: string, before: readonly string[]) => [...before, value])
          .default([], 'the configuration'),
      )
      .addOption(profileOption('the profile of the input schemas of the manifest').default('precise'))
      .addOption(sensitiveOption()),
  );

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a non-negative integer.');
}

const help = `
A finding is file:line:column severity code message. docs/rules documents each rule in a page named by its code. The formats
are text, json, sarif (2.1.0) and github (workflow commands). Findings go to standard output, a summary goes to standard
error.

The last line counts the tools, and the forms without annotations, for which annotate writes tools. A page whose script of
webmcp-forms serves another profile than --profile is checked in both.

Of JSX, TSX, Vue, Svelte, Astro and Razor files, the forms are checked whose annotations are written in the markup, and controls
without a name are reported. Forms that code or components write are reported as unreadable-form. --fix changes only pages.

URLs are read as in compile. The globs of the configuration are compared with their paths, as if they were files in the
working directory.

The search for the configuration starts at the first PATH and continues in the folders above:
  { "rules": { "form-without-tool": "info" },
    "overrides": [{ "files": ["admin/**"], "rules": { "destructive-autosubmit": "error" } }],
    "ignore": ["drafts/**"] }
Its globs are relative to its folder. --rule takes precedence over overrides, and overrides over rules.

Comments in a page disable all rules, or the rules that they name. Text after -- is a note.
  <!-- webmcp-forms-disable-next-line tool-name-too-long -- an old name -->
  <!-- webmcp-forms-disable --> ... <!-- webmcp-forms-enable -->

Fixes preserve the rest of the file byte for byte, and are reported on standard error. They are written after all pages were
read. The result is the same, byte for byte, for every number of --jobs.

Exit codes: 0 no errors; 1 errors, or more warnings than --max-warnings; 2 wrong usage, unreadable input or unwritable
output.

Examples:
  $ webmcp-forms lint dist
  $ webmcp-forms lint --format sarif --out webmcp.sarif "pages/**/*.html"
  $ webmcp-forms lint --rule form-without-tool:warning --max-warnings 0 dist`;
