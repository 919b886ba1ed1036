import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { CookieJar, type Cookie } from 'tough-cookie';
import { isRecord } from 'webmcp-forms/headless';
import { CallCookies, mergeCookies, parseCookies } from '../upstream/cookies.js';
import { atomicStoreOf, parseJson, storeRunner, type Storage, type StoreTimeoutOptions } from './store.js';
import { runInTurn } from './turns.js';

/** The cookies of a client during a call. */
export interface Session {
  /** New cookies are added to it. */
  readonly jar: CookieJar;
  /**
   * Saves the changes of the call, merged with those of other calls. Does nothing if the session was ended meanwhile.
   *
   * Calls of this process never lose each other's changes. Calls of other processes do not either with a store of
   * `webmcp-gateway/node`; with other stores the last of two concurrent saves wins.
   *
   * @throws {GatewayError} `store-unavailable`
   */
  save(): Promise<void>;
}

export interface Sessions {
  /**
   * Opens a session. A damaged session is replaced by a new one.
   *
   * @param key - a secret of the client; the store contains only its digest
   * @param client - the client that the session belongs to; others with the same key have other sessions
   * @throws {GatewayError} `store-unavailable`
   */
  open(key: string, client?: string): Promise<Session>;
  /**
   * Removes a session.
   *
   * @throws {GatewayError} `store-unavailable`
   */
  end(key: string, client?: string): Promise<void>;
}

/**
 * @param seconds - the lifetime after the last call. To save writes, it is renewed only after a tenth of it has passed
 */
export function createSessions(storage: Storage, seconds: number, options: StoreTimeoutOptions = {}): Sessions {
  const run = storeRunner('sessions', options);
  return {
    async open(key, client) {
      const id = idOf(key, client);
      const stored = parseSession(await run(() => storage.getItem<unknown>(id)));
      const isOpen = stored !== undefined && stored.expires > Date.now();
      const cookies = new CallCookies(isOpen ? stored.cookies : []);
      const change: Change = (item) => mergeItem(item, cookies.changed, isOpen, seconds);
      const isFresh = !isOpen || stored.expires - Date.now() >= seconds * 900;
      return {
        jar: new CookieJar(cookies),
        async save() {
          if (cookies.changed.size === 0 && isFresh) return;
          await run(() => runInTurn(storage, id, () => run(() => updateItem(storage, id, change, seconds))));
        },
      };
    },
    async end(key, client) {
      const id = idOf(key, client);
      await run(() => runInTurn(storage, id, () => run(() => storage.removeItem(id))));
    },
  };
}

/**
 * Removes expired sessions from a store that does not expire items, such as a folder.
 *
 * @returns the number of removed sessions
 * @throws {GatewayError} `store-unavailable`
 */
export async function removeExpiredSessions(storage: Storage, options: StoreTimeoutOptions = {}): Promise<number> {
  const run = storeRunner('sessions', options);
  let count = 0;
  for (const id of (await run(() => storage.getKeys())).filter((key) => /^[\da-f]{64}$/.test(key))) {
    await runInTurn(storage, id, async () => {
      const session = parseSession(await run(() => storage.getItem<unknown>(id)));
      if (session && session.expires + removalDelaySeconds * 1000 > Date.now()) return;
      await run(() => storage.removeItem(id));
      count++;
    });
  }
  return count;
}

/** Expired sessions stay in the store while calls may use them. */
const removalDelaySeconds = 60;

/** The identity of a session. It begins with that of its client, so that the sessions of a client can be counted. */
const idOf = (key: string, client: string | undefined): string =>
  client === undefined ? digestOf(key) : clientPrefix(client) + digestOf(JSON.stringify([key, client])).slice(16);

const clientPrefix = (client: string): string => digestOf(client).slice(0, 16);

/** Web Crypto is slower for short texts, because it switches threads. */
const digestOf = (key: string): string => bytesToHex(sha256(utf8ToBytes(key)));

interface Item {
  /** Milliseconds since the epoch. */
  readonly expires: number;
  readonly cookies: readonly object[];
}

interface StoredSession {
  readonly expires: number;
  readonly cookies: readonly Cookie[];
}

/** Returns undefined for a missing or damaged session. */
function parseSession(item: unknown): StoredSession | undefined {
  if (!isRecord(item) || typeof item.expires !== 'number' || !Array.isArray(item.cookies)) return undefined;
  const cookies = parseCookies(item.cookies);
  return cookies && { expires: item.expires, cookies };
}

/** Returns undefined if nothing changes. */
type Change = (item: unknown) => Item | undefined;

/** @param wasOpen - whether the session existed when the call opened it */
function mergeItem(
  item: unknown,
  changes: ReadonlyMap<string, Cookie>,
  wasOpen: boolean,
  seconds: number,
): Item | undefined {
  const isMissing = item === null || item === undefined;
  if (wasOpen && isMissing) return undefined; // the session was ended
  const stored = parseSession(item);
  const isOpen = stored !== undefined && (wasOpen || stored.expires > Date.now());
  const cookies = mergeCookies(isOpen ? stored.cookies : [], changes).map((cookie) => cookie.toJSON());
  if (cookies.length === 0 && !isRecord(item)) return undefined;
  return { expires: Date.now() + seconds * 1000, cookies };
}

async function updateItem(storage: Storage, id: string, change: Change, seconds: number): Promise<void> {
  const ttl = Math.ceil(seconds) + removalDelaySeconds;
  const store = atomicStoreOf(storage);
  if (store) {
    const changeText = (text: string | null): string | undefined => {
      const item = change(text && (parseJson(text) ?? text));
      return item && JSON.stringify(item);
    };
    await store.update(id, changeText, ttl);
    return;
  }
  const item = change(await storage.getItem<unknown>(id));
  if (item) await storage.setItem(id, item, { ttl });
}
