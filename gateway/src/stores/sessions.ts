import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { CookieJar } from 'tough-cookie';
import { isRecord, mergeCookies, type OfferedForm, parseJson, SessionCookies } from 'webmcp-forms/headless';
import {
  parseTimes,
  sessionFormat,
  type OfferedForms,
  type SessionFormat,
  type StoredSession,
} from './session-items.js';
import type { SessionKeys } from './session-keys.js';
import { clientLength, SessionQuota, sessionIdPattern } from './session-quota.js';
import {
  atomicStoreOf,
  defaultTimeoutMs,
  storeRunner,
  type AtomicStore,
  type Storage,
  type StoreRunner,
  type StoreTimeoutOptions,
} from './store.js';
import { runInTurn, type TurnOptions } from './keyed-mutex.js';

/** The cookies of a client during a call. */
export interface Session {
  /** New cookies are added to it. */
  readonly jar: CookieJar;
  /** The forms that the session could submit when it was opened. */
  readonly forms: OfferedForms;
  /** Replaces the forms that the session can submit next. They are stored by `save`. */
  offer(forms: OfferedForms): void;
  /**
   * Returns a form that the session can submit, and removes all forms of the session, so that no form is submitted
   * twice.
   *
   * @throws {GatewayError} `store-unavailable`
   */
  take(name: string): Promise<OfferedForm | undefined>;
  /**
   * Saves the changes of the call, merged with the changes of other calls. Does nothing if the session has been removed
   * since it was opened. Concurrent saves of one process, or of several processes with a Redis of `webmcp-gateway/node`,
   * keep all changes; with other stores the last save wins.
   *
   * @throws {GatewayError} `store-unavailable`; `session-limit` for a new session beyond the limit
   */
  save(): Promise<void>;
}

export interface Sessions {
  /**
   * Opens a session. A damaged session is replaced by a new one.
   *
   * @param key - a secret of the client; the store contains only its digest
   * @param client - the client that the session belongs to. Other clients with the same key have other sessions
   * @throws {GatewayError} `store-unavailable`
   */
  open(key: string, client?: string): Promise<Session>;
  /** Removes a session. @throws {GatewayError} `store-unavailable` */
  end(key: string, client?: string): Promise<void>;
}

export interface SessionOptions extends StoreTimeoutOptions {
  /** The lifetime of a session after its first call, in seconds, however often it is used. @default 30 days */
  readonly maxSeconds?: number;
  /** Encrypts the sessions. @default they are not encrypted */
  readonly keys?: SessionKeys | undefined;
  /** The maximum number of sessions of a client; see `SessionQuota`. @default 10000 */
  readonly maxSessions?: number;
}

export const defaultMaxSeconds = 30 * 86_400;
export const defaultMaxSessions = 10_000;

/**
 * @param seconds - the lifetime after the last call. To save writes, the lifetime is renewed only after a tenth of it has
 * passed
 */
export function createSessions(storage: Storage, seconds: number, options: SessionOptions = {}): Sessions {
  const { maxSeconds = defaultMaxSeconds, keys, maxSessions = defaultMaxSessions } = options;
  const run = storeRunner('sessions', options);
  const turn = turnOptions(options);
  const quota = new SessionQuota(storage, run, maxSessions);
  const format = sessionFormat(keys);
  return {
    async open(key, client) {
      const id = idOf(key, client);
      const store = { storage, run, turn, format, quota, seconds, maxSeconds, client: client && clientPrefix(client) };
      return await openSession(store, id);
    },
    async end(key, client) {
      const id = idOf(key, client);
      await run(() => runInTurn(storage, id, () => run(() => storage.removeItem(id)), turn));
    },
  };
}

/** Allows for the timeouts of waiting for other changes and of the change itself. */
const turnOptions = ({ timeoutMs = defaultTimeoutMs }: StoreTimeoutOptions): TurnOptions => ({
  limitMs: 2 * timeoutMs,
});

interface SessionStore {
  readonly storage: Storage;
  readonly run: StoreRunner;
  readonly turn: TurnOptions;
  readonly format: SessionFormat;
  readonly quota: SessionQuota;
  readonly seconds: number;
  readonly maxSeconds: number;
  readonly client: string | undefined;
}

async function openSession(store: SessionStore, id: string): Promise<Session> {
  const { storage, run, turn, format } = store;
  const item = await run(() => storage.getItem<unknown>(id));
  const stored = await format.parse(id, item);
  const open = stored && isOpen(store, stored) ? stored : undefined;
  const cookies = new SessionCookies(open ? open.cookies : []);
  let offer: { readonly forms: OfferedForms | undefined } | undefined;
  const change = (current: unknown): Promise<object | undefined> =>
    mergeItem(store, id, { item: current, cookies, offer, wasOpen: open !== undefined });
  const update = (changed: typeof change): Promise<void> =>
    run(() => runInTurn(storage, id, () => run(() => updateItem(store, id, changed)), turn));
  return {
    jar: new CookieJar(cookies),
    forms: open?.forms ?? {},
    offer(offered) {
      const forms = Object.keys(offered).length > 0 ? offered : undefined;
      if (forms ?? open?.forms) offer = { forms };
    },
    async take(name) {
      let taken: OfferedForm | undefined;
      await update(async (current) => {
        const stored = await format.parse(id, current);
        taken = stored && isOpen(store, stored) ? ownForm(stored.forms, name) : undefined;
        return stored && taken && (await format.serialize(id, { ...stored, forms: undefined }));
      });
      return taken;
    },
    async save() {
      if (cookies.changed.size === 0 && !offer && (!open || isFresh(store, open))) return;
      await update(change);
    },
  };
}

