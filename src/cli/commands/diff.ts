import type { DiffFlags } from '../run/diff.js';
import type { AddCommand } from './command.js';
import { addBrowserOptions } from './inspect.js';

/** `webmcp-forms diff` */
export const addDiff: AddCommand = (program, surroundings, end) =>
  addBrowserOptions(
    program
      .command('diff')
      .summary('tell what changed between two manifests, or a manifest and a live page')
      .description('Tells what changed for those who call the tools: breaking, widening, wording.')
      .argument('OLD', 'a manifest')
      .argument('NEW', 'another manifest, or the URL of a page that runs')
      .option('--json', 'print the changes as JSON')
      .option('--page <path>', "the path of the manifest's page that is at the URL (default: by the URL's path)"),
  )
    .addHelpText('after', diffHelp)
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const { isNotable } = await import('../../diff/print.js');
      const { runDiff } = await import('../run/diff.js');
      const changes = await runDiff(before, after, flags, surroundings);
      end(changes.some(isNotable) ? 1 : 0);
    });

const diffHelp = `
breaking  what an agent could send or rely on is no more; also a form that is submitted without a person now, or waits for
          one, that is sent in another way or elsewhere, and annotations
widening  a new tool, or a tool that takes more
wording   titles, descriptions, defaults, examples, order

A schema that cannot be compared is breaking. Both manifests have to be of one profile. A live page is read in Chromium in
the manifest's own profile; forms' methods, actions and toolautosubmit are not compared with it.

The changes go to standard output, a summary goes to standard error. Exit codes: 0 nothing changed but words, 1 more
changed, 2 wrong usage, a file that is no manifest, or a page that cannot be read.

Examples:
  $ webmcp-forms diff released.json webmcp.json
  $ webmcp-forms diff webmcp.json https://example.com/book`;
