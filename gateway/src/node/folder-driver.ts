import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Driver } from 'unstorage';
import type { AtomicStore } from '../stores/store.js';

export interface FolderDriver extends Driver, AtomicStore {}

/**
 * An unstorage driver with one file per item. unstorage's own driver treats an unreadable file as missing, and does not
 * replace files atomically.
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
    getKeys: () => listKeys(folder),
    create: (key, text) => create(fileOf(key), text),
    update: (key, change) => update(fileOf(key), change),
  };
}

interface ItemFile {
  readonly path: string;
  readonly isShared: boolean;
}

const read = ({ path }: ItemFile): Promise<string | null> => readFile(path, 'utf8').catch(nullIf('ENOENT'));

const nullIf =
  (...codes: readonly string[]) =>
  (error: unknown): null => {
    if (codes.includes(codeOf(error))) return null;
    throw error;
  };

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const replace = (file: ItemFile, text: string): Promise<void> =>
  withDraft(file, text, (draft) => rename(draft, file.path));

/** Creates a file atomically, unless it exists. */
const create = (file: ItemFile, text: string): Promise<boolean> =>
  withDraft(file, text, (draft) => succeeds(linkOrCopy(draft, file, text)));

async function withDraft<Result>(
  file: ItemFile,
  text: string,
  use: (draft: string) => Promise<Result>,
): Promise<Result> {
  await createParent(file);
  const draft = { ...file, path: `${file.path}.${randomUUID()}.draft` };
  try {
    await writeNew(draft, text);
    return await use(draft.path);
  } finally {
    await rm(draft.path, { force: true });
  }
}

const createParent = ({ path, isShared }: ItemFile): Promise<unknown> =>
  mkdir(dirname(path), { recursive: true, mode: isShared ? 0o777 : 0o700 });

const writeNew = ({ path, isShared }: ItemFile, text: string): Promise<void> =>
  writeFile(path, text, { flag: 'wx', mode: isShared ? 0o666 : 0o600, flush: true });

/** Where hard links are not supported, a crash may leave a partial file, which is invalid JSON. */
const linkOrCopy = (draft: string, file: ItemFile, text: string): Promise<void> =>
  link(draft, file.path).catch((error: unknown) => {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
    return writeNew(file, text);
  });

const succeeds = (attempt: Promise<void>): Promise<boolean> =>
  attempt.then(
    () => true,
    (error: unknown) => {
      nullIf('EEXIST')(error);
      return false;
    },
  );

async function update(file: ItemFile, change: (text: string | null) => string | undefined): Promise<void> {
  await createParent(file);
  const lock = `${file.path}.lock`;
  await acquire(lock);
  try {
    const text = change(await read(file));
    if (text !== undefined) await replace(file, text);
  } finally {
    await rm(lock, { force: true });
  }
}

/** A process that holds a lock for longer is assumed to have crashed. */
const lockTimeoutMs = 3000;

async function acquire(lock: string): Promise<void> {
  while (!(await succeeds(open(lock, 'wx', 0o600).then((file) => file.close())))) {
    const { mtimeMs } = (await stat(lock).catch(nullIf('ENOENT'))) ?? { mtimeMs: Infinity };
    if (Date.now() - mtimeMs > lockTimeoutMs) await unlink(lock).catch(nullIf('ENOENT'));
    else await wait(5 + Math.random() * 20);
  }
}

async function listKeys(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nullIf('ENOENT'));
  const keys = (entries ?? []).map(async (entry) => {
    if (!entry.isDirectory()) return [entry.name];
    return (await listKeys(join(folder, entry.name))).map((key) => `${entry.name}:${key}`);
  });
  return (await Promise.all(keys)).flat();
}
