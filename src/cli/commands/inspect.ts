import { resolve } from 'node:path';
import type { SynthesizeOptions } from '../../compiler/index.js';
import type { InspectOptions } from '../../inspect/inspect.js';
import { fileSink } from '../../site/output.js';
import { printableJson } from '../../site/printable.js';
import { commandGroups, addBrowserOptions, profileOption, sensitiveOption } from '../options.js';
import { createPainter, streamSink, writeMessage, writtenTo } from '../output.js';
import type { AddCommand } from '../program.js';

interface InspectFlags extends InspectOptions, SynthesizeOptions {
  readonly json?: true;
  readonly out?: string;
}

export const addInspect: AddCommand = (program, context, setExitCode) =>
  addBrowserOptions(
    program
      .command('inspect')
      .helpGroup(commandGroups.tools)
      .summary('list the tools of a live page, with their parameters')
      .description(
        'Opens a page in Chromium and lists its tools, with their parameters: natively, and with webmcp-forms.',
      )
      .argument('URL', 'the page: http, https or file; localhost:3000 is enough')
      .addOption(profileOption('the profile of the input schemas of webmcp-forms').default('chromium'))
      .addOption(sensitiveOption())
      .option('--json', 'print the result as JSON')
      .option('--out <file>', 'also write it as JSON to a file, atomically'),
  )
    .addHelpText('after', help)
    .action(async (url: string, flags: InspectFlags) => {
      const { inspectPage, recordSummary, recordText } = await import('../../inspect/inspect.js');
      const { cwd, stdout, stderr } = context;
      const { out } = flags;
      const record = await inspectPage(url, flags, context);
      const json = `${printableJson(record, 2)}\n`;
      if (out !== undefined) await fileSink(resolve(cwd, out), out)([json]);
      await streamSink(stdout)([flags.json ? json : recordText(record, createPainter(stdout))]);
      await writeMessage(stderr, `webmcp-forms: ${recordSummary(record)}${writtenTo(out)}\n`);
      if (record.differences.length > 0 || record.nativeCrashed) setExitCode(1);
    });

const help = `
The command needs Chromium and playwright-core: npm install --save-dev playwright-core. It opens the page twice: in a browser without WebMCP, where the script of
webmcp-forms runs before the scripts of the page, and in a browser with WebMCP. Tools of frames are not listed. With the
profile chromium, both results should be the same; with other profiles, schemas are not compared.

Each parameter has its name, its type, whether it is required, and its description. The tools go to standard output, a summary goes to standard error. Exit codes: 0 success; 1 the results differ, or the
browser crashed; 2 wrong usage, or a page or browser that cannot be opened.

Examples:
  $ webmcp-forms inspect localhost:3000/book
  $ webmcp-forms inspect --json https://example.com/
  $ webmcp-forms diff webmcp.json https://example.com/book`;
