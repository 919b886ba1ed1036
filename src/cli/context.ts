import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';

export interface CliContext {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** The absolute path that relative paths are resolved against. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Adds a command to the program. */
export type AddCommand = (program: Command, context: CliContext, setExitCode: (exitCode: number) => void) => Command;
