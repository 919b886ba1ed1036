import { Option } from 'commander';
import type { CompileFlags } from '../run/compile.js';
import type { AddCommand } from './command.js';
import { jobsOption } from '../options/jobs-option.js';
import { addManifestFlags } from '../options/manifest-flags.js';

/** `webmcp-forms compile` */
export const addCompile: AddCommand = (program, surroundings, end) =>
  addManifestFlags(
    program
      .command('compile')
      .summary('make a tool manifest of HTML pages')
      .description('Makes a tool manifest of the annotated forms in HTML pages.')
      .argument(
        '[PATH...]',
        'a file, a folder (every .html file below it), a glob, or - for one page on standard input',
      ),
  )
    .option('--check', 'write nothing, and exit with 1 when the file of --out is not what would be written')
    .addOption(
      new Option('--ndjson', 'read {"path","html"} a line and write {"path","tools","diagnostics"} a line').conflicts([
        'name',
        'description',
        'manifestVersion',
        'check',
      ]),
    )
    .addOption(jobsOption('compile'))
    .option('--cache <folder>', 'keep there what was made of each page, and do not parse it again while it is the same')
    .addHelpText('after', compileHelp)
    .action(async (paths: readonly string[], flags: CompileFlags) => {
      const { compile } = await import('../run/compile.js');
      const { errors, isStale } = await compile(paths, flags, surroundings);
      end(isStale || (flags.strict && errors > 0) ? 1 : 0);
    });

const compileHelp = `
A page's path in the manifest is relative to its PATH: to the folder, to a file's folder, to the part of a glob before its
first pattern character. The page on standard input is index.html. Folders named node_modules and names with a leading dot
are left out, as is what is not UTF-8 and has no annotation, with a warning. Two pages of one path are an error. Pages are
read as UTF-8, whatever they declare. A folder that is reached by symbolic links alone is entered by the first of them.
The nearest package.json is looked for from the first PATH upwards.

With --ndjson, PATH is - (the default) or files of NDJSON. Lines are compiled one by one, in order; their paths are not
compared, because a stream may be one shard of many. One thread compiles them unless --jobs says more.

The result is the same, byte for byte, for every number of --jobs and with any --cache. What a cache did not need for a
month is dropped.

With --check, what differs goes to standard error. Which version of webmcp-forms made the file is no difference, nor is
white space; names, places in the pages and diagnostics are.

The result goes to standard output; diagnostics, as file:line:column severity code message, and a summary go to standard
error. Exit codes: 0 done, 1 errors under --strict or a stale file under --check, 2 wrong usage, unreadable input or unwritable output.

Examples:
  $ webmcp-forms compile --out dist/webmcp.json dist
  $ webmcp-forms compile --check --out webmcp.json dist
  $ webmcp-forms compile --strict "pages/**/*.html"
  $ crawl | webmcp-forms compile --ndjson > tools.ndjson`;
