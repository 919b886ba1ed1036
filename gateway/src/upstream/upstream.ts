import { Cookie, type CookieJar } from 'tough-cookie';
import { isPrivateHost, privateAddressError } from './addresses.js';
import { identityOf } from './cookies.js';
import type { Deadline } from './deadline.js';
import type { EncodedBody } from '../submission/encodings.js';
import type { FormRequest } from '../submission/form-request.js';
import { GatewayError } from '../gateway-error.js';

/** The part of the platform's fetch that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What bounds a call. */
export interface Limits {
  /**
   * How long a call takes at most, with the reading of the page and all redirects.
   * @default 30000
   */
  readonly milliseconds: number;
  /**
   * How many bytes an answer has at most, decompressed.
   * @default 5000000
   */
  readonly bytes: number;
  /**
   * How many redirects are followed.
   * @default 10
   */
  readonly redirects: number;
}

/** The site as one call reaches it. */
export interface Upstream {
  readonly fetch: Fetch;
  readonly jar: CookieJar;
  readonly deadline: Deadline;
  readonly limits: Limits;
  /** The page that requests are sent from, without fragment and credentials. */
  readonly pageUrl: string;
  /** What the operator has every request to the page's own origin carry. */
  readonly headers: Readonly<Record<string, string>>;
  /** The other origins that may be reached. */
  readonly origins: readonly string[];
  readonly allowPrivateAddresses: boolean;
}

/** What came back at the end of all redirects. */
export interface Answer {
  readonly status: number;
  readonly url: string;
  /** As the answer says it, or the empty string. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** One request on its way. */
interface Hop {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly content?: EncodedBody | undefined;
}

/** Whether requests may go to an origin. */
export const isAllowed = ({ pageUrl, origins }: Upstream, { origin }: URL): boolean =>
  origin === originOf(pageUrl) || origins.includes(origin);

const originOf = (url: string): string => new URL(url).origin;

/**
 * Sends a request and follows its redirects as a browser does. Nothing is ever tried again.
 * https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export async function exchange(upstream: Upstream, request: FormRequest): Promise<Answer> {
  const posted = new Set<string>();
  try {
    return await follow(upstream, request, posted);
  } catch (error) {
    if (posted.size === 0 || !(error instanceof GatewayError)) throw error;
    const message = `${error.message} The site may have processed the submission. Check before you send it again.`;
    throw new GatewayError(error.code, message, { cause: error.cause });
  }
}

/** @param posted - the URLs that a submission has been sent to */
async function follow(upstream: Upstream, request: FormRequest, posted: Set<string>): Promise<Answer> {
  let hop: Hop = { ...request, url: new URL(request.url) };
  for (let redirects = 0; ; redirects++) {
    checkAddress(upstream, hop.url);
    if (hop.method === 'POST') posted.add(withoutHash(hop.url));
    const response = await send(upstream, hop).catch((error: unknown) => {
      if (isUnsent(error)) posted.delete(withoutHash(hop.url));
      throw error;
    });
    const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return await answerOf(upstream, hop, response);
    response.body?.cancel().catch(() => undefined);
    if (redirects === upstream.limits.redirects) throw tooManyRedirects(redirects);
    hop = nextHop(upstream, hop, response.status, location);
    if (hop.method === 'POST' && posted.has(withoutHash(hop.url))) {
      throw new GatewayError('redirect-limit', 'The site redirects a submission in a circle; it was not sent again.');
    }
  }
}

/** Whether a request failed before there was a connection to send it on. */
function isUnsent(error: unknown): boolean {
  if (error instanceof GatewayError && error.code === 'upstream-refused-address') return true;
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && unconnected.has(String(each.code))) return true;
  }
  return false;
}

/** What Node says of names that it cannot look up and of connections that it cannot make. */
const unconnected: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

const withoutHash = ({ href }: URL): string => href.replace(/#.*/s, '');

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const tooManyRedirects = (count: number): GatewayError =>
  new GatewayError('redirect-limit', `The site redirects more than ${count} times.`);

function nextHop(upstream: Upstream, hop: Hop, status: number, location: string): Hop {
  const text = utf8(location);
  if (!URL.canParse(text, hop.url.href)) throw new GatewayError('upstream-broken', 'The site redirects to no URL.');
  const url = new URL(text, hop.url);
  [url.username, url.password] = ['', ''];
  if (!url.hash) url.hash = hop.url.hash;
  if (!/^https?:$/.test(url.protocol) || !isAllowed(upstream, url)) throw elsewhere(url);
  return hop.method === 'POST' && status > 303 ? { ...hop, url } : { method: 'GET', url };
}

const elsewhere = ({ protocol, origin }: URL): GatewayError => {
  const place = origin === 'null' ? `a URL of ${protocol}` : origin;
  return new GatewayError('redirect-elsewhere', `The site redirects to ${place.slice(0, 300)}, which is not allowed.`);
};

/** Header values come as bytes, and browsers read those of `Location` as UTF-8. */
const utf8 = (value: string): string =>
  /^[\0-\xff]*$/.test(value) ? new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0))) : value;

function checkAddress({ allowPrivateAddresses }: Upstream, { hostname }: URL): void {
  if (!allowPrivateAddresses && isPrivateHost(hostname)) throw privateAddressError();
}

