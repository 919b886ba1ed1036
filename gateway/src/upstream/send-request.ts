import { GatewayError } from '../gateway-error.js';
import type { FormRequest } from '../submission/form-request.js';
import { isPrivateHost, privateAddressError } from './addresses.js';
import { readBody, sendHop } from './send-hop.js';
import { isAllowedOrigin, withoutHash, type Hop, type Upstream, type UpstreamResponse } from './upstream.js';

/**
 * Sends a request and follows its redirects as a browser does. It never retries.
 * https://fetch.spec.whatwg.org/#http-redirect-fetch
 *
 * @throws {GatewayError}
 */
export async function sendRequest(upstream: Upstream, request: FormRequest): Promise<UpstreamResponse> {
  const submittedUrls = new Set<string>();
  try {
    return await followRedirects(upstream, request, submittedUrls);
  } catch (error) {
    if (submittedUrls.size === 0 || !(error instanceof GatewayError)) throw error;
    const message = `${error.message} The site may have processed the submission. Check before you send it again.`;
    throw new GatewayError(error.code, message, { cause: error.cause });
  }
}

async function followRedirects(
  upstream: Upstream,
  request: FormRequest,
  submittedUrls: Set<string>,
): Promise<UpstreamResponse> {
  let hop: Hop = { ...request, url: new URL(request.url) };
  for (let redirects = 0; ; redirects++) {
    const url = withoutHash(hop.url);
    if (!upstream.allowPrivateAddresses && isPrivateHost(hop.url.hostname)) throw privateAddressError();
    if (hop.method === 'POST') submittedUrls.add(url);
    const response = await sendHop(upstream, hop).catch((error: unknown) => {
      if (isUnsent(error)) submittedUrls.delete(url);
      throw error;
    });
    const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null;
    if (location === null) {
      const contentType = response.headers.get('content-type') ?? '';
      return { status: response.status, url, contentType, bytes: await readBody(upstream, response) };
    }
    response.body?.cancel().catch(() => undefined);
    if (redirects === upstream.limits.redirects) {
      throw new GatewayError('redirect-limit', `The site redirects more than ${redirects} times.`);
    }
    hop = nextHop(upstream, hop, response.status, location);
    if (hop.method === 'POST' && submittedUrls.has(withoutHash(hop.url))) {
      throw new GatewayError('redirect-limit', 'The site redirects a submission to an earlier URL.');
    }
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a request failed before a connection was made. */
function isUnsent(error: unknown): boolean {
  if (error instanceof GatewayError && error.code === 'upstream-refused-address') return true;
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && connectErrors.has(String(each.code))) return true;
  }
  return false;
}

const connectErrors: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function nextHop(upstream: Upstream, hop: Hop, status: number, location: string): Hop {
  const text = decodeLocation(location);
  if (!URL.canParse(text, hop.url.href)) {
    throw new GatewayError('upstream-broken', 'The site redirects to an invalid URL.');
  }
  const url = new URL(text, hop.url);
  [url.username, url.password] = ['', ''];
  if (!url.hash) url.hash = hop.url.hash;
  if (!/^https?:$/.test(url.protocol) || !isAllowedOrigin(upstream, url)) {
    const place = url.origin === 'null' ? `a URL with ${url.protocol}` : url.origin;
    throw new GatewayError('redirect-elsewhere', `The site redirects to ${place.slice(0, 300)}, which is not allowed.`);
  }
  return hop.method === 'POST' && status > 303 ? { ...hop, url } : { method: 'GET', url };
}

/** Browsers decode `Location` as UTF-8; fetch returns headers as ISO-8859-1. */
const decodeLocation = (value: string): string =>
  /^[\0-\xff]*$/.test(value) ? new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0))) : value;
