import type { Readable, Writable } from 'node:stream';

export interface CliContext {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** The absolute path that relative paths are resolved against. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}
