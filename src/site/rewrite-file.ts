import { access, constants, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { realFileSink } from './output.js';
import type { PageInput } from './pages/find-pages.js';
import { throwReadError } from './pages/read-text.js';
import { UsageError } from './usage-error.js';

interface WritableFile {
  readonly path: string;
  /** A message that names the target of a symbolic link. */
  readonly notice?: string;
}

/**
 * Finds the file that a page is written to. For a symbolic link, this is the target.
 *
 * @param flag - the flag that writes files, for messages; undefined if the command always writes them
 * @throws {UsageError} if the file is not writable, or if links lead from a folder to a file outside of it
 */
export async function writableFile(
  { at, file, folder }: Pick<PageInput, 'at' | 'file' | 'folder'>,
  flag?: string,
): Promise<WritableFile> {
  const error = (reason: string): UsageError => new UsageError(`Cannot write ${file}: ${reason}`);
  if (at === null) throw error('it is not a file. Name files or folders.');
  const found = await stat(at).catch((cause: unknown) => throwReadError(file, cause));
  if (!found.isFile()) throw error(`it is not a regular file. ${flag ? `Omit ${flag} for it.` : 'Remove it.'}`);
  // Checks the permission and the mode: replacing a file needs no write permission, and administrators can write any file.
  const isAllowed = await access(at, constants.W_OK).then(
    () => (found.mode & 0o222) !== 0,
    () => false,
  );
  if (!isAllowed) throw error(`it is read-only. Make it writable${flag ? `, or omit ${flag}` : ''}.`);
  const base = folder ?? dirname(at);
  const [path, realBase] = await Promise.all([realpath(at), realpath(base)]);
  if (path === join(realBase, relative(base, at))) return { path };
  if (folder !== undefined && !isInside(path, realBase))
    throw error(`a symbolic link leads to ${path}, outside of the folder. Name that file to write it.`);
  return { path, notice: `${file} leads to ${path} through a symbolic link. That file was written.` };
}

/** Whether a path is the path of a folder or of a file in it. Both paths are absolute. */
export function isInside(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return !isAbsolute(below) && !/^\.\.(?:[/\\]|$)/.test(below);
}

/**
 * Replaces the text of a file, completely or not at all. The encoding, the byte order mark and the mode do not change.
 *
 * @param path - the real path. A link that replaces it afterwards is not followed
 * @param isExpected - whether the file still has the bytes that the change applies to
 * @throws {UsageError} if the file has changed, or cannot be written in its encoding
 */
export async function rewriteFile(
  path: string,
  file: string,
  isExpected: (bytes: Buffer) => boolean,
  change: (text: string) => string,
): Promise<void> {
  const bytes = await readExpected(path, file, isExpected);
  const { changePage } = await import('./pages/page-encoding.js');
  const changed = changePage(bytes, change);
  if (!changed) throw new UsageError(`Cannot write ${file}: ${encodingProblem}`);
  await writeExpected(path, file, isExpected, changed);
}

export const encodingProblem = 'its encoding cannot represent it. Save it as UTF-8.';

/** Replaces a file, completely or not at all. @throws {UsageError} if the file has changed */
export const writeExpected = (
  path: string,
  file: string,
  isExpected: (bytes: Buffer) => boolean,
  bytes: Uint8Array,
): Promise<void> => realFileSink(path, file, () => readExpected(path, file, isExpected))([bytes]);

async function readExpected(path: string, file: string, isExpected: (bytes: Buffer) => boolean): Promise<Buffer> {
  const bytes = await readFile(path).catch((cause: unknown) => throwReadError(file, cause));
  if (!isExpected(bytes) || (await realpath(path)) !== path)
    throw new UsageError(`Cannot write ${file}: ${changedProblem}`);
  return bytes;
}

export const changedProblem = 'Another program changed the file. Run the command again.';
