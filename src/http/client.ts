import type { CookieJar } from 'tough-cookie';
import { isPrivateHost, refusedAddressCode } from './addresses.js';
import { bodyOf } from './body.js';
import { cookiePairs, joinCookies, overwritesSecure } from './cookies.js';
import type { Deadline } from './deadline.js';

/** The subset of the platform's fetch that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface EncodedBody {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** One request, without its redirects. */
export interface Hop {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly content?: EncodedBody | undefined;
  /** The page that sends the request, without credentials. */
  readonly referrer?: URL | undefined;
}

/**
 * The request of the crawler and of the gateway for a page with forms. The content of a page can depend on the referrer. The
 * page's own URL is always the referrer, so that the gateway gets the page that the crawler compiled.
 */
export const pageHop = (url: URL): Hop => ({ method: 'GET', url, referrer: url });

export interface HttpResponse {
  /** Without fragment. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  /** The `Content-Type`, or the empty string. */
  readonly contentType: string;
  /** The body, decompressed. Leaving the loop early cancels the response. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly discard: () => void;
}

export interface HttpErrors {
  readonly refusedAddress: (url: URL) => Error;
  readonly unreachable: (cause: unknown, url: URL) => Error;
  /** The response was aborted, or its compression is invalid. */
  readonly broken: (cause: unknown, url: URL) => Error;
  readonly tooLarge: (maxBytes: number) => Error;
  readonly tooManyRedirects: (maxRedirects: number) => Error;
  /** A submission is redirected to a URL to which it was already sent. */
  readonly repeatedSubmission: () => Error;
  readonly invalidRedirect: () => Error;
  /** @param place - an origin, or the scheme of a URL without one */
  readonly forbiddenRedirect: (place: string) => Error;
}

/** The site, and the state of the requests to it. */
export interface HttpClient {
  readonly fetch: Fetch;
  readonly jar: CookieJar;
  /** The origin that the headers and the cookies with `SameSite` are sent to. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly origins: readonly string[];
  readonly allowPrivateAddresses: boolean;
  readonly maxRedirects: number;
  readonly errors: HttpErrors;
  readonly onCookieSent?: (name: string, value: string) => void;
  /** Called for each cookie that is received. Returns whether it may be stored. */
  readonly onCookieReceived: (name: string, value: string) => boolean;
}

/** The product token for rules of robots.txt. */
export const userAgent = 'webmcp-forms';

export const withoutHash = ({ href }: URL): string => href.replace(/#.*/s, '');

export interface FollowedResponse extends HttpResponse {
  readonly isRedirected: boolean;
}

/**
 * Sends a request and follows its redirects as a browser does.
 * https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export async function followRedirects(
  client: HttpClient,
  first: Hop,
  send: (hop: Hop) => Promise<HttpResponse>,
): Promise<FollowedResponse> {
  const { errors, maxRedirects } = client;
  const submittedUrls = new Set<string>();
  let hop = first;
  for (let redirects = 0; ; redirects++) {
    if (hop.method === 'POST') submittedUrls.add(withoutHash(hop.url));
    const response = await send(hop);
    const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return { ...response, isRedirected: redirects > 0 };
    response.discard();
    if (redirects === maxRedirects) throw errors.tooManyRedirects(maxRedirects);
    hop = nextHop(client, hop, response.status, location);
    if (hop.method === 'POST' && submittedUrls.has(withoutHash(hop.url))) throw errors.repeatedSubmission();
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function nextHop({ origin, origins, errors }: HttpClient, hop: Hop, status: number, location: string): Hop {
  const text = decodeLocation(location);
  if (!URL.canParse(text, hop.url.href)) throw errors.invalidRedirect();
  const url = new URL(text, hop.url);
  [url.username, url.password] = ['', ''];
  if (!url.hash) url.hash = hop.url.hash;
  if (!/^https?:$/.test(url.protocol) || ![origin, ...origins].includes(url.origin)) {
    const place = url.origin === 'null' ? `a URL with ${url.protocol}` : url.origin;
    throw errors.forbiddenRedirect(place.slice(0, 300));
  }
  if (hop.method === 'POST' && status > 303) {
    // Otherwise, another origin could submit forms to the site in the user's session. Browsers send `Origin: null` here.
    if (![origin, url.origin].includes(hop.url.origin))
      throw errors.forbiddenRedirect(`${url.origin} with the submission to ${hop.url.origin}`);
    return { ...hop, url };
  }
  return { method: 'GET', url, referrer: hop.referrer };
}

/** Browsers decode `Location` as UTF-8; fetch returns headers as ISO-8859-1. */
const decodeLocation = (value: string): string =>
  /^[\0-\xff]*$/.test(value) ? new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0))) : value;