const ownForm = (forms: OfferedForms | undefined, name: string): OfferedForm | undefined =>
  forms && Object.hasOwn(forms, name) ? forms[name] : undefined;

const lastMoment = ({ maxSeconds }: SessionStore, { created }: StoredSession): number => created + maxSeconds * 1000;

const isOpen = (store: SessionStore, session: StoredSession): boolean =>
  Math.min(session.expires, lastMoment(store, session)) > Date.now();

/** Whether the session does not need renewal, or cannot be renewed. */
const isFresh = (store: SessionStore, session: StoredSession): boolean =>
  session.expires - Date.now() >= store.seconds * 900 || session.expires >= lastMoment(store, session);

/**
 * Removes expired sessions from a store that does not expire items, such as a folder.
 *
 * @throws {GatewayError} `store-unavailable`
 */
export async function removeExpiredSessions(storage: Storage, options: StoreTimeoutOptions = {}): Promise<number> {
  const run = storeRunner('sessions', options);
  const store = atomicStoreOf(storage);
  const turn = turnOptions(options);
  let count = 0;
  for (const id of (await run(() => storage.getKeys())).filter((key) => sessionIdPattern.test(key))) {
    const remove = async (): Promise<void> => {
      const isRemoved = await run(() => (store ? removeIfExpired(store, id) : removeUnlocked(storage, id)));
      if (isRemoved) count++;
    };
    await runInTurn(storage, id, remove, turn);
  }
  return count;
}

/** The delay before an expired session is removed, because a running call may use it. */
const removalDelaySeconds = 60;

function isRemovable(item: unknown): boolean {
  const times = parseTimes(item);
  return !times || times.expires + removalDelaySeconds * 1000 <= Date.now();
}

/** Removes a session atomically, unless another process renews it. */
async function removeIfExpired(store: AtomicStore, id: string): Promise<boolean> {
  let isRemoved = false;
  const change = (text: string | null): Promise<null | undefined> => {
    isRemoved = text !== null && isRemovable(parseJson(text));
    return Promise.resolve(isRemoved ? null : undefined);
  };
  await store.update(id, change, removalDelaySeconds);
  return isRemoved;
}

async function removeUnlocked(storage: Storage, id: string): Promise<boolean> {
  if (!isRemovable(await storage.getItem<unknown>(id))) return false;
  await storage.removeItem(id);
  return true;
}

/** The identity of a session. It begins with the identity of its client, so that the sessions of a client can be counted. */
const idOf = (key: string, client: string | undefined): string =>
  client === undefined
    ? digestOf(key)
    : clientPrefix(client) + digestOf(JSON.stringify([key, client])).slice(clientLength);

const clientPrefix = (client: string): string => digestOf(client).slice(0, clientLength);

/** Does not use Web Crypto, which is slower for short strings because it switches threads. */
const digestOf = (key: string): string => bytesToHex(sha256(utf8ToBytes(key)));

interface SessionChange {
  readonly item: unknown;
  readonly cookies: SessionCookies;
  /** The forms that the answer offers; undefined if the forms of the session stay. */
  readonly offer: { readonly forms: OfferedForms | undefined } | undefined;
  /** Whether the session existed when the call opened it. */
  readonly wasOpen: boolean;
}

/** Returns undefined if nothing changes. */
async function mergeItem(
  store: SessionStore,
  id: string,
  { item, cookies: { changed }, offer, wasOpen }: SessionChange,
): Promise<object | undefined> {
  const { format, quota, seconds, maxSeconds, client } = store;
  const isMissing = item === null || item === undefined;
  if (wasOpen && isMissing) return undefined; // the session was ended
  const stored = await format.parse(id, item);
  const current = stored && (wasOpen || isOpen(store, stored)) ? stored : undefined;
  const cookies = mergeCookies(current ? current.cookies : [], changed);
  const { forms } = offer ?? current ?? {};
  if (cookies.length === 0 && !forms && !isRecord(item)) return undefined;
  if (isMissing) await quota.add(client);
  const now = Date.now();
  const created = current ? Math.min(current.created, now) : now;
  const expires = Math.min(now + seconds * 1000, created + maxSeconds * 1000);
  return await format.serialize(id, { created, expires, cookies, forms });
}

async function updateItem(
  { storage, seconds }: SessionStore,
  id: string,
  change: (item: unknown) => Promise<object | undefined>,
): Promise<void> {
  const ttl = Math.ceil(seconds) + removalDelaySeconds;
  const store = atomicStoreOf(storage);
  if (store) {
    const changeText = async (text: string | null): Promise<string | undefined> => {
      const item = await change(text && (parseJson(text) ?? text));
      return item && JSON.stringify(item);
    };
    await store.update(id, changeText, ttl);
    return;
  }
  const item = await change(await storage.getItem<unknown>(id));
  if (item) await storage.setItem(id, item, { ttl });
}
