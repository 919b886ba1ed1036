import { Option } from 'commander';
import type { TypesFlags } from '../run/types.js';
import { profileNames } from '../options/choices.js';
import type { AddCommand } from './command.js';

/** `webmcp-forms types` */
export const addTypes: AddCommand = (program, surroundings) =>
  program
    .command('types')
    .summary('make TypeScript declarations of what the tools take')
    .description('Makes a TypeScript declaration file of what the tools of pages, or of a manifest, take.')
    .argument('[PATH...]', 'a manifest (a .json file); or files, folders, globs, or - as compile takes them')
    .addOption(
      new Option('--profile <profile>', 'which schemas the tools of pages get (default: precise)').choices(
        profileNames,
      ),
    )
    .addOption(
      new Option(
        '--sensitive <choice>',
        'whether passwords, payment data and one-time codes become parameters (default: include in chromium, else exclude)',
      ).choices(['include', 'exclude']),
    )
    .option('--out <file>', 'write to a file, at once and whole, instead of standard output')
    .addHelpText('after', typesHelp)
    .action(async (paths: readonly string[], flags: TypesFlags) => {
      const { runTypes } = await import('../run/types.js');
      await runTypes(paths, flags, surroundings);
    });

const typesHelp = `
The file declares an interface for each tool's input, ToolInputs, which maps the names of the tools to them, and
SiteModelContext, to which document.modelContext is assigned so that calls are checked. It needs no other file and declares
nothing global.

Exit codes: 0 done, 2 wrong usage, unreadable input or unwritable output.

Examples:
  $ webmcp-forms types --out src/webmcp-tools.d.ts dist
  $ webmcp-forms types webmcp.json`;
