import { Cookie, MemoryCookieStore } from 'tough-cookie';
import { isRecord } from 'webmcp-forms/headless';

/** As many as Chromium keeps for a domain. https://source.chromium.org/chromium/chromium/src/+/main:net/cookies/cookie_monster.h */
export const mostCookies = 180;

/**
 * Of the names and values of all cookies together: twice what a server on Node takes for all headers by default, and four
 * times what Apache and nginx take for one. https://nodejs.org/api/cli.html#--max-http-header-sizesize
 * https://httpd.apache.org/docs/2.4/mod/core.html#limitrequestfieldsize
 * https://nginx.org/en/docs/http/ngx_http_core_module.html#large_client_header_buffers
 */
const mostCharacters = 32_768;

/** Of a name and its value together. https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-20.html#section-5.7 */
const longestCookie = 4096;

/** https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-20.html#section-5.6 */
const longestAttribute = 1024;

/** https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-20.html#section-5.5 */
const longestLife = 400 * 24 * 60 * 60 * 1000;

/** A cookie that has a place in a jar. */
interface PlacedCookie extends Cookie {
  readonly domain: string;
  readonly path: string;
}

/** What tells a cookie from others. */
export const identityOf = ({ domain, path, key }: Cookie): string => JSON.stringify([domain, path, key]);

/** The cookies of a call: those that were there, and those that came. */
export class CallCookies extends MemoryCookieStore {
  /** What came, by identity, with those that have ended: the site removes a cookie by setting one that has. */
  readonly changed = new Map<string, Cookie>();

  constructor(kept: readonly Cookie[]) {
    super();
    for (const cookie of kept) void super.putCookie(cookie);
  }

  override putCookie(cookie: Cookie): Promise<void>;
  override putCookie(cookie: Cookie, callback: (error: Error | null) => void): void;
  override putCookie(cookie: Cookie, callback?: (error: Error | null) => void): unknown {
    const isKept = fits(cookie);
    if (isKept) this.changed.set(identityOf(cookie), plainCookie(cookie));
    if (!callback) return isKept ? super.putCookie(cookie) : Promise.resolve();
    if (isKept) super.putCookie(cookie, callback);
    else callback(null);
    return undefined;
  }
}

/** A cookie is cut off from what it need not be kept with. */
function plainCookie(cookie: Cookie): Cookie {
  const latest = Date.now() + longestLife;
  const end = cookie.expiryTime() ?? Infinity;
  // Its own Max-Age would count from the last request that it was sent with.
  cookie.maxAge = null;
  cookie.expires = end === Infinity ? 'Infinity' : new Date(Math.min(Math.max(end, 0), latest));
  cookie.extensions = null;
  return cookie;
}

const fits = (cookie: Cookie): boolean =>
  sizeOf(cookie) <= longestCookie &&
  [cookie.key, cookie.value].every(isSendable) &&
  [cookie.path, cookie.domain].every((text) => (text ?? '').length <= longestAttribute);

const sizeOf = ({ key, value }: Cookie): number => key.length + value.length;

/** Whether a header can have a text. https://www.rfc-editor.org/rfc/rfc9110#name-field-values */
const isSendable = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

/** Cookies with changes, as they are kept: none that has ended, and when there are too many, those that came last. */
export function mergeCookies(kept: readonly Cookie[], changed: ReadonlyMap<string, Cookie>): readonly Cookie[] {
  const merged = new Map([...kept.map((cookie) => [identityOf(cookie), cookie] as const), ...changed]);
  const living = [...merged.values()].filter((cookie) => !isOver(cookie));
  const byAge = [...living].reverse().sort((a, b) => timeOf(b.lastAccessed) - timeOf(a.lastAccessed));
  let size = 0;
  const most = new Set(byAge.slice(0, mostCookies).filter((cookie) => (size += sizeOf(cookie)) <= mostCharacters));
  return living.filter((cookie) => most.has(cookie));
}

const isOver = (cookie: Cookie): boolean => (cookie.expiryTime() ?? Infinity) <= Date.now();

const timeOf = (date: Cookie['lastAccessed']): number => (date instanceof Date ? date.getTime() : 0);

/** The cookies of a kept list; undefined when one is none. */
export function readCookies(list: readonly unknown[]): readonly Cookie[] | undefined {
  if (list.length > mostCookies) return undefined;
  const cookies = list.map((each) => (isRecord(each) ? Cookie.fromJSON(each) : undefined));
  if (!cookies.every((cookie) => cookie !== undefined && isPlaced(cookie) && fits(cookie))) return undefined;
  const whole = cookies as readonly Cookie[];
  return whole.reduce((size, cookie) => size + sizeOf(cookie), 0) <= mostCharacters ? whole : undefined;
}

function isPlaced(cookie: Cookie): cookie is PlacedCookie {
  const { domain, path, hostOnly, maxAge, extensions, expires, creation, lastAccessed } = cookie;
  return (
    [domain, path].every((text) => typeof text === 'string' && text !== '') &&
    typeof hostOnly === 'boolean' &&
    maxAge === null &&
    extensions === null &&
    [expires, creation, lastAccessed].every((date) => !(date instanceof Date) || !Number.isNaN(date.getTime()))
  );
}
