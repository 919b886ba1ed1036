import { CookieJar } from 'tough-cookie';
import type { ToolAnswer } from 'webmcp-forms/client';
import {
  type ControlDescription,
  type FormDescription,
  type JsonValue,
  type ProfileName,
  type Sensitive,
  type ControlAssignment,
  type Synthesis,
  formState,
  isSubmitButton,
  preview,
  redactForm,
  stepsFor,
  resolveSynthesis,
} from 'webmcp-forms/headless';
import { readAnswer } from './answer.js';
import { configuredHeaders, configuredAssignments, wrongSecrets, type SubmitConfig } from './config.js';
import { brokenConstraints, constraintErrors, type FilledForm } from '../constraints/constraints.js';
import { startDeadline, type Deadline } from '../upstream/deadline.js';
import { formRequest, submissionOf, type FormRequest } from './form-request.js';
import { checkButton, needsPage, readFreshForm } from './fresh-form.js';
import { GatewayError, type InputError } from '../gateway-error.js';
import { hideSecrets } from '../secrets/hide-secrets.js';
import { descriptionOf, type GatewayTool } from '../manifest.js';
import { withFewLists, withoutExcess } from './unknown-names.js';
import { cookieValuesOf, exchange, isAllowed, type Fetch, type Limits, type Upstream } from '../upstream/upstream.js';

/** What a call of a tool needs. */
export interface SubmitFormOptions {
  /** The tool as its manifest has it. */
  readonly tool: GatewayTool;
  /** The absolute URL of the form's page; credentials in it are sent as HTTP's basic authentication. */
  readonly pageUrl: string;
  /** What the agent gives. */
  readonly input: JsonValue;
  readonly config?: SubmitConfig;
  /**
   * The cookies of the session; new ones are put into it.
   * @default an empty jar
   */
  readonly jar?: CookieJar;
  /**
   * How requests are sent. On Node give that of `createNodeFetch`, which connects to public addresses alone.
   * @default the platform's fetch
   */
  readonly fetch?: Fetch;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<Limits>;
  /**
   * Origins, beside the page's own, that the form may be sent and redirected to.
   * @default []
   */
  readonly origins?: readonly string[];
  /**
   * Whether private and loopback addresses may be reached.
   * @default false
   */
  readonly allowPrivateAddresses?: boolean;
  /**
   * Whose parameters the input has.
   * @default 'portable'
   */
  readonly profile?: ProfileName;
  /**
   * Whether passwords, payment data and one-time codes are parameters.
   * @default 'include' for the profile chromium, 'exclude' for the others
   */
  readonly sensitive?: Sensitive;
}

const defaultLimits: Limits = { milliseconds: 30_000, bytes: 5_000_000, redirects: 10 };

/**
 * Runs a tool as a browser would submit its form, without one. Nothing is sent unless the whole input is right, and a
 * submission is never sent again.
 *
 * @throws {GatewayError} whatever goes wrong, with a stable code
 * @example
 * const { status, text } = await submitForm({ tool, pageUrl: 'https://shop.example/search', input: { q: 'tea' } });
 */
export async function submitForm(options: SubmitFormOptions): Promise<ToolAnswer> {
  return await sendCall(prepareCall(options), options);
}

/** What a call is sent by. */
type SendOptions = Pick<SubmitFormOptions, 'jar' | 'fetch' | 'signal' | 'origins' | 'allowPrivateAddresses'>;

/** Sends a call that was prepared: the second half of `submitForm`. */
export async function sendCall(call: Call, options: SendOptions): Promise<ToolAnswer> {
  const deadline = startDeadline(call.limits.milliseconds, options.signal);
  try {
    return await run(call, upstreamOf(options, call, deadline));
  } finally {
    deadline.clear();
  }
}

/** A call whose input is right, as far as the manifest can tell. */
export interface Call {
  readonly form: FormDescription;
  readonly synthesis: Synthesis;
  readonly input: JsonValue;
  readonly config: SubmitConfig;
  readonly filled: FilledForm;
  readonly pageUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
}

/** Checks all that a call needs, and sends nothing: the first half of `submitForm`. */
export function prepareCall({
  tool,
  pageUrl,
  input,
  config = {},
  limits,
  profile = 'portable',
  sensitive,
}: SubmitFormOptions): Call {
  const form = descriptionOf(tool);
  const synthesis = resolveSynthesis({ profile, ...(sensitive && { sensitive }) });
  const url = pageOf(pageUrl);
  const headers = configuredHeaders(config, url);
  const settings = configuredAssignments(form, config);
  const filled = fill(form, input, settings, synthesis);
  const errors = [...filled.errors, ...inputErrors(filled, input, synthesis)];
  if (errors.length > 0) throw inputRefused(errors, filled.untold);
  [url.username, url.password, url.hash] = ['', '', ''];
  return {
    ...{ form, synthesis, input, config, filled, headers },
    pageUrl: url.href,
    limits: { ...defaultLimits, ...limits },
  };
}

function pageOf(pageUrl: string): URL {
  if (URL.canParse(pageUrl) && /^https?:$/.test(new URL(pageUrl).protocol)) return new URL(pageUrl);
  throw new GatewayError('config-error', 'The URL of the page is no absolute URL of http or https.');
}

