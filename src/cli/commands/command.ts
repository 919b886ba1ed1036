import type { Command } from 'commander';
import type { CliContext } from '../context.js';

export type AddCommand = (program: Command, context: CliContext, setExitCode: (exitCode: number) => void) => Command;
