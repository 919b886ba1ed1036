import type { Readable, Writable } from 'node:stream';

/** Where a program reads, writes and looks up relative paths. */
export interface Surroundings {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** An absolute path. */
  readonly cwd: string;
  /** The environment's variables. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}
