import { randomUUID } from 'node:crypto';
import { access, mkdir, readFile, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ItemChange } from '../../stores/store.js';
import { createEmpty, nullIf, succeeds, tokenPattern, writeNew } from './files.js';

// The versions of an item with the path P are files that never change, P.TOKEN. The folder P@ has one empty file, whose
// name is the token of the current version. A change writes a new version and renames the file in P@ from the old token
// to the new one. Tokens are unique, so this fails if the item changed meanwhile, and the change starts again. There are
// no locks, so a process that crashes or sleeps at any point neither blocks others nor overwrites their changes.

export const folderOf = (path: string): string => `${path}@`;
export const versionOf = (path: string, token: string): string => `${path}.${token}`;
export const draftOf = (path: string, token: string): string => `${versionOf(path, token)}.draft`;

interface Version {
  readonly token: string;
  readonly text: string;
}

/** Returns null if the item has no version. */
export const readVersion = async (path: string): Promise<string | null> => (await currentVersion(path))?.text ?? null;

/** The number of reads of an empty folder, or of a missing file, which other processes may rename or write meanwhile. */
const maxReads = 10;
const readPauseMs = 50;

async function currentVersion(path: string): Promise<Version | undefined> {
  let previous: string | undefined;
  for (let count = 0; ;) {
    const token = await currentToken(path);
    if (token === undefined) return undefined;
    const text = await readText(path, token);
    if (text !== null) return { token, text };
    count = token === previous ? count + 1 : 0;
    previous = token;
    if (count === maxReads) return { token, text: '' }; // somebody has removed the file
    if (count > 0) await wait(readPauseMs);
  }
}

/** `removeDrafts` moves a version before it removes it. */
const readText = async (path: string, token: string): Promise<string | null> =>
  (await readFile(versionOf(path, token), 'utf8').catch(nullIf('ENOENT'))) ??
  (await readFile(draftOf(path, token), 'utf8').catch(nullIf('ENOENT', 'EISDIR')));

async function currentToken(path: string): Promise<string | undefined> {
  for (let count = 0; count < maxReads; count++) {
    const names = await readdir(folderOf(path)).catch(nullIf('ENOENT'));
    const token = names?.find((name) => tokenPattern.test(name));
    if (token !== undefined || names === null) return token;
  }
  return undefined;
}

/** With the longest pauses, the attempts take about 10 seconds. */
const maxAttempts = 400;
const maxPauseMs = 50;

/** Changes an item. An item of an earlier version of the gateway, a file with the path P, is the first version. */
export async function updateVersion(path: string, change: ItemChange): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const version = await currentVersion(path);
    const before = version ? version.text : await readFile(path, 'utf8').catch(nullIf('ENOENT'));
    const text = await change(before);
    if (text === undefined) return;
    if (await (text === null ? removeVersion(path, version) : addVersion(path, version, text))) return;
    await wait(Math.random() * Math.min(2 ** attempt, maxPauseMs));
  }
  throw Object.assign(new Error('Other processes changed the item meanwhile.'), { code: 'EBUSY' });
}

/** Returns false if the item changed meanwhile. */
async function addVersion(path: string, version: Version | undefined, text: string): Promise<boolean> {
  const token = randomUUID();
  const file = versionOf(path, token);
  await writeNew(file, text, 0o600);
  const isCurrent = await (version ? replaceToken(path, version.token, token) : createFolder(path, token));
  if (!isCurrent) {
    await rm(file, { force: true });
    return false;
  }
  await restoreVersion(path, token, text);
  await rm(version ? versionOf(path, version.token) : path, { force: true });
  return true;
}

/**
 * Writes the current version again, if `removeDrafts` has removed it because this process was suspended. Another process may
 * replace and remove the version meanwhile.
 */
async function restoreVersion(path: string, token: string, text: string): Promise<void> {
  const file = versionOf(path, token);
  const isCurrent = (): Promise<boolean> => succeeds(access(join(folderOf(path), token)), 'ENOENT');
  while ((await isCurrent()) && !(await succeeds(access(file), 'ENOENT'))) {
    const draft = draftOf(file, randomUUID());
    await writeNew(draft, text, 0o600);
    await succeeds(rename(draft, file), 'ENOENT');
  }
  if (!(await isCurrent())) await rm(file, { force: true });
}

const replaceToken = (path: string, from: string, to: string): Promise<boolean> =>
  succeeds(rename(join(folderOf(path), from), join(folderOf(path), to)), 'ENOENT');

/** Renaming a folder to one that exists fails unless that is empty. */
async function createFolder(path: string, token: string): Promise<boolean> {
  const draft = draftOf(path, randomUUID());
  await mkdir(draft, { mode: 0o700 });
  try {
    if (!(await succeeds(createEmpty(join(draft, token), 0o600), 'ENOENT'))) return false;
    return await succeeds(rename(draft, folderOf(path)), 'ENOTEMPTY', 'EEXIST', 'ENOENT');
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Returns false if the item changed meanwhile. */
async function removeVersion(path: string, version: Version | undefined): Promise<boolean> {
  await rm(path, { force: true });
  if (!version) return true;
  if (!(await succeeds(unlink(join(folderOf(path), version.token)), 'ENOENT'))) return false;
  await rm(versionOf(path, version.token), { force: true });
  await removeEmpty(folderOf(path));
  return true;
}

/** Removes a folder, unless it has files. */
export const removeEmpty = (folder: string): Promise<boolean> =>
  succeeds(rmdir(folder), 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'EBUSY');
