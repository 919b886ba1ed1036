import { Command, CommanderError, Option } from 'commander';
import { profileNames } from '../compiler/index.js';
import { compile, type CompileFlags, type Surroundings } from './compile.js';
import { version } from './generator.js';
import { isClosedPipe } from './output.js';
import { oneLine, tell } from './report.js';
import { reasonOf, UsageError } from './usage-error.js';

/**
 * Runs the program with its arguments, without the program's own name, and returns the exit code: 0 for done, 1 for
 * errors under `--strict`, 2 for what could not be done. It writes what failed as one line and never throws.
 */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode = 0;
  const program = createProgram(surroundings, (code) => (exitCode = code));
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return await explain(error, surroundings);
  }
}

async function explain(error: unknown, { stderr }: Surroundings): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isClosedPipe(error)) return 0;
  const advice = error instanceof UsageError ? '' : ': this is a fault of webmcp-forms: please report it';
  await tell(stderr, `webmcp-forms: ${oneLine(reasonOf(error))}${advice}\n`);
  return 2;
}

function createProgram({ stdin, stdout, stderr, cwd }: Surroundings, end: (exitCode: number) => void): Command {
  const program = new Command('webmcp-forms')
    .description('Turns the HTML forms of a site into WebMCP tools.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, writeError) => writeError(`${usageLine(text)}\n`),
    });
  addCompile(program).action(async (paths: readonly string[], flags: CompileFlags) => {
    const { errors } = await compile(paths, flags, { stdin, stdout, stderr, cwd });
    end(flags.strict && errors > 0 ? 1 : 0);
  });
  return program;
}

const usageLine = (text: string): string =>
  `webmcp-forms: ${oneLine(text).replace(/^error: |\.$/g, '')}: see webmcp-forms compile --help`;

const addCompile = (program: Command): Command =>
  program
    .command('compile')
    .summary('make a tool manifest of HTML pages')
    .description('Makes a tool manifest of the annotated forms in HTML pages.')
    .argument('[PATH...]', 'a file, a folder (every .html file below it), a glob, or - for one page on standard input')
    .addOption(
      new Option('--profile <profile>', 'which schemas the tools get').choices(profileNames).default('precise'),
    )
    .addOption(
      new Option(
        '--sensitive <choice>',
        'whether passwords, payment data and one-time codes become parameters (default: include in chromium, else exclude)',
      ).choices(['include', 'exclude']),
    )
    .option('--name <name>', "the manifest's name (default: the nearest package.json's, or site)")
    .option('--description <text>', "its description (default: the nearest package.json's, or none)")
    .option('--manifest-version <version>', "its version (default: the nearest package.json's, or 0.0.0)")
    .option('--strict', 'exit with 1 when there is an error among the diagnostics; the result is written all the same')
    .option('--out <file>', 'write to a file, at once and whole, instead of standard output')
    .addOption(
      new Option('--ndjson', 'read {"path","html"} a line and write {"path","tools","diagnostics"} a line').conflicts([
        'name',
        'description',
        'manifestVersion',
      ]),
    )
    .addHelpText('after', compileHelp);

const compileHelp = `
A page's path in the manifest is relative to its PATH: to the folder, to a file's folder, to the part of a glob before its
first pattern character. The page on standard input is index.html. Folders named node_modules or with a leading dot are
left out. Two pages of one path are an error. Pages are read as UTF-8, whatever they declare.
The nearest package.json is looked for from the first PATH upwards.

With --ndjson, PATH is - (the default) or files of NDJSON. Lines are compiled one by one, in order; their paths are not
compared, because a stream may be one shard of many.

The result goes to standard output; diagnostics, as file:line:column severity code message, and a summary go to standard
error. Exit codes: 0 done, 1 errors under --strict, 2 wrong usage, unreadable input or unwritable output.

Examples:
  $ webmcp-forms compile --out dist/webmcp.json dist
  $ webmcp-forms compile --strict "pages/**/*.html"
  $ crawl | webmcp-forms compile --ndjson > tools.ndjson`;
