import type { Command } from 'commander';
import type { CliContext } from '../context.js';

/** Adds a command to the program, with its flags, its help and its action. */
export type AddCommand = (
  program: Command,
  context: CliContext,
  /** Sets an exit code other than 0. */
  setExitCode: (exitCode: number) => void,
) => Command;
