import { Command, CommanderError } from 'commander';
import { isClosedPipe } from '../site/output.js';
import { oneLine, tell } from '../site/report.js';
import type { Surroundings } from '../site/surroundings.js';
import { reasonOf, UsageError } from '../site/usage-error.js';
import type { AddCommand } from './commands/command.js';

/** A program of several commands. */
export interface ProgramDefinition {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The commands, in the order of the help. */
  readonly commands: readonly AddCommand[];
}

/**
 * Runs a program with its arguments, without the program's own name. It writes a failure as one line to standard error and
 * never throws.
 *
 * @returns the exit code: 0 for done, 1 for findings, 2 for a failure
 */
export async function runProgram(
  definition: ProgramDefinition,
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  let exitCode = 0;
  const program = createProgram(definition, surroundings, (code) => (exitCode = code));
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return await explain(definition.name, error, surroundings);
  }
}

async function explain(name: string, error: unknown, { stderr }: Surroundings): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isClosedPipe(error)) return 0;
  const advice = error instanceof UsageError ? '' : `: this is a bug in ${name}: please report it`;
  await tell(stderr, `${name}: ${oneLine(reasonOf(error))}${advice}\n`);
  return 2;
}

function createProgram(
  { name, description, version, commands }: ProgramDefinition,
  surroundings: Surroundings,
  end: (exitCode: number) => void,
): Command {
  const program = new Command(name).description(description).version(version).exitOverride();
  const { stdout, stderr } = surroundings;
  const configure = (command: Command, path: string): Command =>
    command.configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, writeError) => writeError(usageLine(name, path, text)),
    });
  for (const add of commands) {
    const command = add(program, surroundings, end);
    configure(command, `${command.name()} `);
  }
  return configure(program, '');
}

const usageLine = (program: string, path: string, text: string): string =>
  `${program}: ${oneLine(text).replace(/^error: |\.$/g, '')}: see ${program} ${path}--help\n`;
