import type { FormDescription } from '../compiler/description.js';
import type { ExecuteErrorCode } from '../compiler/input/parameter-error.js';
import type { ProfileName, Sensitive } from '../compiler/profiles/synthesize.js';
import type { JsonValue } from '../json-schema.js';
import { urlOf } from '../site/pages/page-path.js';
import { checkConfigSize, configuredHeaders, type SubmitConfig } from './config.js';
import type { FilledForm } from './constraints/constraints.js';
import { controlSteps, maxCallSteps, WorkBudget } from './constraints/pattern.js';
import { callSynthesis, excessErrors, fillForm, type FormInput } from './fill-form.js';
import { callOf, checkOrigin, formRequest, needsPage, withoutCredentials, type FormRequest } from './form-request.js';
import type { OfferedForm, OfferOptions } from './page/offered-forms.js';
import type { FormValues, PageSearch } from './page/page-form.js';
import { ReadError, unreadableAnswer, unreadablePage, type PageReader, type SiteAnswer } from './page/page-reader.js';
import { inputErrorOr, type PageRequest, type PageTask } from './page/page-request.js';
import { followRefreshes } from './refresh.js';
import type { SiteResponse } from './response.js';
import { hideInErrors, hideInFailure } from './secrets/hide-secrets.js';
import { sentSecrets } from './secrets/sent-secrets.js';
import { invalidInput, SubmissionError, submittedAdvice, type InputError } from './submission-error.js';
import { formState } from '../compiler/input/form-state.js';

export interface SubmissionOptions {
  /** The form of the manifest. */
  readonly form: FormDescription;
  /** The absolute URL of the form's page. Its credentials are sent as HTTP basic authentication. */
  readonly pageUrl: string;
  /** The input of the agent. */
  readonly input: JsonValue;
  readonly config?: SubmitConfig | undefined;
  /** The profile of the input schema. @default 'portable' */
  readonly profile?: ProfileName | undefined;
  /**
   * Whether passwords, payment data and one-time codes are parameters.
   * @default 'include' for the profile chromium, 'exclude' for the other profiles
   */
  readonly sensitive?: Sensitive | undefined;
  /** The remaining work for the checks of a request with several calls. @default the work of one call */
  readonly budget?: WorkBudget | undefined;
}

/** A call that was checked without sending anything. */
export interface Prepared<Answer> {
  /** Without fragment and credentials. */
  readonly pageUrl: string;
  /** The headers of every request to the page's own origin. */
  readonly headers: Readonly<Record<string, string>>;
  /** @throws {SubmissionError} if the call fails. The error does not contain the secrets of the call */
  readonly send: (site: Site) => Promise<Answer>;
}

/** A call whose input is valid according to the manifest, except for errors that the page may resolve. */
export interface Call extends FormInput, Prepared<SiteAnswer> {
  readonly form: FormDescription;
  readonly filled: FilledForm;
  readonly errors: readonly InputError[];
  readonly profile: ProfileName;
  readonly sensitive: Sensitive | undefined;
}

/** Prepares the submission of a form, as a browser submits it. @throws {SubmissionError} if a check of the call fails */
export function prepareSubmission({
  form,
  pageUrl,
  input,
  config = {},
  profile = 'portable',
  sensitive,
  budget = new WorkBudget(),
}: SubmissionOptions): Call {
  const synthesis = callSynthesis(profile, sensitive);
  const url = parsePageUrl(pageUrl);
  checkConfigSize(config);
  const headers = configuredHeaders(config, url);
  const formInput: FormInput = { input, config, synthesis, budget };
  const { filled, errors, omittedCount } = fillWithinLimits(form, formInput);
  if (omittedCount > 0 || !canPageResolve(errors, needsPage(form, filled.set)))
    throw invalidInput(errors, omittedCount);
  const options = { ...formInput, form, profile, sensitive };
  const call: Call = {
    ...options,
    filled,
    errors,
    headers,
    pageUrl: requestedUrl(url),
    send: (site) => hidingSecrets(call, filled, site, () => submitCall(call, site)),
  };
  return call;
}

/** @throws {SubmissionError} if the input, or the calls of its request, exceed a limit */
function fillWithinLimits(form: FormDescription, formInput: FormInput): ReturnType<typeof fillForm> {
  const { budget } = formInput;
  const steps = form.controls.length * controlSteps;
  if (budget.steps < steps) throw tooManyCalls();
  budget.spend(steps);
  const excess = excessErrors(form, formInput);
  if (excess.length > 0) throw invalidInput(excess, 0);
  return fillForm(form, formInput);
}

const tooManyCalls = (): SubmissionError => {
  const message = `The calls of this request take more than ${maxCallSteps} steps. Send fewer calls in a request.`;
  return new SubmissionError('schema-error', message);
};

/**
 * Whether the page may accept rejected input: it can have other options or, if it is read anyway, other limits or fewer
 * required parameters.
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
  const url = urlOf(pageUrl);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new SubmissionError('config-error', 'The URL of the page is not an absolute URL with http or https.');
}

const requestedUrl = (url: URL): string => withoutCredentials(url).href.replace(/#.*/, '');

export interface Site {
  /**
   * Sends a request and follows its redirects as a browser does, but never repeats a submission.
   *
   * @throws {SubmissionError} if the request fails
   */
  readonly send: (request: FormRequest) => Promise<SiteResponse>;
  readonly origins: readonly string[];
  /** The names and values of all cookies that were sent or received, such as `a=1`. */
  readonly cookies: ReadonlySet<string>;
  readonly reader: PageReader;
  /** The forms of the answer that the session can submit next. @default none */
  readonly offers?: OfferOptions | undefined;
  readonly signal: AbortSignal;
}

