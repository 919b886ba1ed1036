import { Command, CommanderError, type HelpConfiguration } from 'commander';
import { oneLine } from '../site/printable.js';
import { InterruptedError, reasonOf, UsageError } from '../site/usage-error.js';
import { isClosedPipe, writeMessage } from './output.js';
import type { Readable, Writable } from 'node:stream';

export interface CliContext {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** The absolute path that relative paths are resolved against. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export type AddCommand = (program: Command, context: CliContext, setExitCode: (exitCode: number) => void) => Command;

export interface ProgramDefinition {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly commands: readonly AddCommand[];
  /** Command lines for the help. */
  readonly examples?: readonly string[];
}

/**
 * Runs a program with its command-line arguments. A failure is reported as one line on standard error and is not
 * thrown.
 *
 * @returns the exit code: 0 for success, 1 for findings, 2 for a failure
 */
export async function runProgram(
  definition: ProgramDefinition,
  argv: readonly string[],
  context: CliContext,
): Promise<number> {
  let exitCode = 0;
  const program = createProgram(definition, context, (code) => (exitCode = code));
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return await reportError(definition.name, error, context);
  }
}

async function reportError(name: string, error: unknown, { stderr }: CliContext): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isClosedPipe(error)) return 0;
  const advice = error instanceof UsageError ? '' : `. This is a bug in ${name}. Please report it.`;
  await writeMessage(stderr, `${name}: ${oneLine(reasonOf(error))}${advice}\n`);
  return error instanceof InterruptedError ? 130 : 2; // 128 and the number of SIGINT, as in shells
}

function createProgram(
  { name, description, version, commands, examples = [] }: ProgramDefinition,
  context: CliContext,
  setExitCode: (exitCode: number) => void,
): Command {
  const program = new Command(name).description(description).version(version).exitOverride();
  const { stdout, stderr } = context;
  const configure = (command: Command, path: string): Command =>
    command.configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, writeError) => writeError(`${name}: ${usageError(text)} See ${name} ${path}--help.\n`),
    });
  for (const add of commands) {
    const command = add(program, context, setExitCode);
    configure(command, `${command.name()} `);
  }
  if (examples.length > 0) program.addHelpText('after', examplesText(examples));
  return configure(program.configureHelp(helpOfProgram), '');
}

/** The help of the program fits on a screen, so it omits the arguments of commands and the command `help`. */
const helpOfProgram: HelpConfiguration = {
  subcommandTerm: (command) => command.name(),
  visibleCommands: ({ commands }) => [...commands],
};

const examplesText = (examples: readonly string[]): string =>
  ['', 'Examples:', ...examples.map((line) => `  $ ${line}`)].join('\n');

/** Converts a message of Commander to a sentence. */
function usageError(text: string): string {
  const message = oneLine(text).replace(/^error: /, '');
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}
