import { Option } from 'commander';
import {
  commandGroups,
  addManifestOptions,
  addServedOptions,
  jobsOption,
  pageTimeoutOption,
  pathArgument,
} from '../options.js';
import type { CompileFlags } from '../actions/compile.js';
import type { AddCommand } from '../program.js';

export const addCompile: AddCommand = (program, context, setExitCode) =>
  addServedOptions(
    addManifestOptions(
      program
        .command('compile')
        .helpGroup(commandGroups.files)
        .summary('create a tool manifest from HTML pages')
        .description('Creates a tool manifest from the annotated forms in HTML pages.')
        .argument(...pathArgument),
    ),
  )
    .option('--check', 'write nothing, and exit with 1 if the file of --out is not up to date')
    .addOption(
      new Option(
        '--ndjson',
        'read lines of {"path","html","status"?} and write lines of {"path","title"?,"tools","diagnostics"}',
      ).conflicts(['name', 'description', 'manifestVersion', 'check']),
    )
    .addOption(jobsOption('compile'))
    .addOption(pageTimeoutOption('compile'))
    .option('--cache <folder>', 'store the result of each page in a folder, and reuse it while the page is unchanged')
    .addHelpText('after', help)
    .action(async (paths: readonly string[], flags: CompileFlags) => {
      const { compile } = await import('../actions/compile.js');
      const { errors, isStale, unreadable } = await compile(paths, flags, context);
      if (isStale || unreadable > 0 || (flags.strict && errors > 0)) setExitCode(1);
    });

const help = `
A page's path in the manifest is relative to its PATH: to the folder, to a file's folder, or to the part of a glob before
its first pattern character. The page on standard input is index.html. Folders named node_modules and names that begin with
a dot are skipped. Files that are valid UTF-8 are UTF-8. Others have the encoding of their byte order mark or <meta charset>,
as in browsers, and windows-1252 without one, with a warning. Two pages with the same path are an error. A folder that only
symbolic links lead to is visited by the first of them. Broken links are reported and skipped. A ? in a file name is written as %3F. The search for package.json starts
at the first PATH and continues in the folders above.

With --ndjson, PATH is - (the default) or files of NDJSON. Lines are compiled one by one, in order. Their paths are not
compared, because a stream may be one shard of many. One thread compiles them, unless --jobs is set. A path is the path and
query of the page's URL, such as doku.php?id=start: relative to the base URL of the site, or to its origin if it begins with
a slash. A page with a status other than 200 to 299 is skipped with a warning. Up to 100 lines that are not pages are reported
and skipped.

A page that is unreadable, or takes too much time or memory, has the diagnostic unreadable-page instead of tools. The other
pages are not affected, and the exit code is 1.

A URL is read with the rules of robots.txt. A named URL that cannot be read has the diagnostic unreadable-page, too. Other pages
that are errors, logins, duplicates or not HTML are reported and skipped; if others could not be read, nothing is written. The
paths in the manifest are those of the URLs, with their queries.
docs/reference/served-sites.md has the details.

The result is the same, byte for byte, for every number of --jobs and with any --cache. A cache deletes entries that were
not used for a month.

With --check, the differences go to standard error. Names, locations in pages and diagnostics are compared; white space and
the version of webmcp-forms that created the file are not.

The result goes to standard output. Diagnostics, as file:line:column severity code message, and a summary go to standard
error. Exit codes: 0 success; 1 unreadable pages, named URLs or lines, errors with --strict, or a stale file with --check; 2 wrong usage,
unreadable input or unwritable output.

Examples:
  $ webmcp-forms compile --out dist/webmcp.json dist
  $ webmcp-forms compile --check --out webmcp.json dist
  $ webmcp-forms compile --strict "pages/**/*.html"
  $ webmcp-forms compile --depth 2 --out webmcp.json http://localhost:8000/
  $ crawl | webmcp-forms compile --ndjson > tools.ndjson`;
