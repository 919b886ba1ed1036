import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { CookieJar, type Cookie } from 'tough-cookie';
import { isPrivateHost } from '../../http/addresses.js';
import {
  pageHop,
  type EncodedBody,
  type Hop,
  type HttpClient,
  type HttpResponse,
  followRedirects,
  type FollowedResponse,
  hasCode,
  sendHop,
} from '../../http/client.js';
import { maxCookies, SessionCookies } from '../../http/cookies.js';
import { startDeadline, type Deadline } from '../../http/deadline.js';
import { createNodeFetch, type Lookup } from '../../http/node-fetch.js';
import { defaultRequestTimeoutMs, maxRedirects, maxRetries, maxRetryAfterMs } from '../limits.js';
import { RequestError, requestErrors, useBrowser } from '../problem.js';
import type { RunSecrets } from '../secrets.js';

/** The options of the requests for pages. */
export interface ReadOptions {
  /** Headers of every request. Their values are not part of results and messages. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The timeout of a request, including its response, in milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /**
   * The delay before the first retry, in milliseconds, unless the response has `Retry-After`. It doubles with each retry.
   * @default 1000
   */
  readonly retryDelayMs?: number | undefined;
  /**
   * Whether a public host name may resolve to a private address. Local host names, such as `localhost`, and private addresses
   * in URLs are always allowed.
   * @default false
   */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** Whether certificates that are not trusted are accepted. @default false */
  readonly insecure?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface ClientOptions extends ReadOptions {
  readonly base: URL;
  readonly cookies?: readonly Cookie[];
  readonly secrets: RunSecrets;
  readonly lookup?: Lookup;
}

interface Submission extends EncodedBody {
  readonly url: URL;
  readonly pageUrl: URL;
}

type CheckHop = (hop: Hop) => void;

/** Sends requests to one origin only, with the given cookies and the cookies of its responses. */
export class SiteClient {
  readonly #options: Readonly<{ secrets: RunSecrets; timeoutMs: number; retryDelayMs: number }>;
  readonly #client: HttpClient;
  readonly #connections = new AbortController();
  readonly #signal: AbortSignal;
  #notBefore = 0;
  delayMs = 0;
  readonly #cookieNames = new Set<string>();

  constructor(options: ClientOptions) {
    const { base, cookies = [], headers = {}, insecure, lookup, secrets, signal } = options;
    const { timeoutMs = defaultRequestTimeoutMs, retryDelayMs = 1000 } = options;
    this.#options = { secrets, timeoutMs, retryDelayMs };
    this.#signal = AbortSignal.any(signal ? [signal] : []);
    setMaxListeners(0, this.#signal); // each concurrent request adds a listener
    for (const [name, value] of Object.entries(headers)) secrets.addHeader(name, value);
    for (const { key, value } of cookies) secrets.addGivenCookie(key, value);
    // The user has named the host. If it is a private host, private addresses are intended.
    const allowPrivateAddresses = options.allowPrivateAddresses || isPrivateHost(base.hostname);
    this.#client = {
      fetch: createNodeFetch({
        allowPrivateAddresses,
        insecure,
        connectTimeout: timeoutMs + 1000, // the deadline ends earlier and has a better message
        signal: this.#connections.signal,
        lookup,
      }),
      jar: new CookieJar(new SessionCookies(cookies)),
      origin: base.origin,
      headers,
      origins: [],
      allowPrivateAddresses,
      maxRedirects,
      errors: requestErrors,
      onCookieReceived: (name, value) => this.#addCookie(name, value),
    };
  }

  close(): void {
    this.#connections.abort();
  }

  /**
   * Requests a URL, and follows redirects within its origin. The timeout applies to each request, including the response body.
   *
   * @param checkRedirect - throws if the URL of a redirect must not be requested
   * @throws {RequestError} if a request fails, or a redirect must not be followed
   */
  get(url: URL, checkRedirect?: (url: URL) => void): Promise<FollowedResponse> {
    return this.#get(url, (hop) => checkRedirect?.(hop.url));
  }

  /**
   * Requests a page with forms. Like `get`, but the referrer of each request, also after a redirect, is its own URL. The
   * manifest contains the last URL, which the gateway requests in the same way.
   */
  getPage(url: URL, checkRedirect?: (url: URL) => void): Promise<FollowedResponse> {
    return this.#get(
      url,
      (hop) => checkRedirect?.(hop.url),
      (hop) => pageHop(hop.url),
    );
  }

