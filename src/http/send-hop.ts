import { isPrivateHost, refusedAddressCode } from './addresses.js';
import { bodyOf } from './body.js';
import { withoutHash, userAgent, type Hop, type HttpClient, type HttpResponse } from './client.js';
import { cookiePairs, joinCookies, overwritesSecure } from './cookies.js';
import type { Deadline } from './deadline.js';

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

/** Whether an error, or one of its causes, has a code. */
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

/** The `Accept` header of a navigation. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function createHeaders(client: HttpClient, { method, url, content, referrer }: Hop): Promise<Headers> {
  const isOwn = url.origin === client.origin;
  const headers = new Headers({ accept, 'user-agent': userAgent });
  for (const [name, value] of Object.entries(isOwn ? client.headers : {})) headers.set(name, value);
  const stored = await client.jar.getCookieString(url.href, {
    sort: true, // the default only if no options are set
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
