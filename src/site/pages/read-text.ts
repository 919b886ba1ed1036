import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
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

export const readTextFile = async (path: string, file: string): Promise<string> =>
  decodeUtf8(await readFile(path).catch((cause: unknown) => throwReadError(file, cause)), file);

export const readTextStream = async (stream: AsyncIterable<Uint8Array>, file: string): Promise<string> =>
  decodeUtf8(await buffer(stream).catch((cause: unknown) => throwReadError(file, cause)), file);

/** @throws {UsageError} always */
export function throwReadError(file: string, cause: unknown): never {
  const advice = 'Name a file or folder that exists and is readable.';
  throw new UsageError(`Cannot read ${file}: ${reasonOf(cause)}. ${advice}`, { cause });
}
