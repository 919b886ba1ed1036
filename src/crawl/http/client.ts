import { setTimeout as wait } from 'node:timers/promises';
import type { Cookie, CookieJar } from 'tough-cookie';
import { maxCookies, maxRedirects, maxRetries, maxRetryAfterMs } from '../limits.js';
import { RequestError } from '../problem.js';
import { nameOf, valueOf, type RunSecrets } from '../secrets.js';
import type { HttpRequest, HttpResponse, Transport } from './transport.js';

export interface ClientOptions {
  readonly transport: Transport;
  readonly jar: CookieJar;
  readonly secrets: RunSecrets;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The time before the first repetition of a request, if the site does not say it. */
  readonly retryDelayMs: number;
  readonly signal: AbortSignal;
}

/** A response after its redirects. */
export interface Fetched extends HttpResponse {
  readonly url: URL;
  readonly isRedirected: boolean;
  /** The `Content-Type`, or the empty string. */
  readonly contentType: string;
}

/** The POST request of a form. */
export interface Submission {
  readonly url: URL;
  /** The page of the form. */
  readonly pageUrl: URL;
  readonly contentType: string;
  readonly body: Uint8Array;
}

type Hop = Pick<HttpRequest, 'method' | 'url' | 'body'> & { readonly headers: Readonly<Record<string, string>> };

/** The product token, which robots.txt can name. The gateway sends the same. */
export const userAgent = 'webmcp-forms';

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Sends requests to one origin, with the cookies of its responses. It never contacts another origin. */
export class SiteClient {
  readonly #options: ClientOptions;
  /** The time before which no request is sent. */
  #notBefore = 0;
  /** The time between two requests. */
  delayMs = 0;
  readonly #cookieNames = new Set<string>();

  constructor(options: ClientOptions) {
    this.#options = options;
    for (const [name, value] of Object.entries(options.headers)) options.secrets.addHeader(name, value);
  }

  /**
   * Requests a URL, and follows the redirects within its origin. Each request has the timeout, with its body.
   *
   * @throws {RequestError}
   */
  async get(url: URL): Promise<Fetched> {
    for (let attempt = 0; ; attempt++) {
      const delay = this.#options.retryDelayMs * 2 ** attempt;
      try {
        const fetched = await this.#follow({ method: 'GET', url, headers: {} });
        if (!busyStatuses.has(fetched.status)) return fetched;
        fetched.discard();
        if (attempt === maxRetries) throw unavailable(fetched.status);
        this.#pause(retryAfter(fetched) ?? delay);
      } catch (error) {
        if (attempt === maxRetries || !isReset(error)) throw error;
        this.#pause(delay);
      }
    }
  }

  /** Submits a form with POST, once. */
  post({ url, pageUrl, contentType, body }: Submission): Promise<Fetched> {
    const headers = { 'content-type': contentType, origin: pageUrl.origin, referer: pageUrl.href };
    return this.#follow({ method: 'POST', url, body, headers });
  }

  async hasCookiesFor({ href }: URL): Promise<boolean> {
    return (await this.#options.jar.getCookies(href, { allPaths: true })).length > 0;
  }

  addCookies(cookies: readonly Cookie[]): void {
    for (const cookie of cookies) {
      this.#options.secrets.addGivenCookie(cookie.key, cookie.value);
      void this.#options.jar.store.putCookie(cookie);
    }
  }

  #pause(milliseconds: number): void {
    this.#notBefore = Math.max(this.#notBefore, Date.now() + milliseconds);
  }

