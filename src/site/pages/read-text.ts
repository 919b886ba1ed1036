import { createReadStream, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { maxPageBytes } from '../limits.js';
import { reasonOf, UsageError } from '../usage-error.js';

/** Decodes UTF-8 without its byte order mark. `where` is the name for error messages. */
export function decodeUtf8(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const isInvalid = cause instanceof TypeError;
    const reason = isInvalid ? 'it is not valid UTF-8. Save it as UTF-8.' : `${reasonOf(cause)}. Split it.`;
    throw new UsageError(`Cannot read ${where}: ${reason}`, { cause });
  }
}

/**
 * Reads a file as UTF-8.
 *
 * @param maxBytes - the maximum size. The file may be a device that never ends
 */
export const readTextFile = async (path: string, file: string, maxBytes = maxPageBytes): Promise<string> =>
  decodeUtf8(await readBytes(createReadStream(path), file, maxBytes), file);

/** Finds a file by its name, in a folder or in the nearest folder above that contains it. */
export function findFileUp(name: string, folder: string): string | undefined {
  const path = resolve(folder, name);
  if (existsSync(path) && statSync(path).isFile()) return path;
  const above = dirname(resolve(folder));
  return above === resolve(folder) ? undefined : findFileUp(name, above);
}

/** @throws {UsageError} if the stream has more than `maxBytes`, or fails */
export async function readBytes(
  stream: AsyncIterable<Uint8Array>,
  file: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throwReadError(file, cause);
  }
  if (size > maxBytes) throw new UsageError(`Cannot read ${file}: it has more than ${maxBytes / 1e6} MB. Split it.`);
  return Buffer.concat(chunks);
}

/** @throws {UsageError} always */
export function throwReadError(file: string, cause: unknown): never {
  const advice = 'Name a file or folder that exists and is readable.';
  throw new UsageError(`Cannot read ${file}: ${reasonOf(cause)}. ${advice}`, { cause });
}
