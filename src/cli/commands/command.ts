import type { Command } from 'commander';
import type { Surroundings } from '../../site/surroundings.js';

/** Adds a command to the program: its flags are declared here alone, and the help is printed from that. */
export type AddCommand = (
  program: Command,
  surroundings: Surroundings,
  /** Says the exit code, if it is not 0. */
  end: (exitCode: number) => void,
) => Command;