  /** Waits for the turn of a request. */
  async #turn(): Promise<void> {
    const { signal } = this.#options;
    signal.throwIfAborted();
    const now = Date.now();
    const at = Math.max(now, this.#notBefore);
    if (this.delayMs > 0) this.#notBefore = at + this.delayMs;
    if (at > now) await wait(at - now, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  /** A signal of the run and of the timeout of one request. */
  #signal(): AbortSignal {
    const { timeoutMs, signal } = this.#options;
    const timeout = new AbortController();
    const reason = `it did not respond within ${timeoutMs / 1000} s`;
    const error = new RequestError('unreachable', reason, 'Increase --timeout, or try again later.');
    setTimeout(() => timeout.abort(error), timeoutMs).unref();
    return AbortSignal.any([signal, timeout.signal]);
  }

  /** https://fetch.spec.whatwg.org/#http-redirect-fetch */
  async #follow(first: Hop): Promise<Fetched> {
    let hop = first;
    for (let redirects = 0; ; redirects++) {
      const response = await this.#send(hop);
      const { status, headers } = response;
      const { location } = headers;
      if (!redirectStatuses.has(status) || location === undefined) {
        return { ...response, url: hop.url, isRedirected: redirects > 0, contentType: headers['content-type'] ?? '' };
      }
      response.discard();
      if (redirects === maxRedirects) {
        throw new RequestError('redirect', `it redirects more than ${maxRedirects} times`, 'Check it in a browser.');
      }
      hop = nextHop(hop, status, location);
    }
  }

  async #send(hop: Hop): Promise<HttpResponse> {
    const { transport, jar, secrets } = this.#options;
    await this.#turn();
    const cookie = joinCookies(await jar.getCookieString(hop.url.href, { sort: true }), this.#headers.get('cookie'));
    const headers = { ...Object.fromEntries(this.#headers), ...hop.headers, ...(cookie !== '' && { cookie }) };
    const response = await transport.send({ ...hop, headers, signal: this.#signal() });
    for (const line of response.headers['set-cookie'] ?? []) {
      if (!this.#cookieNames.has(nameOf(line)) && this.#cookieNames.size >= maxCookies) continue;
      this.#cookieNames.add(nameOf(line));
      secrets.addCookie(nameOf(line), valueOf(line));
      await jar.setCookie(line, hop.url.href, { ignoreError: true, loose: true });
    }
    return response;
  }

  get #headers(): Headers {
    return new Headers({ accept, 'user-agent': userAgent, ...this.#options.headers });
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

const unavailable = (status: number): RequestError =>
  new RequestError('unavailable', `the status is ${status}`, 'Try again later, or with a lower --concurrency.');

/** The time that `Retry-After` asks for, in milliseconds. https://www.rfc-editor.org/rfc/rfc9110#name-retry-after */
function retryAfter({ status, headers }: HttpResponse): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  if (milliseconds > maxRetryAfterMs) {
    const reason = `the status is ${status}, and Retry-After asks for ${Math.ceil(milliseconds / 1000)} s`;
    throw new RequestError('unavailable', reason, 'Try again later.');
  }
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** Whether the server closed a connection, as it may do with one that was not used for a while. */
const isReset = (error: unknown): boolean =>
  error instanceof RequestError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  ['ECONNRESET', 'EPIPE'].includes(String(error.cause.code));

function nextHop({ method, url, body, headers }: Hop, status: number, location: string): Hop {
  const text = Buffer.from(location, 'latin1').toString(); // as browsers decode it
  if (!URL.canParse(text, url.href)) throw new RequestError('redirect', 'it redirects to an invalid URL');
  const next = new URL(text, url);
  [next.username, next.password, next.hash] = ['', '', ''];
  if (next.origin !== url.origin) throw elsewhere(next);
  if (method === 'POST' && status > 303) return { method, url: next, headers, ...(body && { body }) };
  return { method: 'GET', url: next, headers: {} };
}

function elsewhere({ origin, protocol }: URL): RequestError {
  const place = origin === 'null' ? `a URL with ${protocol}` : origin;
  const reason = `it redirects to another origin, ${place.slice(0, 300)}`;
  return new RequestError('redirect', reason, 'Name URLs of that origin if it is the site.');
}

/** The cookies of the jar, and the configured ones whose names it does not have. */
function joinCookies(cookies: string, configured: string | null): string {
  const names = new Set(cookies.split(';').map(nameOf));
  const others = (configured ?? '').split(';').filter((each) => !names.has(nameOf(each)));
  return [cookies, ...others.map((each) => each.trim())].filter(Boolean).join('; ');
}
