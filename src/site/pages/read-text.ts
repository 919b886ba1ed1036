import { readFile } from 'node:fs/promises';
import { reasonOf, UsageError } from '../usage-error.js';

/** Decodes UTF-8 without its byte order mark; `where` is what the error names. */
export function decodeUtf8(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const isInvalid = cause instanceof TypeError;
    const reason = isInvalid ? 'it is not valid UTF-8: save it as UTF-8' : `${reasonOf(cause)}: split it`;
    throw new UsageError(`cannot read ${where}: ${reason}`, { cause });
  }
}

/** A file's text. */
export async function readTextFile(at: string, file: string): Promise<string> {
  return decodeUtf8(await readFile(at).catch((cause: unknown) => cannotRead(file, cause)), file);
}

/** All that a stream holds, as text. */
export async function readTextStream(stream: AsyncIterable<Uint8Array>, file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (cause) {
    cannotRead(file, cause);
  }
  return decodeUtf8(Buffer.concat(chunks), file);
}

/** @throws {UsageError} always */
export function cannotRead(file: string, cause: unknown): never {
  const advice = 'name a file or a folder that exists and may be read';
  throw new UsageError(`cannot read ${file}: ${reasonOf(cause)}: ${advice}`, { cause });
}
