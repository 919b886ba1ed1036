import type { Cookie } from 'tough-cookie';
import { isRecord, type OfferedForm, parseCookies, parseJson } from 'webmcp-forms/headless';
import { keyAdvice, type SessionKeys } from './session-keys.js';
import { storeUnavailable } from './store.js';

export interface StoredSession {
  /** The time of the first save, in milliseconds since the epoch. */
  readonly created: number;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  readonly cookies: readonly Cookie[];
  /** The forms that the last answer offered, by their names; JSON. */
  readonly forms?: OfferedForms | undefined;
}

export type OfferedForms = Readonly<Record<string, OfferedForm>>;

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
    const content = 'encrypted' in item ? await decrypt(keys, id, item, times) : plainContent(keys, item);
    const list = isRecord(content) ? content.cookies : content;
    const cookies = Array.isArray(list) ? parseCookies(list) : undefined;
    const forms = isRecord(content) && isRecord(content.forms) ? (content.forms as OfferedForms) : undefined;
    return cookies && { ...times, cookies, ...(forms && { forms }) };
  },
  async serialize(id, { created, expires, cookies, forms }) {
    const content = { cookies: cookies.map((cookie) => cookie.toJSON()), ...(forms && { forms }) };
    const times = { expires, created };
    if (!keys) return { ...times, ...content };
    return { ...times, encrypted: await keys.encrypt(JSON.stringify(content), contextOf(id, times)) };
  },
});

type Times = Pick<StoredSession, 'created' | 'expires'>;

/** The times of a stored session. They are not encrypted, so that expired sessions can be removed without a key. */
export function parseTimes(item: unknown): Times | undefined {
  if (!isRecord(item)) return undefined;
  const { created, expires } = item;
  return typeof created === 'number' && typeof expires === 'number' ? { created, expires } : undefined;
}

/** The authenticated context of a session. It prevents moving an encrypted session to another ID or prolonging it. */
const contextOf = (id: string, { created, expires }: Times): string => JSON.stringify([id, created, expires]);

async function decrypt(
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

function plainContent(keys: SessionKeys | undefined, item: Readonly<Record<string, unknown>>): unknown {
  if (!keys || keys.readsPlain) return item;
  const advice = 'Add plain after the keys for as long as a session lives, or use another store';
  throw storeUnavailable('sessions', `has sessions that are not encrypted. ${advice}`);
}
