import { createWriteStream, rmSync } from 'node:fs';
import { chmod, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isSystemError, reasonOf, UsageError } from './usage-error.js';

export type Sink = (chunks: Chunks<string>) => Promise<void>;

type Chunks<Chunk> = AsyncIterable<Chunk> | Iterable<Chunk>;

/** The time limit for retries while another program has the file open. */
const busyTimeoutMs = 1000;

/**
 * Writes a temporary file and moves it to `path` when it is complete. The target of a symbolic link is replaced, not the link.
 * `file` is the name for error messages.
 */
export const fileSink =
  (path: string, file: string): Sink =>
  async (chunks) =>
    realFileSink(await realpath(path).catch(() => path), file)(chunks);

/**
 * Like `fileSink`, but replaces a symbolic link instead of its target.
 *
 * @param check - called right before the file is replaced; an exception prevents the replacement
 */
export const realFileSink =
  (path: string, file: string, check?: () => Promise<unknown>) =>
  async (chunks: Chunks<string | Uint8Array>): Promise<void> => {
    await checkTarget(path, file);
    await replaceFile(path, chunks, check).catch((cause: unknown) => throwWriteError(file, cause));
  };

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function replaceFile(
  target: string,
  chunks: Chunks<string | Uint8Array>,
  check?: () => Promise<unknown>,
): Promise<void> {
  await mkdir(dirname(target), { recursive: true }).catch(ignoreExisting);
  const mode = (await stat(target).catch(() => undefined))?.mode;
  const temporary = `${target}.${process.pid}-${Date.now().toString(36)}.tmp`;
  const remove = (): void => rmSync(temporary, { force: true });
  const onSignal = (signal: NodeJS.Signals): void => {
    remove();
    process.kill(process.pid, signal); // ends the process, because this listener has been removed
  };
  process.once('exit', remove);
  for (const signal of signals) process.once(signal, onSignal);
  const output = createWriteStream(temporary, { flags: 'wx', flush: true, ...(mode !== undefined && { mode }) });
  try {
    await pipeline(chunks, output);
    if (mode !== undefined) await chmod(temporary, mode); // the umask of the process may have removed permissions
    await check?.();
    await renameUnlessBusy(temporary, target);
  } catch (error) {
    // The stream may create the file after the error.
    if (!output.closed) await new Promise<void>((resolve) => output.once('close', () => resolve()));
    await rm(temporary, { force: true });
    throw error;
  } finally {
    process.off('exit', remove);
    for (const signal of signals) process.off(signal, onSignal);
  }
}

/** Ignores an existing path. If it is not a folder, opening the temporary file fails with a clear message. */
function ignoreExisting(error: unknown): void {
  if (!isSystemError(error) || error.code !== 'EEXIST') throw error;
}

/** Retries for a while, because Windows cannot replace a file that another program has open. */
async function renameUnlessBusy(from: string, to: string, end = performance.now() + busyTimeoutMs): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isBusy(error) || performance.now() >= end) throw error;
    await wait(50);
    await renameUnlessBusy(from, to, end);
  }
}

const isBusy = (error: unknown): boolean =>
  isSystemError(error) && ['EACCES', 'EBUSY', 'EPERM'].includes(error.code ?? '');

/** Rejects a target that is not a regular file: moving a file over a device would replace the device. */
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
