import { Option } from 'commander';
import type { Confidence } from '../../suggest/index.js';
import {
  addServedOptions,
  commandGroups,
  includeSensitiveOption,
  jobsOption,
  optionGroups,
  outOption,
  pageTimeoutOption,
} from '../options.js';
import type { AnnotateFlags } from '../actions/annotate.js';
import type { AddCommand } from '../program.js';

// The names are duplicated here, so that help and usage errors do not load the compiler.
const confidences: Readonly<Record<Confidence, true>> = { low: true, medium: true, high: true };

export const addAnnotate: AddCommand = (program, context, setExitCode) =>
  addServedOptions(
    program
      .command('annotate')
      .helpGroup(commandGroups.forms)
      .summary('suggest annotations for forms, and write them into the files')
      .description('Suggests annotations for the forms of pages and templates, and writes them.')
      .argument(
        '[PATH...]',
        'a file, a folder (all pages and templates in and below it), a glob, - for a page on standard input, or a URL',
      )
      .addOption(new Option('--write', 'write the annotations into the files').conflicts('interactive'))
      .option('--interactive', 'ask for each form whether to write, edit or skip its annotations')
      .option('--data', 'write attributes with the prefix data-, such as data-toolname')
      .addOption(includeSensitiveOption().helpGroup(optionGroups.choice))
      .addOption(
        new Option('--min-confidence <level>', 'leave out suggestions below this confidence')
          .helpGroup(optionGroups.choice)
          .choices(Object.keys(confidences))
          .default('low'),
      )
      .addOption(
        new Option('--with-findings', 'also annotate forms that lint would report').helpGroup(optionGroups.choice),
      )
      .addOption(
        new Option('--format <format>', 'the format of the suggestions').choices(['text', 'json']).default('text'),
      )
      .addOption(outOption())
      .addOption(jobsOption('annotate'))
      .addOption(pageTimeoutOption('annotate')),
  )
    .addHelpText('after', help)
    .action(async (paths: readonly string[], flags: AnnotateFlags) => {
      const { annotate } = await import('../actions/annotate.js');
      const { unsafe, unreadable, hidden, unwritten } = await annotate(paths, flags, context);
      if (unwritten > 0) setExitCode(2);
      else if (unsafe + unreadable + hidden > 0) setExitCode(1);
    });

const help = `
Without --write, nothing is changed: the suggestions are printed as a table, and the changes as a unified diff, which git
apply and patch -p1 can read. A diff with control characters is printed only with --out FILE. The table has the place, the
confidence, the name, the submitter of the form (agent or person), and the description. A suggestion with low confidence
should be rewritten by a person. With --write, only the attributes are added, and the second run has nothing to do. Forms
that have annotations are not changed.

Templates are .html, Jinja, Django, Twig, Liquid (.jinja .jinja2 .j2 .djhtml .twig .njk .liquid), ERB (.erb), EJS, JSP, PHP
(.php .phtml), Blade, Handlebars, Mustache, Go (.hbs .handlebars .mustache .gohtml .tmpl), Vue, Svelte, Astro, JSX and TSX.
Values that a template computes are neither read nor changed. A form that cannot be annotated safely is reported as
file:line:column with the reason: forms in loops or in code, without an end tag, or with findings of lint. A file is written
in its encoding; a file that is not UTF-8 must declare it.

The pages of a URL are read as in compile, and cannot be written.

The suggestions go to standard output. Forms and files that are not annotated, and a summary, go to standard error. Exit
codes: 0 success; 1 forms, files or named URLs that cannot be annotated or read, or diffs that are not printed; 2 wrong
usage, unreadable input, or a file that cannot be written.

Examples:
  $ webmcp-forms annotate templates
  $ webmcp-forms annotate --write site && webmcp-forms compile --strict --out webmcp.json site
  $ webmcp-forms annotate --interactive "views/**/*.erb"
  $ webmcp-forms annotate --format json https://example.com/`;
