import { access, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIf, succeeds, tokenPattern } from './files.js';
import { folderOf, removeEmpty, versionOf } from './versioned-item.js';

/** Removes what crashed processes have left in a folder of items: drafts, versions that are not current, and old locks. */
export async function removeDrafts(folder: string, seconds: number): Promise<void> {
  const before = Date.now() - seconds * 1000;
  for (const name of (await readdir(folder).catch(nullIf('ENOENT'))) ?? []) {
    const path = join(folder, name);
    if (!isRemovable(name) || !(await isOlder(path, before))) continue;
    if (name.endsWith('@')) await removeEmpty(path);
    else if (name.endsWith('.lock')) await rm(path, { force: true });
    else if (isDraft(name)) await removeMoved(path.slice(0, -'.draft'.length));
    else await removeUnused(path);
  }
}

const isRemovable = (name: string): boolean =>
  isDraft(name) || isVersion(name) || name.endsWith('@') || /^[\da-f]{64}\.lock$/.test(name);

export const isDraft = (name: string): boolean => name.endsWith('.draft') && isVersion(name.slice(0, -'.draft'.length));

/** Whether a name is one of a version, `ITEM.TOKEN`. */
export const isVersion = (name: string): boolean => tokenPattern.test(name.slice(name.lastIndexOf('.') + 1));

const isOlder = async (path: string, time: number): Promise<boolean> =>
  ((await stat(path).catch(nullIf('ENOENT'))) ?? { mtimeMs: Infinity }).mtimeMs < time;

/**
 * Removes a version that is not current. A process that was suspended may make it current at any time: the version is
 * moved first, and restored if it is current then. Afterwards that process finds that it is missing, and writes it again.
 */
async function removeUnused(path: string): Promise<void> {
  if (await isCurrent(path)) return;
  if (await succeeds(rename(path, `${path}.draft`), 'ENOENT')) await removeMoved(path);
}

/** Another process may remove or restore the same version. */
async function removeMoved(path: string): Promise<void> {
  const moved = `${path}.draft`;
  if (await isCurrent(path)) await succeeds(rename(moved, path), 'ENOENT');
  else await rm(moved, { recursive: true, force: true });
}

function isCurrent(path: string): Promise<boolean> {
  const dot = path.lastIndexOf('.');
  const [item, token] = [path.slice(0, dot), path.slice(dot + 1)];
  return versionOf(item, token) === path
    ? succeeds(access(join(folderOf(item), token)), 'ENOENT')
    : Promise.resolve(true);
}
