import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { CookieJar, type Cookie } from 'tough-cookie';
import { isRecord } from 'webmcp-forms/headless';
import { CallCookies, mergeCookies, readCookies } from '../upstream/cookies.js';
import { answerOf, atomicStoreOf, type Storage } from './store.js';

/** The cookies of one caller, as long as a call of theirs runs. */
export interface Session {
  /** New cookies are put into it. */
  readonly jar: CookieJar;
  /**
   * Keeps what the call has changed, and what other calls of the session have changed meanwhile. Nothing is kept of a
   * session that was ended meanwhile.
   *
   * Calls in this process lose nothing of each other. Those in other processes lose nothing in a store that
   * `webmcp-gateway/node` opens; in others, of two that save at once the last one wins.
   *
   * @throws {GatewayError} `store-unavailable`
   */
  save(): Promise<void>;
}

/** Where sessions are kept. */
export interface Sessions {
  /**
   * What is kept but cannot be read is no session.
   *
   * @param key - what nobody else can know; the store sees only a digest of it
   * @throws {GatewayError} `store-unavailable`
   */
  open(key: string): Promise<Session>;
  /**
   * Forgets a session.
   *
   * @throws {GatewayError} `store-unavailable`
   */
  end(key: string): Promise<void>;
}

export interface SessionOptions {
  /**
   * How long the store may take for an answer.
   * @default 5000
   */
  readonly milliseconds?: number;
}

/** @param seconds - how long a session is kept after its last call, or after one that was a tenth of it earlier */
export function createSessions(storage: Storage, seconds: number, { milliseconds = 5000 }: SessionOptions = {}): Sessions {
  const ask = <Value>(question: () => Promise<Value>): Promise<Value> => answerOf('sessions', milliseconds, question);
  return {
    async open(key) {
      const id = digestOf(key);
      const found = readSession(await ask(() => storage.getItem<unknown>(id)));
      const isKept = found !== undefined && found.expires > Date.now();
      const cookies = new CallCookies(isKept ? found.cookies : []);
      const change = (item: unknown): Item | undefined => changed(item, cookies.changed, { isKept, seconds });
      return {
        jar: new CookieJar(cookies),
        async save() {
          if (cookies.changed.size === 0 && !(isKept && isAging(found, seconds))) return;
          await ask(() => inTurn(storage, id, () => ask(() => update(storage, id, change, seconds))));
        },
      };
    },
    async end(key) {
      const id = digestOf(key);
      await ask(() => inTurn(storage, id, () => ask(() => storage.removeItem(id))));
    },
  };
}

/**
 * Removes the sessions that are over, for stores that do not so by themselves: folders, and most of unstorage's others.
 *
 * @returns how many there were
 * @throws {GatewayError} `store-unavailable`
 */
export async function removeExpiredSessions(
  storage: Storage,
  { milliseconds = 5000 }: SessionOptions = {},
): Promise<number> {
  const ask = <Value>(question: () => Promise<Value>): Promise<Value> => answerOf('sessions', milliseconds, question);
  let count = 0;
  for (const id of (await ask(() => storage.getKeys())).filter((key) => /^[\da-f]{64}$/.test(key))) {
    await inTurn(storage, id, async () => {
      const session = readSession(await ask(() => storage.getItem<unknown>(id)));
      if (session && session.expires + grace * 1000 > Date.now()) return;
      await ask(() => storage.removeItem(id));
      count++;
    });
  }
  return count;
}

/** For how many seconds a session that is over stays in the store: a call may run that had opened it. */
const grace = 60;

/** Whether a session that stays as it is has to be written again, so that it lasts: not for each call. */
const isAging = ({ expires }: KeptSession, seconds: number): boolean => expires - Date.now() < seconds * 900;

/** Not by the platform, which hands it to another thread: for a short text that takes longer than the digest. */
const digestOf = (key: string): string => bytesToHex(sha256(utf8ToBytes(key)));

/** A session as it is written. */
interface Item {
  /** When it is over, as `Date.now` counts. */
  readonly expires: number;
  readonly cookies: readonly object[];
}

interface KeptSession {
  readonly expires: number;
  readonly cookies: readonly Cookie[];
}

/** Undefined for what is no session, or damaged. */
function readSession(item: unknown): KeptSession | undefined {
  if (!isRecord(item) || typeof item.expires !== 'number' || !Array.isArray(item.cookies)) return undefined;
  const cookies = readCookies(item.cookies);
  return cookies && { expires: item.expires, cookies };
}

/** What a call had in hand when it opened its session. */
interface Opened {
  /** Whether the session was kept then. */
  readonly isKept: boolean;
  readonly seconds: number;
}

/** What is kept after a call; undefined for nothing new. */
function changed(item: unknown, changes: ReadonlyMap<string, Cookie>, { isKept, seconds }: Opened): Item | undefined {
  if (isKept && (item === null || item === undefined)) return undefined; // it was ended
  const kept = readSession(item);
  const isOpen = kept !== undefined && (isKept || kept.expires > Date.now());
  const cookies = mergeCookies(isOpen ? kept.cookies : [], changes).map((cookie) => cookie.toJSON());
  if (cookies.length === 0 && !isRecord(item)) return undefined;
  return { expires: Date.now() + seconds * 1000, cookies };
}

async function update(
  storage: Storage,
  id: string,
  change: (item: unknown) => Item | undefined,
  seconds: number,
): Promise<void> {
  const ttl = Math.ceil(seconds) + grace;
  const store = atomicStoreOf(storage);
  if (store) {
    await store.update(id, (text) => toText(change(text === null ? null : parsed(text))), ttl);
    return;
  }
  const item = change(await storage.getItem<unknown>(id));
  if (item) await storage.setItem(id, item, { ttl });
}

const toText = (item: Item | undefined): string | undefined => item && JSON.stringify(item);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What is to be done for each session of a storage, one after the other. */
const queues = new WeakMap<Storage, Map<string, Turn>>();

interface Turn {
  readonly ended: Promise<void>;
  /** When it has ended, or never will: Workers stop what a request does once that is answered. */
  readonly until: number;
}

const turnMilliseconds = 2500;

async function inTurn(storage: Storage, id: string, work: () => Promise<void>): Promise<void> {
  const queue = queues.get(storage) ?? new Map<string, Turn>();
  queues.set(storage, queue);
  const ended = endOf(queue.get(id)).then(work);
  const turn = { ended, until: Date.now() + turnMilliseconds };
  queue.set(id, turn);
  try {
    await ended;
  } finally {
    if (queue.get(id) === turn) queue.delete(id);
  }
}

async function endOf(turn: Turn | undefined): Promise<void> {
  if (!turn) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, turn.until - Date.now())));
  await Promise.race([turn.ended, timeout]).catch(() => undefined);
  clearTimeout(timer);
}
