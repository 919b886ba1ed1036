import { CookieJar } from 'tough-cookie';
import type { ToolAnswer } from 'webmcp-forms/client';
import {
  type ExecuteErrorCode,
  type FormDescription,
  type JsonValue,
  type ProfileName,
  type Sensitive,
  preview,
  resolveSynthesis,
} from 'webmcp-forms/headless';
import type { FilledForm } from '../constraints/constraints.js';
import { WorkBudget } from '../constraints/work-budget.js';
import { GatewayError, type InputError } from '../gateway-error.js';
import { descriptionOf, type GatewayTool } from '../manifest.js';
import { hideInFailure, hideSecrets } from '../secrets/hide-secrets.js';
import { startDeadline, type Deadline } from '../upstream/deadline.js';
import { displayUrl } from '../upstream/display-url.js';
import { sendRequest } from '../upstream/send-request.js';
import { isAllowedOrigin, type Fetch, type Limits, type Upstream } from '../upstream/upstream.js';
import { configuredHeaders, type SubmitConfig } from './config.js';
import { excessErrors, fillForm, type FormInput } from './fill-form.js';
import { formRequest, submissionOf, type FormRequest } from './form-request.js';
import { checkDestination, needsPage, readPageForm, type PageForm } from './page-form.js';
import { readResponse } from './read-response.js';

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
}

const defaultLimits: Limits = { milliseconds: 30_000, bytes: 5_000_000, redirects: 10 };

/**
 * Submits a tool's form as a browser does. Nothing is sent unless the whole input is valid, and a submission is never
 * retried.
 *
 * @throws {GatewayError} for any failure, with a stable code
 * @example
 * const { status, text } = await submitForm({ tool, pageUrl: 'https://shop.example/search', input: { q: 'tea' } });
 */
export async function submitForm(options: SubmitFormOptions): Promise<ToolAnswer> {
  return await sendCall(prepareCall(options), options);
}

/** A call whose input is valid according to the manifest, except for errors that the page may resolve. */
export interface Call extends FormInput {
  readonly form: FormDescription;
  readonly filled: FilledForm;
  readonly errors: readonly InputError[];
  readonly pageUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
}

/** Checks a call without sending anything: the first half of `submitForm`. */
export function prepareCall({
  tool,
  pageUrl,
  input,
  config = {},
  limits,
  profile = 'portable',
  sensitive,
  budget = new WorkBudget(),
}: SubmitFormOptions): Call {
  const form = descriptionOf(tool);
  const synthesis = resolveSynthesis({ profile, ...(sensitive && { sensitive }) });
  const url = parsePageUrl(pageUrl);
  const headers = configuredHeaders(config, url);
  const formInput: FormInput = { input, config, synthesis, budget };
  const excess = excessErrors(form, formInput);
  if (excess.length > 0) throw invalidInput(excess, 0);
  const { filled, errors, omittedCount } = fillForm(form, formInput);
  if (omittedCount > 0 || !canPageResolve(errors, needsPage(form, filled.set)))
    throw invalidInput(errors, omittedCount);
  [url.username, url.password, url.hash] = ['', '', ''];
  return { ...formInput, form, filled, errors, headers, pageUrl: url.href, limits: { ...defaultLimits, ...limits } };
}

/**
 * Whether the page may accept what the manifest rejects: other options, and if the page is read anyway, other limits or
 * fewer required parameters.
 */
const canPageResolve = (errors: readonly InputError[], isPageRead: boolean): boolean =>
  errors.every(({ code }) => code === 'not-offered' || (isPageRead && !executeErrors.has(code)));

/** Errors of values that no page of this tool accepts. */
const executeErrors: ReadonlySet<string> = new Set<ExecuteErrorCode>([
  'invalid-input',
  'unknown-parameter',
  'wrong-type',
  'wrong-count',
  'duplicate-value',
  'not-kept',
]);

function parsePageUrl(pageUrl: string): URL {
  if (URL.canParse(pageUrl) && /^https?:$/.test(new URL(pageUrl).protocol)) return new URL(pageUrl);
  throw new GatewayError('config-error', 'The URL of the page is not an absolute URL with http or https.');
}

