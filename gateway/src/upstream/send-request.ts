import {
  displayUrl,
  type FormRequest,
  isAllowedOrigin,
  type SiteResponse,
  SubmissionError,
} from 'webmcp-forms/headless';
import { loginAdvice } from '../gateway-error.js';
import { isPrivateHost, privateAddressError } from './addresses.js';
import { readBody, sendHop } from './send-hop.js';
import { withoutHash, type Hop, type Upstream } from './upstream.js';

/**
 * Sends a request and follows its redirects as a browser does. It never retries.
 * https://fetch.spec.whatwg.org/#http-redirect-fetch
 *
 * @throws {SubmissionError}
 */
export async function sendRequest(upstream: Upstream, request: FormRequest): Promise<SiteResponse> {
  const progress: Progress = { submittedUrls: new Set(), hop: { ...request, url: new URL(request.url) } };
  try {
    return await followRedirects(upstream, progress);
  } catch (error) {
    throw error instanceof SubmissionError ? withRequest(error, progress) : error;
  }
}

interface Progress {
  readonly submittedUrls: Set<string>;
  /** The latest request. */
  hop: Hop;
}

/** The query of a submission can contain the input. */
function withRequest({ code, message, cause }: SubmissionError, { hop, submittedUrls }: Progress): SubmissionError {
  const url = displayUrl(hop.url, { query: hop.isPage === true });
  const advice =
    submittedUrls.size > 0 ? ' The site may have processed the submission. Check before you send it again.' : '';
  return new SubmissionError(code, `${message} The request was ${hop.method} ${url}.${advice}`, { cause, url });
}

async function followRedirects(upstream: Upstream, progress: Progress): Promise<SiteResponse> {
  const { submittedUrls } = progress;
  for (let redirects = 0; ; redirects++) {
    const { hop } = progress;
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
      throw new SubmissionError('redirect-limit', `The site redirects more than ${redirects} times.`);
    }
    const next = nextHop(upstream, hop, response.status, location);
    if (next.method === 'POST' && submittedUrls.has(withoutHash(next.url))) {
      throw new SubmissionError('redirect-limit', 'The site redirects a submission to an earlier URL.');
    }
    progress.hop = next;
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a request failed before a connection was made. */
function isUnsent(error: unknown): boolean {
  if (error instanceof SubmissionError && error.code === 'upstream-refused-address') return true;
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
    throw new SubmissionError('upstream-broken', 'The site redirects to an invalid URL.');
  }
  const url = new URL(text, hop.url);
  [url.username, url.password] = ['', ''];
  if (!url.hash) url.hash = hop.url.hash;
  if (!/^https?:$/.test(url.protocol) || !isAllowedOrigin(upstream, url)) {
    const place = url.origin === 'null' ? `a URL with ${url.protocol}` : url.origin;
    const advice = hop.isPage ? ` If it is a login: ${loginAdvice}` : '';
    const message = `The site redirects to ${place.slice(0, 300)}, which is not allowed.${advice}`;
    throw new SubmissionError('redirect-elsewhere', message);
  }
  if (hop.method === 'POST' && status > 303) return { ...hop, url };
  return { method: 'GET', url, ...(hop.isPage && { isPage: true }) };
}

/** Browsers decode `Location` as UTF-8; fetch returns headers as ISO-8859-1. */
const decodeLocation = (value: string): string =>
  /^[\0-\xff]*$/.test(value) ? new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0))) : value;
