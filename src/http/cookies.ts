import { Cookie, MemoryCookieStore, type CookieJar } from 'tough-cookie';
import { isRecord } from '../json.js';

/** The limit of Chromium. https://source.chromium.org/chromium/chromium/src/+/main:net/cookies/cookie_monster.h */
export const maxCookies = 180;

/**
 * The limit of all names and values together: twice the limit of Node.js servers for all headers, and four times the limit
 * of Apache and nginx for one header. https://nodejs.org/api/cli.html#--max-http-header-sizesize
 * https://httpd.apache.org/docs/2.4/mod/core.html#limitrequestfieldsize
 * https://nginx.org/en/docs/http/ngx_http_core_module.html#large_client_header_buffers
 */
const maxTotalLength = 32_768;

/** https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-20.html#section-5.7 */
const maxCookieLength = 4096;

/** https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-20.html#section-5.6 */
const maxAttributeLength = 1024;

/** 400 days. https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-20.html#section-5.5 */
const maxLifetimeMs = 400 * 24 * 60 * 60 * 1000;

const cookieId = ({ domain, path, key }: Cookie): string => JSON.stringify([domain, path, key]);

/** The cookies of a session, including new cookies of the responses to its requests. */
export class SessionCookies extends MemoryCookieStore {
  /** New cookies by identity, including expired cookies, which remove stored cookies. */
  readonly changed = new Map<string, Cookie>();

  constructor(stored: readonly Cookie[]) {
    super();
    for (const cookie of stored) void super.putCookie(cookie);
  }

  override putCookie(cookie: Cookie): Promise<void>;
  override putCookie(cookie: Cookie, callback: (error: Error | null) => void): void;
  override putCookie(cookie: Cookie, callback?: (error: Error | null) => void): unknown {
    const isAccepted = isWithinLimits(cookie);
    if (isAccepted) this.changed.set(cookieId(cookie), normalize(cookie));
    if (!callback) return isAccepted ? super.putCookie(cookie) : Promise.resolve();
    if (isAccepted) super.putCookie(cookie, callback);
    else callback(null);
    return undefined;
  }
}

/**
 * Removes unknown attributes, and limits the lifetime. Replaces Max-Age with an absolute time, because tough-cookie counts
 * Max-Age from the last access.
 */
function normalize(cookie: Cookie): Cookie {
  const expiry = cookie.expiryTime() ?? Infinity;
  cookie.expires =
    expiry === Infinity ? 'Infinity' : new Date(Math.min(Math.max(expiry, 0), Date.now() + maxLifetimeMs));
  cookie.maxAge = null;
  cookie.extensions = null;
  return cookie;
}

const isWithinLimits = (cookie: Cookie): boolean =>
  lengthOf(cookie) <= maxCookieLength &&
  [cookie.key, cookie.value].every(isSendable) &&
  [cookie.path, cookie.domain].every((text) => (text ?? '').length <= maxAttributeLength);

const lengthOf = ({ key, value }: Cookie): number => key.length + value.length;

/** https://www.rfc-editor.org/rfc/rfc9110#name-field-values */
export const isSendable = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

/** Applies changes to stored cookies. Discards expired cookies and, beyond the limits, the least recently used cookies. */
export function mergeCookies(stored: readonly Cookie[], changed: ReadonlyMap<string, Cookie>): readonly Cookie[] {
  const merged = new Map([...stored.map((cookie) => [cookieId(cookie), cookie] as const), ...changed]);
  const current = [...merged.values()].filter((cookie) => (cookie.expiryTime() ?? Infinity) > Date.now());
  const latestFirst = [...current].reverse().sort((a, b) => timeOf(b.lastAccessed) - timeOf(a.lastAccessed));
  let length = 0;
  const limited = new Set(
    latestFirst.slice(0, maxCookies).filter((cookie) => (length += lengthOf(cookie)) <= maxTotalLength),
  );
  return current.filter((cookie) => limited.has(cookie));
}

const timeOf = (date: Cookie['lastAccessed']): number => (date instanceof Date ? date.getTime() : 0);

/** Parses stored cookies. Returns undefined if one is invalid, or if they exceed the limits. */
export function parseCookies(list: readonly unknown[]): readonly Cookie[] | undefined {
  if (list.length > maxCookies) return undefined;
  let length = 0;
  const cookies = list.flatMap((each) => {
    const cookie = isRecord(each) ? Cookie.fromJSON(each) : undefined;
    if (!cookie || !isStorable(cookie) || !isWithinLimits(cookie)) return [];
    length += lengthOf(cookie);
    return cookie;
  });
  return cookies.length === list.length && length <= maxTotalLength ? cookies : undefined;
}

function isStorable(cookie: Cookie): boolean {
  const { domain, path, hostOnly, maxAge, extensions, expires, creation, lastAccessed } = cookie;
  return (
    [domain, path].every((text) => typeof text === 'string' && text !== '') &&
    typeof hostOnly === 'boolean' &&
    maxAge === null &&
    extensions === null &&
    [expires, creation, lastAccessed].every((date) => !(date instanceof Date) || !Number.isNaN(date.getTime()))
  );
}

/**
 * Whether a cookie from a response without TLS would overwrite a secure cookie.
 * https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-20.html#section-5.7
 */
export async function overwritesSecure(jar: CookieJar, cookie: string, { href, protocol }: URL): Promise<boolean> {
  if (protocol === 'https:') return false;
  const key = Cookie.parse(cookie, { loose: true })?.key;
  const urls = [href, href.replace('http:', 'https:')];
  const [visible = [], all = []] = await Promise.all(urls.map((url) => jar.getCookies(url, { allPaths: true })));
  const visibleIds = new Set(visible.map(cookieId));
  return all.some((each) => each.key === key && !visibleIds.has(cookieId(each)));
}

interface CookiePair {
  readonly name: string;
  /** Equal to `name` for a pair without an equals sign. */
  readonly value: string;
}

/** The pairs of `name=value; ...`. */
export const cookiePairs = (cookies: string): readonly CookiePair[] =>
  cookies.split(';').flatMap((pair) => {
    const name = pair.replace(/=.*/s, '').trim();
    const value = pair.replace(/^[^=]*=/, '').trim();
    return name === '' && value === '' ? [] : { name, value };
  });

/** Adds the configured cookies, except for cookies with the name of a stored cookie. */
export function joinCookies(stored: string, configured: string): string {
  const names = new Set(cookiePairs(stored).map(({ name }) => name));
  const others = configured.split(';').filter((each) => cookiePairs(each).some(({ name }) => !names.has(name)));
  return [stored, ...others.map((each) => each.trim())].filter(Boolean).join('; ');
}
