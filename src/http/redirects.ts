import { withoutHash, type Hop, type HttpClient, type HttpResponse } from './client.js';

export interface FollowedResponse extends HttpResponse {
  readonly isRedirected: boolean;
}

/**
 * Sends a request and follows its redirects as a browser does.
 * https://fetch.spec.whatwg.org/#http-redirect-fetch
 *
 * @param send - sends one request
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
    // Another site must not choose where the site receives a submission with the user's session: browsers send `Origin: null`.
    if (![origin, url.origin].includes(hop.url.origin))
      throw errors.forbiddenRedirect(`${url.origin} with the submission to ${hop.url.origin}`);
    return { ...hop, url };
  }
  return { method: 'GET', url, referrer: hop.referrer };
}

/** Browsers decode `Location` as UTF-8; fetch returns headers as ISO-8859-1. */
const decodeLocation = (value: string): string =>
  /^[\0-\xff]*$/.test(value) ? new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0))) : value;
