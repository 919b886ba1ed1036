import type { Readable, Writable } from 'node:stream';

/** The streams and the environment of a program. */
export interface CliContext {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** The absolute path from which relative paths start. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}