/** Sends one request and stores the cookies of its response. It never retries. */
export async function sendHop(client: HttpClient, hop: Hop, deadline: Deadline): Promise<HttpResponse> {
  const { url, method, content } = hop;
  if (!client.allowPrivateAddresses && isPrivateHost(url.hostname)) throw client.errors.refusedAddress(url);
  const headers = await createHeaders(client, hop);
  const body = content ? { body: content.body } : {};
  const init = { method, headers, ...body, redirect: 'manual', signal: deadline.signal } as const;
  let response: Response;
  try {
    response = await deadline.race(client.fetch(withoutHash(url), init));
  } catch (cause) {
    if (deadline.signal.aborted) throw deadline.signal.reason;
    throw hasCode(cause, refusedAddressCode)
      ? client.errors.refusedAddress(url)
      : client.errors.unreachable(cause, url);
  }
  for (const cookie of response.headers.getSetCookie()) await storeCookie(client, cookie, url);
  return {
    url: new URL(withoutHash(url)),
    status: response.status,
    headers: response.headers,
    contentType: response.headers.get('content-type') ?? '',
    body: bodyOf(response, client, url, deadline),
    discard: () => void response.body?.cancel().catch(() => undefined),
  };
}

/** Whether an error, or one of its causes, has one of the codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && codes.includes(String(each.code))) return true;
  }
  return false;
}

async function storeCookie({ jar, onCookieReceived }: HttpClient, cookie: string, url: URL): Promise<void> {
  const [{ name, value } = { name: '', value: '' }] = cookiePairs(cookie);
  if (!onCookieReceived(name, value) || (await overwritesSecure(jar, cookie, url))) return;
  await jar.setCookie(cookie, url.href, { ignoreError: true, loose: true });
}

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function createHeaders(client: HttpClient, { method, url, content, referrer }: Hop): Promise<Headers> {
  const isOwn = url.origin === client.origin;
  const headers = new Headers({ accept, 'user-agent': userAgent });
  for (const [name, value] of Object.entries(isOwn ? client.headers : {})) headers.set(name, value);
  const stored = await client.jar.getCookieString(url.href, {
    sort: true, // true by default only without other options
    sameSiteContext: isOwn ? 'strict' : method === 'GET' ? 'lax' : 'none',
  });
  const cookies = joinCookies(stored, headers.get('cookie') ?? '');
  if (cookies !== '') headers.set('cookie', cookies);
  for (const { name, value } of cookiePairs(cookies)) client.onCookieSent?.(name, value);
  if (content) headers.set('content-type', content.contentType);
  if (method === 'POST' && referrer) headers.set('origin', referrer.origin);
  const referer = referrer && referrerOf(referrer, url);
  if (referer !== undefined) headers.set('referer', referer);
  return headers;
}

/** https://w3c.github.io/webappsec-referrer-policy/#referrer-policy-strict-origin-when-cross-origin */
function referrerOf(page: URL, url: URL): string | undefined {
  if (page.origin === url.origin) return withoutHash(page);
  return page.protocol === 'https:' && url.protocol === 'http:' ? undefined : `${page.origin}/`;
}
