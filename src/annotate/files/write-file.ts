import { access, constants, readFile, realpath, stat } from 'node:fs/promises';
import { fileSink } from '../../site/output.js';
import { decodeUtf8, throwReadError } from '../../site/pages/read-text.js';
import { UsageError } from '../../site/usage-error.js';
import { applyInsertions, type Insertion } from '../tags/insertion.js';
import { changedProblem, hashOf } from './annotate-files.js';

interface FileChange {
  /** The absolute path. */
  readonly at: string;
  /** The name for messages. */
  readonly file: string;
  /** Identifies the content that the insertions are for. */
  readonly hash: string;
  readonly insertions: readonly Insertion[];
}

/**
 * Writes insertions into a file, completely or not at all. The byte order mark and the mode stay. A symbolic link stays, and
 * its target is written.
 *
 * @throws {UsageError} if the file has changed, or cannot be written
 */
export async function writeInsertions({ at, file, hash, insertions }: FileChange): Promise<void> {
  const path = await writablePath(at, file);
  const bytes = await readFile(path).catch((cause: unknown) => throwReadError(file, cause));
  if (hashOf(bytes) !== hash) throw new UsageError(`Cannot write ${file}: ${changedProblem}`);
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? '\uFEFF' : '';
  const changed = mark + applyInsertions(decodeUtf8(bytes, file), insertions);
  await checkUnchanged(path, file, hash);
  await fileSink(path, file)([changed]);
}

async function writablePath(at: string, file: string): Promise<string> {
  const found = await stat(at).catch((cause: unknown) => throwReadError(file, cause));
  if (!found.isFile()) throw new UsageError(`Cannot write ${file}: it is not a regular file. Omit --write for it.`);
  // Replacing a file does not need the permission to write it, and an administrator has every permission.
  const isAllowed = await access(at, constants.W_OK).then(
    () => (found.mode & 0o222) !== 0,
    () => false,
  );
  if (!isAllowed) throw new UsageError(`Cannot write ${file}: it is read-only. Make it writable, or omit --write.`);
  return realpath(at);
}

async function checkUnchanged(path: string, file: string, hash: string): Promise<void> {
  const bytes = await readFile(path).catch((cause: unknown) => throwReadError(file, cause));
  if (hashOf(bytes) !== hash) throw new UsageError(`Cannot write ${file}: ${changedProblem}`);
}
