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
import { controlSteps, maxCallSteps, WorkBudget } from '../constraints/work-budget.js';
import { GatewayError, type InputError } from '../gateway-error.js';
import { descriptionOf, type GatewayTool } from '../manifest.js';
import { hideInFailure } from '../secrets/hide-secrets.js';
import { sentSecrets } from '../secrets/sent-secrets.js';
import { startDeadline, type Deadline } from '../upstream/deadline.js';
import { sendRequest } from '../upstream/send-request.js';
import type { Fetch, Limits, Upstream, UpstreamResponse } from '../upstream/upstream.js';
import { checkConfigSize, configuredHeaders, type SubmitConfig } from './config.js';
import { excessErrors, fillForm, type FormInput } from './fill-form.js';
import { formRequest } from './form-request.js';
import { needsPage } from './page-form.js';
import { inlineReader, ReadError, unreadableAnswer, unreadablePage, type PageReader } from './page-reader.js';
import { checkOrigin, inputErrorOr, invalidInput, type PageRequest, type PageTask } from './page-request.js';

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
  readonly profile: ProfileName;
  readonly sensitive?: Sensitive;
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
  if (budget.steps < form.controls.length * controlSteps) throw tooManyCalls();
  budget.spend(form.controls.length * controlSteps);
  const url = parsePageUrl(pageUrl);
  checkConfigSize(config);
  const headers = configuredHeaders(config, url);
  const formInput: FormInput = { input, config, synthesis, budget };
  const excess = excessErrors(form, formInput);
  if (excess.length > 0) throw invalidInput(excess, 0);
  const { filled, errors, omittedCount } = fillForm(form, formInput);
  if (omittedCount > 0 || !canPageResolve(errors, needsPage(form, filled.set)))
    throw invalidInput(errors, omittedCount);
  [url.username, url.password, url.hash] = ['', '', ''];
  return {
    ...formInput,
    form,
    filled,
    errors,
    headers,
    pageUrl: url.href,
    limits: { ...defaultLimits, ...limits },
    profile,
    ...(sensitive && { sensitive }),
  };
}

const tooManyCalls = (): GatewayError => {
  const message = `The calls of this request take more than ${maxCallSteps} steps. Send fewer calls in a request.`;
  return new GatewayError('schema-error', message);
};

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

type SendOptions = Pick<
  SubmitFormOptions,
  'jar' | 'fetch' | 'signal' | 'origins' | 'allowPrivateAddresses' | 'pageReader'
>;

/** Sends a prepared call: the second half of `submitForm`. */
export async function sendCall(call: Call, options: SendOptions): Promise<ToolAnswer> {
  const deadline = startDeadline(call.limits.milliseconds, options.signal);
  try {
    const upstream = createUpstream(options, call, deadline);
    return await submitCall(call, upstream, options.pageReader ?? inlineReader).catch((error: unknown) => {
      const values = sentSecrets(call.filled);
      throw hideInFailure(error, { values, headers: upstream.headers, cookies: upstream.cookieValues });
    });
  } finally {
    deadline.clear();
  }
}

async function submitCall(call: Call, upstream: Upstream, reader: PageReader): Promise<ToolAnswer> {
  checkOrigin(upstream, call.filled, call.pageUrl);
  const { request, secrets } = await createRequest(call, upstream, reader);
  const response = await sendRequest(upstream, request);
  const { headers, cookieValues, deadline } = upstream;
  const task = { response, sent: { values: secrets, headers, cookies: cookieValues } };
  return await reader.readAnswer(task, deadline.signal).catch((error: unknown) => {
    throw error instanceof ReadError ? unreadableAnswer(error, deadline.signal) : error;
  });
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

async function createRequest(call: Call, upstream: Upstream, reader: PageReader): Promise<PageRequest> {
  const { form, filled, errors, pageUrl } = call;
  if (errors.length === 0 && !needsPage(form, filled.set)) {
    return { request: formRequest(filled, { pageUrl }), secrets: sentSecrets(filled) };
  }
  const get = { method: 'GET', url: pageUrl, isPage: true } as const;
  const response = await sendRequest(upstream, get).catch((error: unknown) => {
    throw inputErrorOr(error, errors);
  });
  const task = taskOf(call, upstream, response);
  const { signal } = upstream.deadline;
  return await reader.createRequest(task, signal).catch((error: unknown) => {
    throw error instanceof ReadError ? inputErrorOr(unreadablePage(error, task, signal), errors) : error;
  });
}

const taskOf = (
  { filled, input, config, profile, sensitive, errors, budget }: Call,
  { pageUrl, origins, headers, cookieValues }: Upstream,
  response: UpstreamResponse,
): PageTask => ({
  response,
  known: filled,
  input,
  config,
  profile,
  sensitive,
  errors,
  steps: budget.steps,
  pageUrl,
  origins,
  headers,
  cookies: cookieValues,
});
