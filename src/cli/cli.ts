import { version } from '../site/generator.js';
import { addAnnotate } from './commands/annotate.js';
import { addCompile } from './commands/compile.js';
import { addDiff } from './commands/diff.js';
import { addInit } from './commands/init.js';
import { addInspect } from './commands/inspect.js';
import { addLint } from './commands/lint.js';
import { addMerge } from './commands/merge.js';
import { addTypes } from './commands/types.js';
import { type CliContext, runProgram, type ProgramDefinition } from './program.js';

/** The commands of `webmcp-forms`, from which its help and its reference are printed. */
export const program: ProgramDefinition = {
  name: 'webmcp-forms',
  description: 'Turns the HTML forms of a site into WebMCP tools.',
  version,
  commands: [addInit, addAnnotate, addLint, addCompile, addMerge, addTypes, addInspect, addDiff],
  examples: ['webmcp-forms init site'],
};

/**
 * Runs `webmcp-forms` with its command-line arguments.
 *
 * @returns the exit code: 0 for success, 1 for findings, 2 for a failure
 */
export const run = (argv: readonly string[], context: CliContext): Promise<number> =>
  runProgram(program, argv, context);
