import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { access, constants, lstat, mkdir, readFile, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { realFileSink } from '../site/output.js';
import { maxManifestBytes } from '../site/limits.js';
import { readBytes } from '../site/pages/read-text.js';
import { isInside, writableFile, writeExpected } from '../site/rewrite-file.js';
import { reasonOf, UsageError } from '../site/usage-error.js';

/** The new content of a file. */
export interface Change {
  /** The path relative to the folder of the project, with slashes. */
  readonly file: string;
  /** The original content; undefined for a created file. */
  readonly before: Buffer | undefined;
  /** The new content; undefined for a deleted file. */
  readonly after: Buffer | undefined;
}

interface Write extends Change {
  /** The real path. */
  readonly path: string;
}

/** Changes that can be written, in the order of writing. */
interface CheckedChanges {
  readonly root: string;
  readonly writes: readonly Write[];
  /** The created folders, outer folders first, relative to the folder of the project, with slashes. */
  readonly folders: readonly string[];
}

/** The content of a file, or undefined if the file does not exist. */
export async function readIfExists(path: string): Promise<Buffer | undefined> {
  if (!existsSync(path)) return undefined;
  // Limits the size, because a symbolic link may lead to a device that never ends.
  return Buffer.from(await readBytes(createReadStream(path), path, maxManifestBytes));
}

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Checks that all changes can be written.
 *
 * @param root - the absolute path of the folder of the project. No file outside of it is written
 * @throws {UsageError} if a file is read-only or outside of the folder, or a new file exists
 */
export async function checkChanges(root: string, changes: readonly Change[]): Promise<CheckedChanges> {
  const writes: Write[] = [];
  const folders = new Set<string>();
  for (const change of changes) {
    const at = join(root, change.file);
    if (change.before !== undefined) {
      const { path } = await writableFile({ at, file: change.file, folder: root });
      await checkNotGit(root, path, change.file);
      // Two paths can lead to one file through symbolic links.
      if (!writes.some((write) => write.path === path)) writes.push({ ...change, path });
      continue;
    }
    const { path, missing } = await newFile(root, change.file);
    await checkNotGit(root, path, change.file);
    writes.push({ ...change, path });
    for (const folder of missing) folders.add(folder);
  }
  return { root, writes, folders: [...folders] };
}

/** Rejects files of git, whose configuration can start programs. A committed record or symbolic link could lead to them. */
async function checkNotGit(root: string, path: string, file: string): Promise<void> {
  if (isGit(relative(await realpath(root), path)))
    throw new UsageError(`Cannot write ${file}: it is a file of the git repository itself. Nothing was changed.`);
}

const isGit = (path: string): boolean => /(?:^|[\\/])\.git(?:[\\/]|$)/i.test(path);

interface NewFile {
  readonly path: string;
  /** The folders to create, outer folders first. */
  readonly missing: readonly string[];
}

async function newFile(root: string, file: string): Promise<NewFile> {
  const error = (reason: string): UsageError => new UsageError(`Cannot write ${file}: ${reason}`);
  const at = join(root, file);
  if (await lstat(at).catch(() => undefined)) throw error('it exists. Move it away.');
  const missing: string[] = [];
  let folder = dirname(at);
  while (!(await lstat(folder).catch(() => undefined))) {
    missing.unshift(relative(root, folder).replaceAll('\\', '/'));
    folder = dirname(folder);
  }
  const [real, realRoot] = await Promise.all([realpath(folder), realpath(root)]).catch((cause: unknown) => {
    throw error(`${reasonOf(cause)}. Correct the symbolic link.`);
  });
  if (!isInside(real, realRoot))
    throw error(`a symbolic link leads to ${real}, outside of the folder. Remove the link.`);
  const found = await lstat(real);
  if (!found.isDirectory()) throw error(`${relative(root, folder)} is not a folder. Move it away.`);
  const isAllowed = await access(real, constants.W_OK | constants.X_OK).then(
    () => (found.mode & 0o222) !== 0,
    () => false,
  );
  if (!isAllowed) throw error('its folder is read-only. Make it writable.');
  return { path: join(real, relative(folder, at)), missing };
}

/**
 * Writes all changes, or none.
 *
 * @throws {UsageError} if a file has changed or cannot be written
 */
export async function applyChanges({ root, writes, folders }: CheckedChanges): Promise<void> {
  const written: Write[] = [];
  try {
    for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
    for (const write of writes) {
      await writeFile(write);
      written.push(write);
    }
  } catch (error) {
    const left = await rollBack(root, written, folders);
    const outcome = left.length === 0 ? 'Nothing was changed.' : `Restore these files by hand: ${left.join(', ')}.`;
    throw new UsageError(`${reasonOf(error).replace(/\.?$/, '.')} ${outcome}`, { cause: error });
  }
}

async function writeFile({ path, file, before, after }: Write): Promise<void> {
  const isExpected = (bytes: Buffer): boolean => before !== undefined && bytes.equals(before);
  if (after === undefined) await deleteExpected(path, file, isExpected);
  else if (before === undefined) await realFileSink(path, file, () => checkAbsent(path, file))([after]);
  else await writeExpected(path, file, isExpected, after);
}

async function checkAbsent(path: string, file: string): Promise<void> {
  if (await lstat(path).catch(() => undefined))
    throw new UsageError(`Cannot write ${file}: another program created it. Run the command again.`);
}

async function deleteExpected(path: string, file: string, isExpected: (bytes: Buffer) => boolean): Promise<void> {
  if (!isExpected(await readFile(path)))
    throw new UsageError(`Cannot delete ${file}: another program changed it. Run the command again.`);
  await rm(path);
}

/** Returns the files that could not be restored. */
async function rollBack(
  root: string,
  written: readonly Write[],
  folders: readonly string[],
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { before, after, ...write } of [...written].reverse())
    await writeFile({ ...write, before: after, after: before }).catch(() => left.push(write.file));
  await removeFolders(root, folders);
  return left;
}

/** Removes created folders that are empty. Does not follow symbolic links. */
export async function removeFolders(root: string, folders: readonly string[]): Promise<void> {
  const realRoot = await realpath(root);
  for (const folder of [...folders].reverse()) {
    const path = join(realRoot, folder);
    const real = await realpath(path).catch(() => undefined);
    if (real === path && !isGit(folder)) await rmdir(path).catch(() => undefined);
  }
}

/**
 * The files of a folder with uncommitted changes, including untracked files.
 *
 * @returns an empty list outside of a git repository, or without git
 */
export const uncommittedFiles = (folder: string): Promise<readonly string[]> =>
  new Promise((resolve) => {
    // git status would start the file system monitor of a repository, which can be any program. A committed folder can look
    // like a bare repository, whose configuration can also start programs.
    const config = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'];
    const args = [...config, '--no-optional-locks', 'status', '--porcelain', '-z', '--', '.'];
    execFile('git', args, { cwd: folder, maxBuffer: 100_000_000 }, (error, stdout) => {
      resolve(error ? [] : namesIn(stdout));
    });
  });

/** https://git-scm.com/docs/git-status#_porcelain_format_version_1 The old name of a renamed file is a separate field. */
function namesIn(status: string): readonly string[] {
  const names: string[] = [];
  const fields = status.split('\0').values();
  for (const field of fields) {
    if (field === '') continue;
    names.push(field.slice(3));
    if (/[RC]/.test(field.slice(0, 2))) fields.next();
  }
  return names;
}
