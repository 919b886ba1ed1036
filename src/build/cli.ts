import { Command, CommanderError } from 'commander';
import type { AddCommand } from './commands/command.js';
import { addCompile } from './commands/compile.js';
import { addLint } from './commands/lint.js';
import { addDiff } from './commands/diff.js';
import { addInspect } from './commands/inspect.js';
import { addMerge } from './commands/merge.js';
import { addRelease } from './commands/release.js';
import { addServe } from './commands/serve.js';
import { addTypes } from './commands/types.js';
import { version } from './generator.js';
import { isClosedPipe } from './output.js';
import { oneLine, tell } from './report.js';
import type { Surroundings } from './surroundings.js';
import { reasonOf, UsageError } from './usage-error.js';

/** The commands in the order in which the help lists them. */
const commands: readonly AddCommand[] = [
  addCompile,
  addMerge,
  addLint,
  addTypes,
  addDiff,
  addInspect,
  addRelease,
  addServe,
];

/**
 * Runs the program with its arguments, without the program's own name, and returns the exit code: 0 for done, 1 for
 * findings, 2 for what could not be done. It writes what failed as one line and never throws.
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

function createProgram(surroundings: Surroundings, end: (exitCode: number) => void): Command {
  const program = new Command('webmcp-forms')
    .description('Turns the HTML forms of a site into WebMCP tools.')
    .version(version)
    .exitOverride();
  const { stdout, stderr } = surroundings;
  for (const add of commands) {
    const command = add(program, surroundings, end);
    command.configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, writeError) => writeError(`${usageLine(text, `${command.name()} `)}\n`),
    });
  }
  return program.configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    outputError: (text, writeError) => writeError(`${usageLine(text, '')}\n`),
  });
}

const usageLine = (text: string, command: string): string =>
  `webmcp-forms: ${oneLine(text).replace(/^error: |\.$/g, '')}: see webmcp-forms ${command}--help`;
