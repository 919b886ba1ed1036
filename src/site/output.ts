import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import type { Surroundings } from './surroundings.js';
import { isSystemError, reasonOf, UsageError } from './usage-error.js';

/** Takes text as fast as it can be written. */
export type Sink = (chunks: AsyncIterable<string> | Iterable<string>) => Promise<void>;

/** Resolves when the stream has taken the text, and rejects when it cannot. */
export const write = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Writes to a stream, which stays open. */
export const streamSink =
  (stream: Writable): Sink =>
  async (chunks) => {
    for await (const chunk of chunks) await write(stream, chunk).catch((cause: unknown) => cannotWriteOn(cause));
  };

/** Whoever reads standard output may stop when it has enough, as `head` does. */
export const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(String(error.code));

const cannotWriteOn = (cause: unknown): never => {
  if (isClosedPipe(cause)) throw cause;
  return cannotWrite('standard output', cause);
};

/** The place to write to, the file `out` or else standard output, which is none of the inputs by whatever name. */
export function sinkBeside(
  inputs: readonly { readonly at: string | null }[],
  out: string | undefined,
  { cwd, stdout }: Pick<Surroundings, 'cwd' | 'stdout'>,
): Sink {
  if (out === undefined) return streamSink(stdout);
  const at = resolve(cwd, out);
  const id = fileId(at);
  if (id === undefined || !inputs.some((input) => input.at !== null && fileId(input.at) === id))
    return fileSink(at, out);
  throw new UsageError(`cannot write ${out}: it is one of the inputs: give --out another file`);
}

/** What all names of a file that exists have in common. */
function fileId(at: string): string | undefined {
  try {
    const { dev, ino } = statSync(at, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Writes a file beside its place and moves it there when all of it is written; `file` is what a person calls it. */
export const fileSink =
  (at: string, file: string): Sink =>
  async (chunks) => {
    await checkTarget(at, file);
    const { writeFile } = await import('atomically');
    const source = failingLoudly(Readable.from(chunks));
    await writeFile(at, source, { timeout: patience })
      .catch((cause: unknown) => cannotWrite(file, cause))
      .finally(() => source.destroy());
  };

/** For how many milliseconds to try again where the file is in another program's hands. */
const patience = 1000;

/** Moving a file to the place of a folder fails; moving one to the place of a device destroys it. */
async function checkTarget(at: string, file: string): Promise<void> {
  const found = await stat(at).catch(() => undefined);
  if (!found || found.isFile()) return;
  const what = found.isDirectory() ? 'it is a folder' : 'it is not a regular file';
  throw new UsageError(`cannot write ${file}: ${what}: name a file, or leave --out away for standard output`);
}

function cannotWrite(file: string, cause: unknown): never {
  if (!isSystemError(cause)) throw cause;
  throw new UsageError(`cannot write ${file}: ${reasonOf(cause)}: name a file that can be written`, { cause });
}

/** `atomically` waits for its file alone: a source that fails has to fail the file, once what it gave is written. */
function failingLoudly(source: Readable): Readable {
  const pipe = source.pipe.bind(source);
  source.pipe = (file, options) => {
    source.once('error', (error) => (file as NodeJS.WritableStream).write('', () => file.emit('error', error)));
    return pipe(file, options);
  };
  return source;
}
