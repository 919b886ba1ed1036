import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Driver } from 'unstorage';
import type { AtomicStore, ItemChange } from '../../stores/store.js';
import { isDraft, isVersion, removeDrafts } from './drafts.js';
import { codeOf, nullIf, succeeds, writeNew } from './files.js';
import { folderOf, readVersion, updateVersion } from './versioned-item.js';

export interface FolderDriver extends Driver, AtomicStore {}

/**
 * An unstorage driver with one file per item, or several versions of an item that is updated atomically. unstorage's own
 * driver treats an unreadable file as missing, and does not replace files atomically.
 */
export function folderDriver(folder: string, { isShared }: { readonly isShared: boolean }): FolderDriver {
  const fileOf = (key: string): ItemFile => ({ path: join(folder, ...key.split(':')), isShared });
  return {
    name: 'webmcp-forms-folder',
    hasItem: async (key) => (await read(fileOf(key))) !== null,
    getItem: (key) => read(fileOf(key)),
    getItemRaw: (key) => read(fileOf(key)),
    setItem: (key, value) => replace(fileOf(key), value),
    setItemRaw: (key, value) => replace(fileOf(key), String(value)),
    removeItem: (key) => updateVersion(fileOf(key).path, () => Promise.resolve(null)),
    getKeys: () => listKeys(folder),
    create: (key, text) => create(fileOf(key), text),
    update: (key, change) => update(fileOf(key), change),
    removeDrafts: (seconds) => removeDrafts(folder, seconds),
  };
}

interface ItemFile {
  readonly path: string;
  readonly isShared: boolean;
}

const read = async ({ path }: ItemFile): Promise<string | null> =>
  (await readVersion(path)) ?? (await readFile(path, 'utf8').catch(nullIf('ENOENT')));

async function replace(file: ItemFile, text: string): Promise<void> {
  if ((await readVersion(file.path)) !== null) return await update(file, () => Promise.resolve(text));
  await withDraft(file, text, (draft) => rename(draft, file.path));
}

/** Creates a file atomically, unless it exists. */
const create = (file: ItemFile, text: string): Promise<boolean> =>
  withDraft(file, text, (draft) => succeeds(linkOrCopy(draft, file, text), 'EEXIST'));

async function withDraft<Result>(
  file: ItemFile,
  text: string,
  use: (draft: string) => Promise<Result>,
): Promise<Result> {
  await createParent(file);
  const draft = `${file.path}.${randomUUID()}.draft`;
  try {
    await writeNew(draft, text, fileMode(file));
    return await use(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

const createParent = ({ path, isShared }: ItemFile): Promise<unknown> =>
  mkdir(dirname(path), { recursive: true, mode: isShared ? 0o777 : 0o700 });

const fileMode = ({ isShared }: ItemFile): number => (isShared ? 0o666 : 0o600);

/** Where hard links are not supported, a crash may leave a partial file, which is invalid JSON. */
const linkOrCopy = (draft: string, file: ItemFile, text: string): Promise<void> =>
  link(draft, file.path).catch((error: unknown) => {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
    return writeNew(file.path, text, fileMode(file));
  });

async function update(file: ItemFile, change: ItemChange): Promise<void> {
  await createParent(file);
  await updateVersion(file.path, change);
}

/** An item with versions is listed by its folder. */
async function listKeys(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nullIf('ENOENT'));
  const keys = (entries ?? []).map(async (entry) => {
    const { name } = entry;
    if (isDraft(name) || isVersion(name)) return [];
    if (!entry.isDirectory()) return [name];
    if (folderOf(name.slice(0, -1)) === name) return [name.slice(0, -1)];
    return (await listKeys(join(folder, name))).map((key) => `${name}:${key}`);
  });
  return [...new Set((await Promise.all(keys)).flat())];
}
