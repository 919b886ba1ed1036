import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { fileSink, throwWriteError, type Sink } from '../site/output.js';
import { oneLine, type Paint } from '../site/printable.js';
import { UsageError } from '../site/usage-error.js';
import type { CliContext } from './program.js';

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

interface Progress {
  readonly show: (pages: number) => void;
  /** Removes the line. Called before other output and at the end. */
  readonly clear: () => void;
}

/** The time before the first line, and the interval between lines, in milliseconds. */
interface Pace {
  readonly first: number;
  readonly interval: number;
}

const onTerminal: Pace = { first: 1000, interval: 100 };
const inLog: Pace = { first: 10_000, interval: 10_000 };

/** Shows progress: in an interactive terminal on one line, without a timer; in other streams with a line every 10 seconds. */
export function createProgress(
  { stderr, env = {} }: Pick<CliContext, 'stderr' | 'env'>,
  total: number | undefined,
  now: () => number = () => performance.now(),
): Progress {
  const isInteractive = 'isTTY' in stderr && stderr.isTTY === true && !env['CI'] && env['TERM'] !== 'dumb';
  const { first, interval } = isInteractive ? onTerminal : inLog;
  const start = now();
  let drawn = start + first - interval;
  let isShown = false;
  return {
    show: (pages) => {
      if (now() - drawn < interval) return;
      drawn = now();
      isShown = isInteractive;
      const text = progressText(pages, total, drawn - start);
      stderr.write(isInteractive ? `\r\x1b[K${text}` : `webmcp-forms: ${text}\n`);
    },
    clear: () => {
      if (isShown) stderr.write('\r\x1b[K');
      isShown = false;
    },
  };
}

function progressText(pages: number, total: number | undefined, elapsedMs: number): string {
  const perSecond = pages / (elapsedMs / 1000);
  const rate = `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} per second`;
  if (total === undefined) return `${pages} pages, ${rate}`;
  const left = timeText((total - pages) / perSecond);
  return `${pages} of ${total} pages (${Math.floor((100 * pages) / total)} %), ${rate}, ${left} left`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
