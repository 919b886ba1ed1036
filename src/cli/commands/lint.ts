import { InvalidArgumentError, Option } from 'commander';
import { configFile } from '../../lint/config/config-file.js';
import type { LintFlags } from '../run/lint.js';
import { formatNames, profileNames } from '../options/choices.js';
import type { AddCommand } from './command.js';
import { jobsOption } from '../options/jobs-option.js';

interface Flags extends LintFlags {
  readonly maxWarnings?: number;
}

/** `webmcp-forms lint` */
export const addLint: AddCommand = (program, surroundings, end) =>
  program
    .command('lint')
    .summary('find what is wrong with the tools in HTML pages')
    .description('Finds what is wrong with the annotated forms in HTML pages, and what could be better.')
    .argument('[PATH...]', 'a file, a folder (every .html file below it), a glob, or - for one page on standard input')
    .addOption(new Option('--format <format>', 'how findings are written').choices(formatNames).default('text'))
    .addOption(
      new Option('--max-warnings <number>', 'exit with 1 when there are more warnings').argParser(naturalNumber),
    )
    .option('--quiet', 'write errors only; warnings still count for --max-warnings')
    .addOption(
      new Option('--profile <profile>', 'which schemas the tools are checked with')
        .choices(profileNames)
        .default('precise'),
    )
    .addOption(
      new Option(
        '--sensitive <choice>',
        'whether passwords, payment data and one-time codes become parameters (default: include in chromium, else exclude)',
      ).choices(['include', 'exclude']),
    )
    .option('--config <file>', `the configuration (default: the nearest ${configFile})`)
    .addOption(
      new Option('--rule <code:severity>', 'off, info, warning or error for one rule; repeatable')
        .argParser((value: string, before: readonly string[]) => [...before, value])
        .default([], 'the configuration'),
    )
    .addOption(jobsOption('lint'))
    .option('--fix', 'change the pages where a fix is safe')
    .option('--out <file>', 'write the findings to a file, at once and whole, instead of standard output')
    .addHelpText('after', lintHelp)
    .action(async (paths: readonly string[], { maxWarnings = Infinity, ...flags }: Flags) => {
      const { runLint } = await import('../run/lint.js');
      const { errors, warnings } = await runLint(paths, flags, surroundings);
      end(errors > 0 || warnings > maxWarnings ? 1 : 0);
    });

function naturalNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a natural number.');
}

const lintHelp = `
A finding is file:line:column severity code message. Each rule has a page of its code in docs/rules. The formats are text,
json, sarif (2.1.0) and github (workflow commands). Findings go to standard output, a summary goes to standard error.

The configuration is looked for from the first PATH upwards:
  { "rules": { "form-without-tool": "info" },
    "overrides": [{ "files": ["admin/**"], "rules": { "destructive-autosubmit": "error" } }],
    "ignore": ["drafts/**"] }
Its globs start from its folder. --rule counts before overrides, and these before rules.

Comments in a page disable rules: all of them, or those that are named; what is behind -- is for people.
  <!-- webmcp-forms-disable-next-line tool-name-too-long -- an old name -->
  <!-- webmcp-forms-disable --> ... <!-- webmcp-forms-enable -->

Fixes keep everything else in the file byte for byte, and are told on standard error. They are written when every page was
read. The result is the same, byte for byte, for every number of --jobs.

Exit codes: 0 no errors, 1 errors or more warnings than --max-warnings, 2 wrong usage, unreadable input or unwritable
output.

Examples:
  $ webmcp-forms lint dist
  $ webmcp-forms lint --format sarif --out webmcp.sarif "pages/**/*.html"
  $ webmcp-forms lint --rule form-without-tool:warning --max-warnings 0 dist`;
