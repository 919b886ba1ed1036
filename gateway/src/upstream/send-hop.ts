import { Cookie, type CookieJar } from 'tough-cookie';
import { concatBytes, SubmissionError } from 'webmcp-forms/headless';
import { cookieId } from './cookies.js';
import { withoutHash, type Hop, type Upstream } from './upstream.js';

/** Sends one request and stores the cookies of its response. */
export async function sendHop(upstream: Upstream, hop: Hop): Promise<Response> {
  const { fetch, deadline } = upstream;
  const headers = await createHeaders(upstream, hop);
  const body = hop.content ? { body: hop.content.body } : {};
  const init = { method: hop.method, headers, ...body, redirect: 'manual', signal: deadline.signal } as const;
  let response: Response;
  try {
    response = await deadline.race(fetch(withoutHash(hop.url), init));
  } catch (cause) {
    throw (
      knownError(upstream, cause) ?? new SubmissionError('upstream-unreachable', 'The site is unreachable.', { cause })
    );
  }
  for (const cookie of response.headers.getSetCookie()) {
    recordCookie(upstream, cookie.replace(/;.*/s, ''));
    if (await overwritesSecure(upstream.jar, cookie, hop.url)) continue;
    await upstream.jar.setCookie(cookie, hop.url.href, { ignoreError: true, loose: true });
  }
  return response;
}

/**
 * Whether a cookie from a response without TLS would overwrite a secure cookie.
 * https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-20.html#section-5.7
 */
async function overwritesSecure(jar: CookieJar, cookie: string, { href, protocol }: URL): Promise<boolean> {
  if (protocol === 'https:') return false;
  const key = Cookie.parse(cookie, { loose: true })?.key;
  const urls = [href, href.replace('http:', 'https:')];
  const [visible = [], all = []] = await Promise.all(urls.map((url) => jar.getCookies(url, { allPaths: true })));
  const visibleIds = new Set(visible.map(cookieId));
  return all.some((each) => each.key === key && !visibleIds.has(cookieId(each)));
}

/** @param cookie - a name and a value */
function recordCookie({ cookieValues }: Upstream, cookie: string): void {
  const [name = ''] = cookie.split('=', 1);
  cookieValues.add(`${name.trim()}=${cookie.slice(name.length + 1).trim()}`);
}

/** The reason of an aborted call, or a submission error that fetch has wrapped. */
function knownError({ deadline }: Upstream, error: unknown): SubmissionError | undefined {
  if (deadline.signal.aborted) return deadline.signal.reason as SubmissionError;
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof SubmissionError) return each;
  return undefined;
}

/** The `Accept` header of a navigation. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function createHeaders(upstream: Upstream, hop: Hop): Promise<Headers> {
  const page = new URL(upstream.pageUrl);
  const isOwn = hop.url.origin === page.origin;
  const headers = new Headers({ accept, 'user-agent': 'webmcp-forms', ...(isOwn && upstream.headers) });
  const cookies = await upstream.jar.getCookieString(hop.url.href, {
    sort: true, // the default only if no options are set
    sameSiteContext: isOwn ? 'strict' : hop.method === 'GET' ? 'lax' : 'none',
  });
  const sent = [cookies, ...otherCookies(headers.get('cookie') ?? '', cookies)].filter(Boolean).join('; ');
  if (sent !== '') headers.set('cookie', sent);
  for (const cookie of sent.split(';')) recordCookie(upstream, cookie);
  if (hop.content) headers.set('content-type', hop.content.contentType);
  if (hop.method === 'POST') headers.set('origin', page.origin);
  const referrer = referrerOf(page, hop.url);
  if (referrer !== undefined) headers.set('referer', referrer);
  return headers;
}

/** The configured cookies whose names the session does not have. */
function otherCookies(configured: string, cookies: string): readonly string[] {
  const nameOf = (cookie: string): string => cookie.replace(/=.*/s, '').trim();
  const names = new Set(cookies.split(';').map(nameOf));
  return configured.split(';').flatMap((cookie) => (names.has(nameOf(cookie)) ? [] : cookie.trim()));
}

/** https://w3c.github.io/webappsec-referrer-policy/#referrer-policy-strict-origin-when-cross-origin */
function referrerOf(page: URL, url: URL): string | undefined {
  if (page.origin === url.origin) return withoutHash(page);
  return page.protocol === 'https:' && url.protocol === 'http:' ? undefined : `${page.origin}/`;
}

/** Reads a body. The limit applies to the decompressed size. */
export async function readBody(upstream: Upstream, response: Response): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const { deadline, limits } = upstream;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  try {
    for (let length = 0; ;) {
      const { done, value } = await deadline.race(reader.read());
      if (done) return concatBytes(chunks);
      chunks.push(value);
      length += value.length;
      if (length > limits.bytes) {
        const message = `The response of the site is larger than ${limits.bytes} bytes.`;
        throw new SubmissionError('upstream-too-large', message);
      }
    }
  } catch (cause) {
    reader.cancel().catch(() => undefined);
    throw (
      knownError(upstream, cause) ??
      new SubmissionError('upstream-broken', 'The response of the site was aborted.', { cause })
    );
  }
}
