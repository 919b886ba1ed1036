import { InvalidArgumentError, Option, type Command } from 'commander';
import type { InspectFlags } from '../run/inspect.js';
import { profileNames } from '../options/choices.js';
import type { AddCommand } from './command.js';

/** `webmcp-forms inspect` */
export const addInspect: AddCommand = (program, surroundings, end) =>
  addBrowserOptions(
    program
      .command('inspect')
      .summary('tell which tools a page that runs offers')
      .description('Opens a page in Chromium and tells which tools it offers: natively, and by webmcp-forms.')
      .argument('URL', 'the page: http, https or file; localhost:3000 is enough')
      .addOption(
        new Option('--profile <profile>', 'which schemas webmcp-forms makes').choices(profileNames).default('chromium'),
      )
      .addOption(
        new Option(
          '--sensitive <choice>',
          'whether passwords, payment data and one-time codes become parameters (default: include in chromium, else exclude)',
        ).choices(['include', 'exclude']),
      )
      .option('--json', 'print what was read as JSON')
      .option('--out <file>', 'write it as JSON to a file, at once and whole'),
  )
    .addHelpText('after', inspectHelp)
    .action(async (url: string, flags: InspectFlags) => {
      const { runInspect } = await import('../run/inspect.js');
      const { differences, nativeCrashed } = await runInspect(url, flags, surroundings);
      end(differences.length > 0 || nativeCrashed ? 1 : 0);
    });

/** The options of the commands that open a page. */
export const addBrowserOptions = (command: Command): Command =>
  command
    .option('--chromium <path>', 'the Chromium to open the page in (default: CHROME_PATH, or the first on PATH)')
    .addOption(
      new Option('--timeout <seconds>', 'how long reading the page once may take').argParser(parseSeconds).default(30),
    )
    .option('--wait-for <selector>', 'read the page once an element matches this CSS selector')
    .option('--insecure', 'accept certificates that nobody vouches for');

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && seconds <= 3600) return seconds;
  throw new InvalidArgumentError('It takes seconds, more than 0 and at most 3600.');
}

const inspectHelp = `
It needs playwright-core and a Chromium. The page is opened twice: in a browser without WebMCP, where the script of
webmcp-forms runs before those of the page, and in one with WebMCP. Tools of frames are left out. In the profile chromium
both should say the same; in the others schemas are not compared.

The tools go to standard output, a summary goes to standard error. Exit codes: 0 done, 1 the two differ or the browser
crashed, 2 wrong usage, or a page or browser that cannot be opened.

Examples:
  $ webmcp-forms inspect localhost:3000/book
  $ webmcp-forms inspect --json https://example.com/
  $ webmcp-forms diff webmcp.json https://example.com/book`;
