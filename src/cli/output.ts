import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { fileSink, throwWriteError, type Sink } from '../site/output.js';
import { oneLine, type Paint } from '../site/printable.js';
import { UsageError } from '../site/usage-error.js';
import type { CliContext } from './context.js';

const write = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Writes a message to standard error. A closed stream is ignored. */
export const writeMessage = (stderr: Writable, text: string): Promise<void> =>
  text === '' ? Promise.resolve() : write(stderr, text).catch(() => undefined);

export const warningLines = (warnings: readonly string[] = []): string =>
  warnings.map((warning) => `webmcp-forms: ${oneLine(warning)}\n`).join('');

export const writtenTo = (out: string | undefined): string => (out === undefined ? '' : `, written to ${out}`);

export const isTerminal = (stream: object): boolean => 'isTTY' in stream && stream.isTTY === true;

/** Styles text for a terminal with colors. Node.js respects NO_COLOR. */
export function createPainter(stream: Writable & { readonly hasColors?: () => boolean }): Paint {
  return isTerminal(stream) && stream.hasColors?.() === true ? styleText : (_, text) => text;
}

/** Writes to standard output, and does not close it. */
export const streamSink =
  (stream: Writable): Sink =>
  async (chunks) => {
    for await (const chunk of chunks)
      await write(stream, chunk).catch((cause: unknown) => {
        if (isClosedPipe(cause)) throw cause;
        throwWriteError('standard output', cause);
      });
  };

/** Whether the reader of standard output has closed it, as `head` does. */
export const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(String(error.code));

/**
 * Opens the file `out`, or standard output.
 *
 * @throws {UsageError} if `out` is one of the inputs, even under another path
 */
export function openOutput(
  inputs: readonly { readonly at: string | null }[],
  out: string | undefined,
  { cwd, stdout }: Pick<CliContext, 'cwd' | 'stdout'>,
): Sink {
  if (out === undefined) return streamSink(stdout);
  const path = resolve(cwd, out);
  const id = fileId(path);
  if (id === undefined || !inputs.some(({ at }) => at !== null && fileId(at) === id)) return fileSink(path, out);
  throw new UsageError(`Cannot write ${out}: --out is one of the inputs. Choose another file.`);
}

/** Identifies a file regardless of its path; undefined if the file does not exist. */
function fileId(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