async function hidingSecrets(
  { headers }: Pick<Call, 'headers'>,
  filled: FilledForm,
  { cookies }: Site,
  submit: () => Promise<SiteAnswer>,
): Promise<SiteAnswer> {
  try {
    return await submit();
  } catch (error) {
    throw hideInFailure(error, { values: sentSecrets(filled), headers, cookies });
  }
}

async function submitCall(call: Call, site: Site): Promise<SiteAnswer> {
  const { filled, pageUrl } = call;
  checkOrigin({ pageUrl, origins: site.origins }, filled, pageUrl);
  return await submitRequest(await createRequest(call, site), call, site);
}

/** Sends the request of a submission, and reads the answer. */
async function submitRequest(
  { request, secrets, call: answered }: PageRequest,
  { pageUrl, headers }: Pick<Call, 'pageUrl' | 'headers'>,
  { origins, cookies, reader, signal, send, offers }: Site,
): Promise<SiteAnswer> {
  const sent = { values: secrets, headers, cookies, charset: request.charset };
  try {
    const first = await send(request);
    const response = await followRefreshes(first, { send, origins, pageUrl, signal }).catch((error: unknown) => {
      throw request.method === 'POST' && error instanceof SubmissionError ? afterSubmission(error) : error;
    });
    const mayBeReturned = request.method === 'POST' && response.isRedirected !== true && response.status < 400;
    const task = { response, call: answered, sent, mayBeReturned, offers };
    return await reader.readAnswer(task, signal).catch((error: unknown) => {
      throw error instanceof ReadError ? unreadableAnswer(error, signal) : error;
    });
  } catch (error) {
    throw hideInFailure(error, sent);
  }
}

const afterSubmission = ({ code, message, parameters, cause, url }: SubmissionError): SubmissionError =>
  new SubmissionError(code, `${message} ${submittedAdvice}`, { parameters, cause, url });

/** Prepares the submission of a form of an earlier answer. @throws {SubmissionError} if a check of the call fails */
export function prepareContinuation(
  offered: OfferedForm,
  {
    input,
    config = {},
    budget = new WorkBudget(),
    cookies,
  }: Pick<SubmissionOptions, 'input' | 'config' | 'budget'> & { readonly cookies: ReadonlySet<string> },
): Prepared<SiteAnswer> {
  const { form, pageUrl, encoding, before } = offered;
  const synthesis = callSynthesis('portable', undefined);
  const { filled, errors, omittedCount } = fillWithinLimits(form, { input, config: {}, synthesis, budget });
  const headers = configuredHeaders(config, new URL(pageUrl));
  const secrets = sentSecrets(filled);
  if (errors.length > 0 || omittedCount > 0)
    throw invalidInput(hideInErrors(errors, { values: secrets, headers, cookies }), omittedCount); // errors quote the page
  const place = { pageUrl, headers };
  const submit = async (site: Site): Promise<SiteAnswer> => {
    checkOrigin({ pageUrl, origins: site.origins }, filled, pageUrl);
    const request = formRequest(filled, { pageUrl, encoding });
    return await submitRequest({ request, secrets, call: callOf(filled, () => before) }, place, site);
  };
  return { ...place, send: (site) => hidingSecrets(place, filled, site, () => submit(site)) };
}

async function createRequest(call: Call, site: Site): Promise<PageRequest> {
  const { form, filled, errors, pageUrl } = call;
  if (errors.length > 0 || needsPage(form, filled.set)) return await requestOfPage(call, site);
  return { request: formRequest(filled, { pageUrl }), call: callOf(filled), secrets: sentSecrets(filled) };
}

/**
 * Reads the page of a form, and creates the request of the form that matches the manifest.
 *
 * @throws {SubmissionError} if the page cannot be read, has no matching form, or rejects the input
 */
export async function requestOfPage(call: Call, { send, reader, signal, ...site }: Site): Promise<PageRequest> {
  const { errors, pageUrl } = call;
  const response = await send({ method: 'GET', url: pageUrl, isPage: true }).catch((error: unknown) => {
    throw inputErrorOr(error, errors);
  });
  const task = taskOf(call, site, response);
  return await reader.createRequest(task, signal).catch((error: unknown) => {
    throw error instanceof ReadError ? inputErrorOr(unreadablePage(error, task, signal), errors) : error;
  });
}

const taskOf = (
  { filled, input, config, profile, sensitive, errors, budget, pageUrl, headers }: Call,
  { origins, cookies }: Pick<Site, 'origins' | 'cookies'>,
  response: SiteResponse,
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
  cookies,
});

/**
 * Prepares to read the values of a form in the session of the site. Nothing is submitted.
 *
 * @throws {SubmissionError} `config-error` if the URL of the page or the configuration is invalid
 */
export function prepareReading({
  form,
  pageUrl,
  config = {},
}: Pick<SubmissionOptions, 'form' | 'pageUrl' | 'config'>): Prepared<FormValues> {
  const url = parsePageUrl(pageUrl);
  checkConfigSize(config);
  const headers = configuredHeaders(config, url);
  const known = { form, states: formState(form), set: new Set<number>(), submitter: undefined };
  const place = { pageUrl: requestedUrl(url), headers };
  return {
    ...place,
    async send({ send, cookies, reader, signal }) {
      const response = await send({ method: 'GET', url: place.pageUrl, isPage: true });
      const task: PageSearch = { ...place, known, config, response, cookies };
      return await reader.readForm(task, signal).catch((error: unknown) => {
        throw error instanceof ReadError ? unreadablePage(error, task, signal) : error;
      });
    },
  };
}