  async #get(url: URL, check: CheckHop, convert?: (hop: Hop) => Hop): Promise<FollowedResponse> {
    for (let attempt = 0; ; attempt++) {
      const delay = this.#options.retryDelayMs * 2 ** attempt;
      try {
        const fetched = await this.#follow({ method: 'GET', url }, check, convert);
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

  /**
   * Submits a form once, with POST. A redirect that would submit the values again is an error.
   *
   * @param checkRedirect - throws if the URL of a redirect must not be requested
   * @throws {RequestError} if a request fails, or a redirect must not be followed
   */
  post({ url, pageUrl, contentType, body }: Submission, checkRedirect: (url: URL) => void): Promise<FollowedResponse> {
    const first: Hop = { method: 'POST', url, content: { contentType, body }, referrer: pageUrl };
    return this.#follow(first, ({ method, url }) => {
      if (method === 'POST') throw repeatedValues(url);
      checkRedirect(url);
    });
  }

  async hasCookiesFor({ href }: URL): Promise<boolean> {
    return (await this.#client.jar.getCookies(href, { allPaths: true })).length > 0;
  }

  #addCookie(name: string, value: string): boolean {
    if (!this.#cookieNames.has(name) && this.#cookieNames.size >= maxCookies) return false;
    this.#cookieNames.add(name);
    this.#options.secrets.addCookie(name, value);
    return true;
  }

  #pause(milliseconds: number): void {
    this.#notBefore = Math.max(this.#notBefore, Date.now() + milliseconds);
  }

  async #turn(): Promise<void> {
    const signal = this.#signal;
    signal.throwIfAborted();
    const now = Date.now();
    const at = Math.max(now, this.#notBefore);
    if (this.delayMs > 0) this.#notBefore = at + this.delayMs;
    if (at > now) await wait(at - now, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  #startDeadline(): Deadline {
    const { timeoutMs: milliseconds } = this.#options;
    const reason = `it did not respond within ${milliseconds / 1000} s`;
    return startDeadline({
      milliseconds,
      callerSignal: this.#signal,
      timeoutError: () => new RequestError('unreachable', reason, 'Increase --timeout, or try again later.'),
    });
  }

  #follow(first: Hop, check: CheckHop, convert = (hop: Hop): Hop => hop): Promise<FollowedResponse> {
    return followRedirects(this.#client, first, (hop) => {
      if (hop !== first) check(hop);
      return this.#send(convert(hop));
    });
  }

  async #send(hop: Hop): Promise<HttpResponse> {
    await this.#turn();
    const deadline = this.#startDeadline();
    try {
      const response = await sendHop(this.#client, hop, deadline);
      const discard = (): void => {
        response.discard();
        deadline.clear();
      };
      return { ...response, body: bodyUntil(deadline, response), discard };
    } catch (error) {
      deadline.clear();
      throw error;
    }
  }
}

const repeatedValues = ({ pathname }: URL): RequestError =>
  new RequestError('redirect', `it redirects the submission with its values to ${pathname.slice(0, 300)}`, useBrowser);

const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

const unavailable = (status: number): RequestError =>
  new RequestError('unavailable', `the status is ${status}`, 'Try again later, or with a lower --concurrency.');

/**
 * The delay that `Retry-After` asks for, in milliseconds. https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 *
 * @throws {RequestError} if the delay exceeds the maximum
 */
function retryAfter({ status, headers }: HttpResponse): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  if (milliseconds > maxRetryAfterMs) {
    const reason = `the status is ${status}, and Retry-After asks for ${Math.ceil(milliseconds / 1000)} s`;
    throw new RequestError('unavailable', reason, 'Try again later.');
  }
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** Whether an error means that the server closed the connection, as servers do with idle connections. */
const isReset = (error: unknown): boolean => hasCode(error, 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET');

const encodings: ReadonlySet<string> = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br']);

/** Yields the body of a response, and clears the deadline when the body ends. */
async function* bodyUntil(deadline: Deadline, { body, headers, discard }: HttpResponse): AsyncGenerator<Uint8Array> {
  try {
    const encoding = (headers.get('content-encoding') ?? '').trim().toLowerCase();
    if (!encodings.has(encoding)) {
      discard();
      throw new RequestError('invalid', `the response has the content encoding ${encoding.slice(0, 50)}`);
    }
    yield* body;
  } finally {
    deadline.clear();
  }
}
