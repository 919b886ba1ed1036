import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Driver } from 'unstorage';
import type { AtomicStore, ItemChange } from '../../stores/store.js';
import { runInTurn } from '../../stores/keyed-mutex.js';
import { codeOf, isLock, lockFolder } from './lock.js';

interface FolderDriver extends Driver, AtomicStore {}

/** @param isShared - whether other processes may use the folder, and other users of the machine may read it */
export async function openFolderDriver(folder: string, isShared: boolean): Promise<FolderDriver> {
  if (isShared) return folderDriver(folder, { file: 0o666, folder: 0o777 });
  const dispose = await lockFolder(folder);
  for (const name of await readdir(folder)) if (isDraft(name)) await rm(join(folder, name), { force: true });
  return { ...folderDriver(folder, { file: 0o600, folder: 0o700 }), dispose };
}

interface Modes {
  readonly file: number;
  readonly folder: number;
}

/**
 * An unstorage driver with one file per item. unstorage's own driver treats an unreadable file as missing, and does not replace
 * files atomically.
 */
function folderDriver(folder: string, modes: Modes): FolderDriver {
  const changes = {};
  const read = (key: string): Promise<string | null> => readFile(pathOf(key), 'utf8').catch(nullIf('ENOENT'));
  const pathOf = (key: string): string => join(folder, ...key.split(':'));
  const change = (key: string, text: string | null): Promise<void> =>
    text === null ? rm(pathOf(key), { force: true }) : replace(pathOf(key), text, modes);
  const update = (key: string, itemChange: ItemChange): Promise<void> =>
    runInTurn(changes, key, async () => {
      const text = await itemChange(await read(key));
      if (text !== undefined) await change(key, text);
    });
  const set = (key: string, text: string | null): Promise<void> => update(key, () => Promise.resolve(text));
  return {
    name: 'webmcp-forms-folder',
    hasItem: async (key) => (await read(key)) !== null,
    getItem: read,
    getItemRaw: read,
    setItem: set,
    setItemRaw: (key, value) => set(key, String(value)),
    removeItem: (key) => set(key, null),
    getKeys: () => listKeys(folder),
    create: (key, text) => create(pathOf(key), text, modes),
    update,
  };
}

const replace = (path: string, text: string, modes: Modes): Promise<void> =>
  withDraft(path, text, modes, (draft) => rename(draft, path));

/** Creates a file atomically, unless it exists. */
const create = (path: string, text: string, modes: Modes): Promise<boolean> =>
  withDraft(
    path,
    text,
    modes,
    async (draft) => (await linkOrCopy(draft, path, text, modes).catch(nullIf('EEXIST'))) !== null,
  );

async function withDraft<Result>(
  path: string,
  text: string,
  modes: Modes,
  use: (draft: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(dirname(path), { recursive: true, mode: modes.folder });
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    await writeNew(draft, text, modes.file);
    return await use(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

const isDraft = (name: string): boolean => /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.draft$/.test(name);

/**
 * Links the draft, or writes the file again if links are not supported: in this case, a crash may leave invalid JSON.
 */
const linkOrCopy = (draft: string, path: string, text: string, modes: Modes): Promise<void> =>
  link(draft, path).catch((error: unknown) => {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
    return writeNew(path, text, modes.file);
  });

async function listKeys(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nullIf('ENOENT'));
  const keys = (entries ?? []).map(async (entry) => {
    const { name } = entry;
    if (isDraft(name) || isLock(name)) return [];
    return entry.isDirectory() ? (await listKeys(join(folder, name))).map((key) => `${name}:${key}`) : [name];
  });
  return (await Promise.all(keys)).flat();
}

const nullIf =
  (...codes: readonly string[]) =>
  (error: unknown): null => {
    if (codes.includes(codeOf(error))) return null;
    throw error;
  };

async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode, flush: true });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
}
