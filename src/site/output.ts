import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { isSystemError, reasonOf, UsageError } from './usage-error.js';

/** Writes chunks of text with backpressure. */
export type Sink = (chunks: AsyncIterable<string> | Iterable<string>) => Promise<void>;

/** The time limit for retries while another program has the file open. */
const busyTimeoutMs = 1000;

/** Writes a temporary file and moves it to `path` when it is complete. `file` is the name for error messages. */
export const fileSink =
  (path: string, file: string): Sink =>
  async (chunks) => {
    await checkTarget(path, file);
    const { writeFile } = await import('atomically');
    const source = forwardErrors(Readable.from(chunks));
    await writeFile(path, source, { timeout: busyTimeoutMs })
      .catch((cause: unknown) => throwWriteError(file, cause))
      .finally(() => source.destroy());
  };

/** Moving a file over a folder fails, and moving it over a device destroys the device. */
async function checkTarget(path: string, file: string): Promise<void> {
  const target = await stat(path).catch(() => undefined);
  if (!target || target.isFile()) return;
  const reason = target.isDirectory() ? 'it is a folder' : 'it is not a regular file';
  throw new UsageError(`Cannot write ${file}: ${reason}. Name a file, or omit --out for standard output.`);
}

export function throwWriteError(file: string, cause: unknown): never {
  if (!isSystemError(cause)) throw cause;
  throw new UsageError(`Cannot write ${file}: ${reasonOf(cause)}. Name a file that is writable.`, { cause });
}

/** `atomically` only listens for errors of the destination, so errors of the source are emitted there. */
function forwardErrors(source: Readable): Readable {
  const pipe = source.pipe.bind(source);
  source.pipe = (file, options) => {
    source.once('error', (error) => (file as NodeJS.WritableStream).write('', () => file.emit('error', error)));
    return pipe(file, options);
  };
  return source;
}
