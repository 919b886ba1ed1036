import { access, chmod, constants, mkdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createStorage } from 'unstorage';
import { urlOf } from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';
import { memoryStorage, reasonOf, withAtomicStore, type OpenStorage, type Storage } from '../stores/store.js';
import { openFolderDriver } from './folder/folder-driver.js';
import { openRedis } from './redis-store.js';

export interface OpenStore {
  readonly storage: Storage;
  readonly close: () => Promise<void>;
  /** Descriptions of repaired problems, as sentences. */
  readonly warnings: readonly string[];
}

interface StoreOptions {
  /** Whether to skip creating a missing folder. @default false */
  readonly isReadOnly?: boolean;
  /**
   * Whether other processes may use a folder at the same time, and other users of the machine may read it, subject to the
   * umask. If processes change an item of a shared folder concurrently, changes are lost. @default false
   */
  readonly isShared?: boolean;
}

/**
 * Opens a store of sessions or releases.
 *
 * @param location - `memory`, the path of a folder, or a Redis URL: `redis://`, or `rediss://` for TLS
 * @param base - the part of the location, such as `sessions`: a folder in the folder, or a prefix of the Redis keys after
 *   `webmcp-forms:`
 * @throws {GatewayError} `config-error` for an invalid location, `store-unavailable` if it cannot be opened, such as a folder
 *   that another process uses
 * @example
 * const { storage, close } = await openStore('redis://localhost:6379', 'sessions');
 */
export async function openStore(location: string, base: string, options: StoreOptions = {}): Promise<OpenStore> {
  if (location === 'memory') return opened(memoryStorage());
  if (isRedisUrl(location)) return opened(await openRedis(parseRedisUrl(location), `webmcp-forms:${base}`));
  if (!isStoreUrl(location)) return await openFolder(resolve(location, base), options);
  const advice = 'Use memory, the path of a folder, or a URL that starts with redis:// or rediss://.';
  throw new GatewayError('config-error', `The store is not supported. ${advice}`);
}

const opened = (storage: OpenStorage, warnings: readonly string[] = []): OpenStore => ({
  storage,
  close: () => storage.dispose(),
  warnings,
});

export const isRedisUrl = (location: string): boolean => /^rediss?:/i.test(location);

export const isStoreUrl = (location: string): boolean => isRedisUrl(location) || /^\w[\w+.-]+:\/\//.test(location);

async function openFolder(folder: string, options: StoreOptions): Promise<OpenStore> {
  const { isReadOnly = false, isShared = false } = options;
  await checkFolder(folder, isReadOnly, isShared);
  const isOwn = !isReadOnly && !isShared;
  const warning = isOwn ? await closeToOthers(folder) : undefined;
  const driver = await openFolderDriver(folder, !isOwn);
  return opened(withAtomicStore(createStorage({ driver }), driver), warning === undefined ? [] : [warning]);
}

async function checkFolder(folder: string, isReadOnly: boolean, isShared: boolean): Promise<void> {
  try {
    if (!isReadOnly) await mkdir(folder, { recursive: true, mode: isShared ? 0o777 : 0o700 });
    await access(folder, constants.R_OK | constants.X_OK | (isReadOnly ? 0 : constants.W_OK));
  } catch (error) {
    const reason = reasonOf(error);
    if (isReadOnly && reason === 'ENOENT') return;
    const message = `The folder ${folder} cannot be opened: ${reason}.`;
    throw new GatewayError('store-unavailable', message, { cause: new Error(reason) });
  }
}

/** Removes the permissions of other users from a folder, which another program may have created. */
async function closeToOthers(folder: string): Promise<string | undefined> {
  const { mode } = await stat(folder);
  const open = mode & 0o077;
  if (process.platform === 'win32' || open === 0) return undefined;
  await chmod(folder, mode & 0o7700).catch(() => undefined);
  const octal = (mode & 0o777).toString(8);
  if (((await stat(folder)).mode & 0o077) === 0) {
    return `other users had access to the folder ${folder}: its mode was ${octal} and is now ${(mode & 0o700).toString(8)}`;
  }
  const problem = `Other users have access to the folder ${folder}: its mode is ${octal} and cannot be changed.`;
  throw new GatewayError('store-unavailable', `${problem} Run chmod 700 as its owner, or use another folder.`);
}

function parseRedisUrl(location: string): URL {
  const url = urlOf(location);
  if (url && url.hostname !== '') return url;
  throw new GatewayError('config-error', 'The Redis URL is invalid. Use one such as redis://localhost:6379.');
}
