import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Driver } from 'unstorage';
import type { AtomicStore } from '../stores/store.js';

/** Files of a folder for unstorage. */
export interface FolderDriver extends Driver, AtomicStore {}

/**
 * Keeps each item in a file. The driver of unstorage takes a file that it may not read for one that is not there, and
 * replaces files by parts.
 *
 * @param folder - an absolute path
 * @param options - whether others may read the files
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
    removeItem: (key) => rm(fileOf(key).path, { force: true }),
    getKeys: () => keysIn(folder),
    create: (key, text) => create(fileOf(key), text),
    update: (key, change) => update(fileOf(key), change),
  };
}

interface ItemFile {
  readonly path: string;
  readonly isShared: boolean;
}

const modeOf = ({ isShared }: ItemFile): number => (isShared ? 0o666 : 0o600);

const read = ({ path }: ItemFile): Promise<string | null> => readFile(path, 'utf8').catch(nullIf('ENOENT'));

const nullIf =
  (...codes: readonly string[]) =>
  (error: unknown): null => {
    if (codes.includes(codeOf(error))) return null;
    throw error;
  };

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const makeFolderOf = ({ path, isShared }: ItemFile): Promise<unknown> =>
  mkdir(dirname(path), { recursive: true, mode: isShared ? 0o777 : 0o700 });

/** Writes a file beside its place and moves it there. */
async function replace(file: ItemFile, text: string): Promise<void> {
  await makeFolderOf(file);
  const draft = draftOf(file);
  try {
    await writeNew(draft, text);
    await rename(draft.path, file.path);
  } finally {
    await rm(draft.path, { force: true });
  }
}

const draftOf = (file: ItemFile): ItemFile => ({ ...file, path: `${file.path}.${randomUUID()}.draft` });

/** Writes a file beside its place and gives it this name too, if no file has it. */
async function create(file: ItemFile, text: string): Promise<boolean> {
  await makeFolderOf(file);
  const draft = draftOf(file);
  try {
    await writeNew(draft, text);
    return await isDone(linkOrCopy(draft, file, text));
  } finally {
    await rm(draft.path, { force: true });
  }
}

const writeNew = (file: ItemFile, text: string): Promise<void> =>
  writeFile(file.path, text, { flag: 'wx', mode: modeOf(file), flush: true });

/** Some file systems have no links: there a crash may leave a part of the file, which is no JSON then. */
const linkOrCopy = (draft: ItemFile, file: ItemFile, text: string): Promise<void> =>
  link(draft.path, file.path).catch((error: unknown) => {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
    return writeNew(file, text);
  });

const isDone = (attempt: Promise<void>): Promise<boolean> =>
  attempt.then(
    () => true,
    (error: unknown) => {
      nullIf('EEXIST')(error);
      return false;
    },
  );

async function update(file: ItemFile, change: (text: string | null) => string | undefined): Promise<void> {
  await makeFolderOf(file);
  const lock = `${file.path}.lock`;
  await take(lock);
  try {
    const text = change(await read(file));
    if (text !== undefined) await replace(file, text);
  } finally {
    await rm(lock, { force: true });
  }
}

/** Longer than any change takes: whoever has a lock for so long has died. */
const longestLock = 3000;

async function take(lock: string): Promise<void> {
  while (!(await isDone(open(lock, 'wx', 0o600).then((file) => file.close())))) {
    const { mtimeMs } = (await stat(lock).catch(nullIf('ENOENT'))) ?? { mtimeMs: Infinity };
    if (Date.now() - mtimeMs > longestLock) await unlink(lock).catch(nullIf('ENOENT'));
    else await wait(5 + Math.random() * 20);
  }
}

async function keysIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nullIf('ENOENT'));
  const keys = (entries ?? []).map(async (entry) => {
    if (!entry.isDirectory()) return [entry.name];
    return (await keysIn(join(folder, entry.name))).map((key) => `${entry.name}:${key}`);
  });
  return (await Promise.all(keys)).flat();
}