function invalidInput(parameters: readonly InputError[], omittedCount: number): GatewayError {
  const messages = parameters.slice(0, 20).map(({ message }) => message);
  if (omittedCount > 0) messages.push(`The input has ${omittedCount} more unknown names.`);
  return new GatewayError('schema-error', `The input is invalid. ${messages.join(' ')}`, { parameters });
}

type SendOptions = Pick<SubmitFormOptions, 'jar' | 'fetch' | 'signal' | 'origins' | 'allowPrivateAddresses'>;

/** Sends a prepared call: the second half of `submitForm`. */
export async function sendCall(call: Call, options: SendOptions): Promise<ToolAnswer> {
  const deadline = startDeadline(call.limits.milliseconds, options.signal);
  try {
    const upstream = createUpstream(options, call, deadline);
    return await submitCall(call, upstream).catch((error: unknown) => {
      throw hideInFailure(error, { filled: call.filled, headers: upstream.headers, cookies: upstream.cookieValues });
    });
  } finally {
    deadline.clear();
  }
}

async function submitCall(call: Call, upstream: Upstream): Promise<ToolAnswer> {
  checkOrigin(upstream, call.filled, call.pageUrl);
  const { request, filled } = await createRequest(call, upstream);
  const response = readResponse(await sendRequest(upstream, request));
  return hideSecrets(response, { filled, headers: upstream.headers, cookies: upstream.cookieValues });
}

const createUpstream = (
  { jar = new CookieJar(), fetch = platformFetch, origins = [], allowPrivateAddresses = false }: SendOptions,
  { pageUrl, headers, limits }: Call,
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
  if (URL.canParse(origin)) return new URL(origin).origin;
  throw new GatewayError('config-error', `The origin ${preview(origin)} is not a URL.`);
}

const platformFetch: Fetch = (url, init) => fetch(url, init);

async function createRequest(
  call: Call,
  upstream: Upstream,
): Promise<{ readonly request: FormRequest; readonly filled: FilledForm }> {
  const { form, filled, errors, pageUrl } = call;
  if (errors.length === 0 && !needsPage(form, filled.set)) return { request: formRequest(filled, { pageUrl }), filled };
  const page = await readPageForm(upstream, filled, pageUrl).catch((error: unknown) => {
    throw errors.length > 0 && !isAboutSession(error) ? invalidInput(errors, 0) : error;
  });
  const refilled = refill(call, page);
  checkOrigin(upstream, refilled, page.pageUrl);
  checkDestination({ ...filled, pageUrl }, { ...refilled, pageUrl: page.pageUrl, drift: page.drift });
  const directionOf = (index: number): 'ltr' | 'rtl' => page.directionOf(index, refilled.states);
  return { request: formRequest(refilled, { ...page, directionOf }), filled: refilled };
}

const isAboutSession = (error: unknown): boolean =>
  !(error instanceof GatewayError) || ['login-required', 'page-forbidden', 'aborted'].includes(error.code);

function refill(call: Call, { form, pageUrl, drift }: PageForm): FilledForm {
  const { filled, errors, omittedCount } = fillForm(form, call, { filled: call.filled, drift });
  if (errors.length === 0) return filled;
  if (call.errors.length > 0) throw invalidInput(errors, omittedCount);
  const messages = errors.map(({ message }) => message).join(' ');
  const url = displayUrl(pageUrl);
  throw new GatewayError('page-drift', `The page differs from the manifest: ${url} rejects the input. ${messages}`, {
    parameters: errors,
    url,
  });
}

function checkOrigin(upstream: Upstream, { form, submitter }: FilledForm, pageUrl: string): void {
  const { url } = submissionOf(form, submitter, pageUrl);
  if (isAllowedOrigin(upstream, url)) return;
  const message = `The form is submitted to ${url.origin}, which is not allowed. Use it as the base URL if it is the site, or allow it with origins or --origin.`;
  throw new GatewayError('action-elsewhere', message);
}
