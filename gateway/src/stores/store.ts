import { createStorage, type Driver } from 'unstorage';
import lruCacheDriver from 'unstorage/drivers/lru-cache';
import { startDeadline } from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';

/** The subset of unstorage's `Storage` that is used. */
export interface Storage {
  getItem<Value>(key: string): Promise<Value | null>;
  /** Does not parse the item. */
  getItemRaw<Value>(key: string): Promise<Value | null>;
  /** @param options - `ttl`: the lifetime of the item in seconds, in stores that support it */
  setItem(key: string, value: object, options?: { readonly ttl?: number }): Promise<void>;
  setItemRaw(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
  getKeys(base?: string): Promise<string[]>;
}

export interface OpenStorage extends Storage {
  dispose(): Promise<void>;
}

/** Atomic operations that unstorage does not have. */
export interface AtomicStore {
  /** Creates an item. Returns whether it did not exist. */
  create(key: string, text: string): Promise<boolean>;
  /**
   * Changes an item atomically.
   *
   * @param change - may be called several times
   * @param seconds - the lifetime of the item, in stores that support it
   */
  update(key: string, change: ItemChange, seconds: number): Promise<void>;
}

/** Resolves with the new text, with null to remove the item, or with undefined to leave it as it is. */
export type ItemChange = (text: string | null) => Promise<string | null | undefined>;

/** The key of a property that is not enumerable, so that `prefixStorage` does not copy it to a storage with other keys. */
const atomicStore = Symbol.for('webmcp-forms.atomic-store');

export function withAtomicStore<Kind extends Storage>(storage: Kind, store: AtomicStore): Kind {
  return Object.defineProperty(storage, atomicStore, { value: store });
}

export const atomicStoreOf = (storage: Storage): AtomicStore | undefined =>
  (storage as { readonly [atomicStore]?: AtomicStore })[atomicStore];

export interface StoreTimeoutOptions {
  /** The timeout of each operation of the store. @default 5000 */
  readonly timeoutMs?: number;
}

/**
 * Runs operations of a store with a timeout. Errors omit the store's messages, which may contain the written values.
 */
export type StoreRunner = <Value>(operation: () => Promise<Value>) => Promise<Value>;

export const defaultTimeoutMs = 5000;

/** @param name - the content of the store, for messages */
export function storeRunner(name: string, { timeoutMs = defaultTimeoutMs }: StoreTimeoutOptions): StoreRunner {
  return async (operation) => {
    const timeoutError = (): GatewayError => storeUnavailable(name, `did not respond within ${timeoutMs / 1000} s`);
    const deadline = startDeadline({ milliseconds: timeoutMs, timeoutError });
    try {
      return await deadline.race(operation());
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      throw storeUnavailable(name, 'is unavailable', new Error(reasonOf(error)));
    } finally {
      deadline.clear();
    }
  };
}

export const storeUnavailable = (name: string, problem: string, cause?: Error): GatewayError =>
  new GatewayError('store-unavailable', `The store of ${name} ${problem}.`, { cause });

/** The code of a system error or of Redis, without the rest of the message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code)) return code;
  return /^[A-Z]{2,20}(?= |$)/.exec(error.message)?.[0] ?? error.name;
}

/**
 * A store in the memory of this process, with at most 50,000 items and 256 MB. The least recently used items are
 * discarded first.
 */
export const memoryStorage = (): OpenStorage =>
  createStorage({
    driver: lruCacheDriver({ max: 50_000, maxSize: 256_000_000 }) as Driver, // the types fail to resolve in modules
  });
