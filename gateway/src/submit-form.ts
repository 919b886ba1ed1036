import { CookieJar } from 'tough-cookie';
import type { ToolAnswer } from 'webmcp-forms/client';
import {
  descriptionOf,
  type Fetch,
  type HttpClient,
  inlineReader,
  type OfferOptions,
  type PageReader,
  type Prepared,
  prepareContinuation,
  prepareReading,
  prepareSubmission,
  preview,
  startDeadline,
  SubmissionError,
  type SubmissionOptions,
  urlOf,
} from 'webmcp-forms/headless';
import { GatewayError, toGatewayError } from './gateway-error.js';
import type { GatewayTool } from './manifest.js';
import { type Limits, sendRequest } from './upstream/send-request.js';

/** The options of the requests to a site. */
export interface SiteOptions {
  /**
   * Sends the requests. On Node use `createNodeFetch`, which connects only to public addresses.
   * @default the platform's fetch
   */
  readonly fetch?: Fetch | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Reads pages and responses. On Node, `createPageReader` reads large pages in threads. @default a reader in this thread */
  readonly pageReader?: PageReader | undefined;
  /** Origins besides the site's that forms may be submitted and redirected to. @default [] */
  readonly origins?: readonly string[] | undefined;
  /** Whether private and loopback addresses may be requested. @default false */
  readonly allowPrivateAddresses?: boolean | undefined;
}

export interface SubmitFormOptions extends Omit<SubmissionOptions, 'form'>, SiteOptions {
  /** A tool of a manifest. */
  readonly tool: GatewayTool;
  /** The cookies of the session. New cookies are added to it. @default an empty jar */
  readonly jar?: CookieJar | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Submits a tool's form as a browser does. Nothing is sent unless the whole input is valid, and a submission is never
 * retried.
 *
 * @throws {GatewayError} for any failure, with a stable code
 * @example
 * const { status, text } = await submitForm({ tool, pageUrl: 'https://shop.example/search', input: { q: 'tea' } });
 */
export async function submitForm(options: SubmitFormOptions): Promise<ToolAnswer> {
  const { tool, ...others } = options;
  const { download: _, ...answer } = await sendCall(prepareCall({ ...others, form: formOf(tool) }), others);
  return answer;
}

/** Wraps a function so that it throws the errors of the gateway. */
const withGatewayErrors =
  <Options extends readonly unknown[], Result>(work: (...options: Options) => Result) =>
  (...options: Options): Result => {
    try {
      return work(...options);
    } catch (error) {
      throw toGatewayError(error);
    }
  };

const formOf = withGatewayErrors(descriptionOf);
export const prepareCall = withGatewayErrors(prepareSubmission);
export const prepareRead = withGatewayErrors(prepareReading);
export const prepareNext = withGatewayErrors(prepareContinuation);

export interface SendOptions extends SiteOptions, Pick<SubmitFormOptions, 'jar' | 'signal'> {
  /** Selects the forms of the answer that the session can submit next. */
  readonly offers?: OfferOptions | undefined;
}

export async function sendCall<Answer>(call: Prepared<Answer>, options: SendOptions): Promise<Answer> {
  const { limits = {}, pageReader: reader = inlineReader, offers, signal: callerSignal } = options;
  const { milliseconds = 30_000, bytes: maxBytes = 5_000_000, redirects: maxRedirects = 10 } = limits;
  const { pageUrl } = call;
  const deadline = startDeadline({
    milliseconds,
    callerSignal,
    timeoutError: () =>
      new SubmissionError('upstream-timeout', `The site did not respond within ${milliseconds / 1000} s.`),
    abortError: (cause) => new SubmissionError('aborted', 'The call was canceled.', { cause }),
  });
  const cookies = new Set<string>();
  try {
    const client = { ...clientOf(call, options, cookies), maxRedirects };
    return await call.send({
      send: (request) => sendRequest({ client, pageUrl, deadline, maxBytes }, request),
      origins: client.origins,
      cookies,
      reader,
      offers,
      signal: deadline.signal,
    });
  } catch (error) {
    throw toGatewayError(error);
  } finally {
    deadline.clear();
  }
}

/** @param cookies - receives the names and values of all cookies that are sent or received, including rejected ones */
function clientOf(
  { pageUrl, headers }: Pick<Prepared<unknown>, 'pageUrl' | 'headers'>,
  { jar = new CookieJar(), fetch = platformFetch, origins = [], allowPrivateAddresses = false }: SendOptions,
  cookies: Set<string>,
): Omit<HttpClient, 'errors' | 'maxRedirects'> {
  const record = (name: string, value: string): boolean => cookies.add(`${name}=${value}`).size > 0;
  return {
    jar,
    fetch,
    headers,
    allowPrivateAddresses,
    origin: new URL(pageUrl).origin,
    origins: origins.map(parseOrigin),
    onCookieSent: record,
    onCookieReceived: record,
  };
}

function parseOrigin(origin: string): string {
  const url = urlOf(origin);
  if (url) return url.origin;
  throw new GatewayError('config-error', `The origin ${preview(origin)} is not a URL.`);
}

const platformFetch: Fetch = (url, init) => fetch(url, init);
