import { CookieJar } from 'tough-cookie';
import type { ToolAnswer } from 'webmcp-forms/client';
import {
  type Call,
  type Continuation,
  type Deadline,
  type Fetch,
  type FormDescription,
  type JsonValue,
  type PageReader,
  type ProfileName,
  type Sensitive,
  type SubmitConfig,
  type WorkBudget,
  descriptionOf,
  type FormValues,
  inlineReader,
  type OfferOptions,
  prepareReading,
  prepareSubmission,
  type Reading,
  readPageForm,
  type Site,
  preview,
  sendContinuation,
  sendSubmission,
  type SiteAnswer,
  startDeadline,
  SubmissionError,
  urlOf,
} from 'webmcp-forms/headless';
import { GatewayError, toGatewayError } from './gateway-error.js';
import type { GatewayTool } from './manifest.js';
import { sendRequest, type Limits, type Upstream } from './upstream/send-request.js';

export interface SubmitFormOptions {
  /** A tool of a manifest. */
  readonly tool: GatewayTool;
  /** The absolute URL of the form's page. Its credentials are sent as HTTP basic authentication. */
  readonly pageUrl: string;
  /** The input of the agent. */
  readonly input: JsonValue;
  readonly config?: SubmitConfig;
  /**
   * The cookies of the session. New cookies are added to it.
   * @default an empty jar
   */
  readonly jar?: CookieJar;
  /**
   * Sends the requests. On Node use `createNodeFetch`, which connects only to public addresses.
   * @default the platform's fetch
   */
  readonly fetch?: Fetch;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<Limits>;
  /**
   * Further origins that the form may be submitted and redirected to.
   * @default []
   */
  readonly origins?: readonly string[];
  /**
   * Whether private and loopback addresses may be requested.
   * @default false
   */
  readonly allowPrivateAddresses?: boolean;
  /**
   * The profile of the input schema.
   * @default 'portable'
   */
  readonly profile?: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes are parameters.
   * @default 'include' for the profile chromium, 'exclude' for the others
   */
  readonly sensitive?: Sensitive;
  /**
   * The work that is left for the checks of a request with several calls.
   * @default that of one call
   */
  readonly budget?: WorkBudget;
  /**
   * Reads pages and responses. On Node, `createPageReader` reads large ones in other threads.
   * @default this thread
   */
  readonly pageReader?: PageReader;
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

function formOf(tool: GatewayTool): FormDescription {
  try {
    return descriptionOf(tool);
  } catch (error) {
    throw toGatewayError(error);
  }
}

/** The options of a call of a form. */
export interface CallOptions extends Omit<SubmitFormOptions, 'tool'> {
  /** The form of the manifest. */
  readonly form: FormDescription;
}

/** Checks a call without sending anything: the first half of `submitForm`. */
export function prepareCall(options: CallOptions): Call {
  try {
    return prepareSubmission(options);
  } catch (error) {
    throw toGatewayError(error);
  }
}

/** The forms of the answer that the session can submit next. */
interface Offering {
  readonly offers?: OfferOptions | undefined;
}

export type SendOptions = Offering &
  Pick<SubmitFormOptions, 'jar' | 'fetch' | 'signal' | 'limits' | 'origins' | 'allowPrivateAddresses' | 'pageReader'>;

const defaultLimits: Limits = { milliseconds: 30_000, bytes: 5_000_000, redirects: 10 };

/** Checks a reading without sending anything. */
export function prepareRead(options: Parameters<typeof prepareReading>[0]): Reading {
  try {
    return prepareReading(options);
  } catch (error) {
    throw toGatewayError(error);
  }
}

/** Sends a prepared call: the second half of `submitForm`. */
export const sendCall = (call: Call, options: SendOptions): Promise<SiteAnswer> =>
  withSite(call, options, (site) => sendSubmission(call, site));

/** Submits a form of an earlier answer. */
export const sendNext = (continuation: Continuation, options: SendOptions): Promise<SiteAnswer> =>
  withSite(continuation, options, (site) => sendContinuation(continuation, site));

/** Reads the current values of a form, without submitting anything. */
export const sendReading = (reading: Reading, options: SendOptions): Promise<FormValues> =>
  withSite(reading, options, (site) => readPageForm(reading, site));

async function withSite<Answer>(
  call: Pick<Call, 'pageUrl' | 'headers'>,
  options: SendOptions,
  run: (site: Site) => Promise<Answer>,
): Promise<Answer> {
  const limits = { ...defaultLimits, ...options.limits };
  const deadline = startCallDeadline(limits, options.signal);
  try {
    const upstream = createUpstream(call, options, limits, deadline);
    return await run({
      send: (request) => sendRequest(upstream, request),
      origins: upstream.origins,
      cookies: upstream.cookieValues,
      reader: options.pageReader ?? inlineReader,
      offers: options.offers,
      signal: deadline.signal,
    });
  } catch (error) {
    throw toGatewayError(error);
  } finally {
    deadline.clear();
  }
}

const startCallDeadline = ({ milliseconds }: Limits, callerSignal: AbortSignal | undefined): Deadline =>
  startDeadline({
    milliseconds,
    callerSignal,
    timeoutError: () =>
      new SubmissionError('upstream-timeout', `The site did not respond within ${milliseconds / 1000} s.`),
    abortError: (cause) => new SubmissionError('aborted', 'The call was canceled.', { cause }),
  });

const createUpstream = (
  { pageUrl, headers }: Pick<Call, 'pageUrl' | 'headers'>,
  { jar = new CookieJar(), fetch = platformFetch, origins = [], allowPrivateAddresses = false }: SendOptions,
  limits: Limits,
  deadline: Deadline,
): Upstream => ({
  jar,
  fetch,
  origins: origins.map(parseOrigin),
  allowPrivateAddresses,
  pageUrl,
  headers,
  limits,
  deadline,
  cookieValues: new Set(),
});

function parseOrigin(origin: string): string {
  const url = urlOf(origin);
  if (url) return url.origin;
  throw new GatewayError('config-error', `The origin ${preview(origin)} is not a URL.`);
}

const platformFetch: Fetch = (url, init) => fetch(url, init);