interface CheckedForm extends FilledForm {
  readonly errors: readonly InputError[];
  /** How many more unknown names the input has than the errors tell. */
  readonly untold: number;
  readonly broken: ReturnType<typeof brokenConstraints>;
}

/**
 * A form with what the input and the configuration set; the configuration has the last word. Errors are made of the form
 * as a manifest has it, so that they can tell no secret of the page.
 */
function fill(
  form: FormDescription,
  input: JsonValue,
  configured: readonly ControlAssignment[],
  synthesis: Synthesis,
): CheckedForm {
  const shown = redactForm(form, synthesis.sensitive);
  const { input: bounded, untold } = withoutExcess(shown, input, synthesis);
  const { steps, errors } = stepsFor(shown, bounded, synthesis);
  const settings = [...steps, ...configured];
  const chosen = steps.find(({ set }) => set === 'submitter')?.control ?? form.controls.findIndex(isSubmitButton);
  const filled: FilledForm = {
    form,
    states: formState(form, settings),
    set: new Set(settings.filter(({ set }) => set !== 'submitter').map(({ control }) => control)),
    submitter: chosen < 0 ? undefined : chosen,
  };
  return { ...filled, errors: withFewLists(errors), untold, broken: brokenConstraints(filled) };
}

/** What the constraints have against the input; a parameter that the input got wrong already is not told twice. */
function inputErrors(filled: CheckedForm, input: JsonValue, synthesis: Synthesis): readonly InputError[] {
  const known = new Set(filled.errors.map(({ parameter }) => parameter));
  if (known.has('')) return [];
  const broken = constraintErrors(filled, filled.broken, input, synthesis);
  const others = broken.flatMap(({ control, error }) => (error ? [] : control));
  if (others.length > 0) throw unreachable(others);
  return broken.flatMap(({ error }) => (error && !known.has(error.parameter) ? error : []));
}

/** What no input can set right. */
function unreachable(controls: readonly ControlDescription[]): GatewayError {
  const secrets = controls.filter(({ sensitive }) => sensitive).map(({ name }) => name);
  if (secrets.length > 0) return wrongSecrets(secrets);
  const names = controls.map(({ name }) => preview(name)).join(', ');
  const reason = `no parameter can make the form take its controls ${names}`;
  return new GatewayError('not-submittable', `The form cannot be submitted over HTTP: ${reason}.`);
}

function inputRefused(parameters: readonly InputError[], untold: number): GatewayError {
  const messages = parameters.slice(0, 20).map(({ message }) => message);
  if (untold > 0) messages.push(`Beside those that are told, ${untold} more names are no parameters.`);
  return new GatewayError('schema-error', `The input is not what the tool takes. ${messages.join(' ')}`, {
    parameters,
  });
}

const upstreamOf = (
  { jar = new CookieJar(), fetch = platformFetch, origins = [], allowPrivateAddresses = false }: SendOptions,
  { pageUrl, headers, limits }: Call,
  deadline: Deadline,
): Upstream => ({
  jar,
  fetch,
  origins: origins.map(checkedOrigin),
  allowPrivateAddresses,
  pageUrl,
  headers,
  limits,
  deadline,
});

function checkedOrigin(origin: string): string {
  if (URL.canParse(origin)) return new URL(origin).origin;
  throw new GatewayError('config-error', `The origin ${preview(origin)} is no URL.`);
}

const platformFetch: Fetch = (url, init) => fetch(url, init);

async function run(call: Call, upstream: Upstream): Promise<ToolAnswer> {
  checkDestination(upstream, call.filled, call.pageUrl);
  const { request, filled } = await requestOf(call, upstream);
  const answer = readAnswer(await exchange(upstream, request));
  return hideSecrets(answer, { filled, headers: upstream.headers, cookies: cookieValuesOf(upstream) });
}

async function requestOf(
  call: Call,
  upstream: Upstream,
): Promise<{ readonly request: FormRequest; readonly filled: FilledForm }> {
  const { form, filled, pageUrl } = call;
  if (!needsPage(form, filled.set)) return { request: formRequest(filled, { pageUrl }), filled };
  const fresh = await readFreshForm(upstream, form, pageUrl);
  const refilled = refill(call, fresh.form);
  checkDestination(upstream, refilled, fresh.pageUrl);
  checkButton({ ...filled, pageUrl }, { ...refilled, pageUrl: fresh.pageUrl });
  const directionOf = (index: number): 'ltr' | 'rtl' => fresh.directionOf(index, refilled.states);
  return { request: formRequest(refilled, { ...fresh, directionOf }), filled: refilled };
}

/** The same input on the form as its page has it now. */
function refill({ input, config, synthesis }: Call, form: FormDescription): FilledForm {
  const filled = fill(form, input, configuredAssignments(form, config), synthesis);
  const errors = [...filled.errors, ...inputErrors(filled, input, synthesis)];
  if (errors.length === 0) return filled;
  throw new GatewayError(
    'page-drift',
    `The page and the manifest differ: the page no longer takes this input. ${errors.map(({ message }) => message).join(' ')}`,
    { parameters: errors },
  );
}

function checkDestination(upstream: Upstream, { form, submitter }: FilledForm, pageUrl: string): void {
  const { url } = submissionOf(form, submitter, pageUrl);
  if (isAllowed(upstream, url)) return;
  throw new GatewayError('action-elsewhere', `The form is sent to ${url.origin}, which is not allowed.`);
}
