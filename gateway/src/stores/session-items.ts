import type { Cookie } from 'tough-cookie';
import { isRecord, parseCookies, parseJson } from 'webmcp-forms/headless';
import { keyAdvice, type SessionKeys } from './session-keys.js';
import { storeUnavailable } from './store.js';

export interface StoredSession {
  /** The time of the first save, in milliseconds since the epoch. */
  readonly created: number;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  readonly cookies: readonly Cookie[];
}

/** The format of sessions in a store. */
export interface SessionFormat {
  /**
   * Returns undefined for a missing or damaged session.
   *
   * @throws {GatewayError} `store-unavailable` if the session cannot be read with the configured keys
   */
  parse(id: string, item: unknown): Promise<StoredSession | undefined>;
  serialize(id: string, session: StoredSession): Promise<object>;
}

export const sessionFormat = (keys: SessionKeys | undefined): SessionFormat => ({
  async parse(id, item) {
    const times = parseTimes(item);
    if (!times || !isRecord(item)) return undefined;
    const list = 'encrypted' in item ? await decryptList(keys, id, item, times) : plainList(keys, item);
    const cookies = Array.isArray(list) ? parseCookies(list) : undefined;
    return cookies && { ...times, cookies };
  },
  async serialize(id, { created, expires, cookies }) {
    const list = cookies.map((cookie) => cookie.toJSON());
    const times = { expires, created };
    if (!keys) return { ...times, cookies: list };
    return { ...times, encrypted: await keys.encrypt(JSON.stringify(list), contextOf(id, times)) };
  },
});

type Times = Pick<StoredSession, 'created' | 'expires'>;

/** The times are not encrypted, so that expired sessions can be removed without a key. */
export function parseTimes(item: unknown): Times | undefined {
  if (!isRecord(item)) return undefined;
  const { created, expires } = item;
  return typeof created === 'number' && typeof expires === 'number' ? { created, expires } : undefined;
}

/** Authenticated with the cookies, so that an encrypted session cannot be moved to another ID or prolonged. */
const contextOf = (id: string, { created, expires }: Times): string => JSON.stringify([id, created, expires]);

async function decryptList(
  keys: SessionKeys | undefined,
  id: string,
  { encrypted }: Readonly<Record<string, unknown>>,
  times: Times,
): Promise<unknown> {
  if (!keys) throw storeUnavailable('sessions', `has encrypted sessions, and the key is missing. ${keyAdvice}`);
  if (typeof encrypted !== 'string') return undefined;
  const text = await keys.decrypt(encrypted, contextOf(id, times));
  return text === undefined ? undefined : parseJson(text);
}

function plainList(keys: SessionKeys | undefined, { cookies }: Readonly<Record<string, unknown>>): unknown {
  if (!keys || keys.readsPlain) return cookies;
  const advice = 'Add plain after the keys for as long as a session lives, or use another store';
  throw storeUnavailable('sessions', `has sessions that are not encrypted. ${advice}`);
}