async function send(upstream: Upstream, hop: Hop): Promise<Response> {
  const { fetch, deadline } = upstream;
  const headers = await headersOf(upstream, hop);
  const body = hop.content ? { body: hop.content.body } : {};
  const init = { method: hop.method, headers, ...body, redirect: 'manual', signal: deadline.signal } as const;
  const response = await reached(upstream, async () => await fetch(withoutHash(hop.url), init));
  for (const cookie of response.headers.getSetCookie()) {
    note(upstream, cookie.replace(/;.*/s, ''));
    if (await isHidden(upstream.jar, cookie, hop.url)) continue;
    await upstream.jar.setCookie(cookie, hop.url.href, { ignoreError: true, loose: true });
  }
  return response;
}

/**
 * Whether a cookie would overwrite one that its sender cannot see, being without TLS.
 * https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-20.html#section-5.7
 */
async function isHidden(jar: CookieJar, cookie: string, { href, protocol }: URL): Promise<boolean> {
  if (protocol === 'https:') return false;
  const key = Cookie.parse(cookie, { loose: true })?.key;
  const urls = [href, href.replace('http:', 'https:')];
  const [seen = [], all = []] = await Promise.all(urls.map((url) => jar.getCookies(url, { allPaths: true })));
  const visible = new Set(seen.map(identityOf));
  return all.some((each) => each.key === key && !visible.has(identityOf(each)));
}

const cookieValues = new WeakMap<Upstream, Set<string>>();

/** The values of the cookies that the requests of a call have sent and their answers have set. */
export const cookieValuesOf = (upstream: Upstream): ReadonlySet<string> => cookieValues.get(upstream) ?? new Set();

/** @param cookie - its name and its value */
function note(upstream: Upstream, cookie: string): void {
  const values = cookieValues.get(upstream) ?? new Set();
  cookieValues.set(upstream, values.add(cookie.slice(cookie.indexOf('=') + 1).trim()));
}

async function reached(upstream: Upstream, fetch: () => Promise<Response>): Promise<Response> {
  try {
    return await upstream.deadline.race(fetch());
  } catch (cause) {
    throw known(upstream, cause) ?? new GatewayError('upstream-unreachable', 'The site cannot be reached.', { cause });
  }
}

/** The end of the call, or a refusal that a fetch of ours has wrapped. */
function known({ deadline }: Upstream, error: unknown): GatewayError | undefined {
  if (deadline.signal.aborted) return deadline.signal.reason as GatewayError;
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof GatewayError) return each;
  return undefined;
}

/** What a browser asks for when it navigates. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function headersOf(upstream: Upstream, hop: Hop): Promise<Headers> {
  const isOwn = hop.url.origin === originOf(upstream.pageUrl);
  const headers = new Headers({ accept, 'user-agent': 'webmcp-forms', ...(isOwn && upstream.headers) });
  const cookies = await upstream.jar.getCookieString(hop.url.href, {
    sort: true, // it would sort them if it were given no options
    sameSiteContext: siteContext(isOwn, hop),
  });
  if (cookies !== '') headers.set('cookie', cookies);
  for (const cookie of cookies.split(';')) note(upstream, cookie);
  if (hop.content) headers.set('content-type', hop.content.contentType);
  if (hop.method === 'POST') headers.set('origin', originOf(upstream.pageUrl));
  const referrer = referrerOf(upstream.pageUrl, hop.url);
  if (referrer !== undefined) headers.set('referer', referrer);
  return headers;
}

const siteContext = (isOwn: boolean, { method }: Hop): 'strict' | 'lax' | 'none' =>
  isOwn ? 'strict' : method === 'GET' ? 'lax' : 'none';

/** https://w3c.github.io/webappsec-referrer-policy/#referrer-policy-strict-origin-when-cross-origin */
function referrerOf(pageUrl: string, url: URL): string | undefined {
  const page = new URL(pageUrl);
  if (page.origin === url.origin) return withoutHash(page);
  return page.protocol === 'https:' && url.protocol === 'http:' ? undefined : `${page.origin}/`;
}

async function answerOf(upstream: Upstream, { url }: Hop, response: Response): Promise<Answer> {
  return {
    status: response.status,
    url: withoutHash(url),
    contentType: response.headers.get('content-type') ?? '',
    bytes: await bytesOf(upstream, response),
  };
}

/** Reads no more of an answer than the limit, however much is compressed in it. */
async function bytesOf(upstream: Upstream, response: Response): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  try {
    for (let length = 0; ;) {
      const { done, value } = await upstream.deadline.race(reader.read());
      if (done) return concat(chunks, length);
      chunks.push(value);
      length += value.length;
      if (length > upstream.limits.bytes) throw tooLarge(upstream.limits);
    }
  } catch (cause) {
    reader.cancel().catch(() => undefined);
    throw known(upstream, cause) ?? new GatewayError('upstream-broken', 'The answer of the site broke off.', { cause });
  }
}

const tooLarge = ({ bytes }: Limits): GatewayError =>
  new GatewayError('upstream-too-large', `The answer of the site is larger than ${bytes} bytes.`);

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
