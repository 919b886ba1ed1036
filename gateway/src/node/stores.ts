import { access, constants, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createStorage } from 'unstorage';
import { GatewayError } from '../gateway-error.js';
import { memoryStorage, reasonOf, withAtomicStore, type OpenStorage, type Storage } from '../stores/store.js';
import { folderDriver } from './folder-driver.js';
import { openRedis } from './redis-store.js';

/** A store that is open. */
export interface OpenStore {
  readonly storage: Storage;
  /** Ends its connections. */
  readonly close: () => Promise<void>;
}

export interface StoreOptions {
  /**
   * Whether a folder that is not there need not be made.
   * @default false
   */
  readonly isReadOnly?: boolean;
  /**
   * Whether other users of the machine may read what is in a folder, as far as the umask lets them.
   * @default false
   */
  readonly isShared?: boolean;
}

/**
 * Opens the place where sessions or releases are.
 *
 * @param location - `memory`, the path of a folder, or a URL of Redis: `redis://`, or `rediss://` for TLS
 * @param base - what is kept there, such as `sessions`: a folder in the folder, or the beginning of Redis's keys after
 *   `webmcp-forms:`, so that one location can have several
 * @throws {GatewayError} `config-error` for what is no location, `store-unavailable` for what cannot be opened
 * @example
 * const { storage, close } = await openStore('redis://localhost:6379', 'sessions');
 */
export async function openStore(location: string, base: string, options: StoreOptions = {}): Promise<OpenStore> {
  const storage = await storageAt(location, base, options);
  return { storage, close: () => storage.dispose() };
}

function storageAt(location: string, base: string, options: StoreOptions): Promise<OpenStorage> | OpenStorage {
  if (location === 'memory') return memoryStorage();
  if (/^rediss?:/i.test(location)) return openRedis(redisUrl(location), `webmcp-forms:${base}`);
  if (!/^\w[\w+.-]+:\/\//.test(location)) return openFolder(resolve(location, base), options);
  throw new GatewayError('config-error', `The store is none that is known: ${places}.`);
}

const places = 'give memory, the path of a folder, or a URL that starts with redis:// or rediss://';

async function openFolder(
  folder: string,
  { isReadOnly = false, isShared = false }: StoreOptions,
): Promise<OpenStorage> {
  try {
    if (!isReadOnly) await mkdir(folder, { recursive: true, mode: isShared ? 0o777 : 0o700 });
    await access(folder, constants.R_OK | constants.X_OK | (isReadOnly ? 0 : constants.W_OK));
  } catch (error) {
    const reason = reasonOf(error);
    if (!isReadOnly || reason !== 'ENOENT') throw cannotOpen(folder, reason);
  }
  const driver = folderDriver(folder, { isShared });
  return withAtomicStore(createStorage({ driver }), driver);
}

const cannotOpen = (folder: string, reason: string): GatewayError =>
  new GatewayError('store-unavailable', `The folder ${folder} cannot be opened: ${reason}.`, {
    cause: new Error(reason),
  });

function redisUrl(location: string): URL {
  const isUrl = URL.canParse(location);
  if (isUrl && new URL(location).hostname !== '') return new URL(location);
  throw new GatewayError('config-error', 'The URL of Redis is none: give one such as redis://localhost:6379.');
}
