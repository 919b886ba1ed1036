import { createStorage, type Driver } from 'unstorage';
import lruCacheDriver from 'unstorage/drivers/lru-cache';
import { GatewayError } from '../gateway-error.js';

/** A place where items are kept by key: a `Storage` of unstorage, or anything that does as much of it. */
export interface Storage {
  getItem<Value>(key: string): Promise<Value | null>;
  /** As it was written. */
  getItemRaw<Value>(key: string): Promise<Value | null>;
  /** @param options - `ttl`: how many seconds the item is kept, where the store can forget by itself */
  setItem(key: string, value: object, options?: { readonly ttl?: number }): Promise<void>;
  setItemRaw(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
  getKeys(base?: string): Promise<string[]>;
}

/** One that has something to end, such as a connection. */
export interface OpenStorage extends Storage {
  dispose(): Promise<void>;
}

/** What some stores can do, and unstorage has no function for: nothing else comes between reading and writing. */
export interface AtomicStore {
  /** Writes an item that is not there yet, whole, and says whether it was so. */
  create(key: string, text: string): Promise<boolean>;
  /**
   * Replaces an item, or makes it, or leaves it where the change is undefined.
   *
   * @param change - may be asked several times
   * @param seconds - how long the item is kept, where the store can forget by itself
   */
  update(key: string, change: (text: string | null) => string | undefined, seconds: number): Promise<void>;
}

/** Not enumerable, so that a storage that was made of another, as `prefixStorage` does, has it not: its keys differ. */
const atomicStore = Symbol.for('webmcp-forms.atomic-store');

/** Says what a storage can do. */
export function withAtomicStore<Kind extends Storage>(storage: Kind, store: AtomicStore): Kind {
  return Object.defineProperty(storage, atomicStore, { value: store });
}

export const atomicStoreOf = (storage: Storage): AtomicStore | undefined =>
  (storage as { readonly [atomicStore]?: AtomicStore })[atomicStore];

/** An item as text, whatever the driver has made of it. Undefined for what never was text. */
export function textOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item;
  if (item instanceof Uint8Array || item instanceof ArrayBuffer) return new TextDecoder().decode(item);
  return undefined;
}

/**
 * What a store answers, unless it fails or takes too long.
 *
 * @param name - what the store has
 * @throws {GatewayError} `store-unavailable`, without what the store says: its errors can tell what was written
 */
export async function answerOf<Value>(name: string, milliseconds: number, ask: () => Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(unavailable(name, `has not answered in ${milliseconds / 1000} s`));
    }, milliseconds);
  });
  try {
    return await Promise.race([ask(), timeout]);
  } catch (error) {
    throw error instanceof GatewayError ? error : unavailable(name, 'does not answer', reasonOf(error));
  } finally {
    clearTimeout(timer);
  }
}

export const unavailable = (name: string, what: string, reason?: string): GatewayError =>
  new GatewayError(
    'store-unavailable',
    `The store of ${name} ${what}.`,
    reason === undefined ? {} : { cause: new Error(reason) },
  );

/** The code of a system's error, or the first word of Redis's, and nothing else of it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code)) return code;
  return /^[A-Z]{2,20}(?= |$)/.exec(error.message)?.[0] ?? error.name;
}

/**
 * A store in the memory of this process, which forgets what was used longest ago: more than 10,000 sessions as browsers
 * have them, and a site that fills its sessions drives others out no further.
 */
export const memoryStorage = (): OpenStorage =>
  createStorage({
    driver: lruCacheDriver({ max: 10_000, maxSize: 256_000_000 }) as Driver, // its types do not resolve in modules
  });
