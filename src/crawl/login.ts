import type { FormDescription } from '../compiler/description.js';
import type { AnsweredCall } from '../compiler/html/page-content.js';
import type { FormRequest } from '../headless/form-request.js';
import { descriptionOf, pageUrl } from '../headless/known-tool.js';
import { createInlineReader } from '../headless/page/page-reader.js';
import { hasForm } from '../headless/page/select-form.js';
import { readResponse, type SiteResponse } from '../headless/response.js';
import { SubmissionError, type SubmissionErrorCode } from '../headless/submission-error.js';
import { prepareSubmission, requestOfPage } from '../headless/submit-form.js';
import { readBody } from '../http/body.js';
import type { JsonValue } from '../json-schema.js';
import { PageLimitError, parseWithinLimits } from '../parse5/parse5-tree.js';
import { contentOf } from '../site/manifest/join-pages.js';
import type { Manifest, ManifestTool } from '../site/manifest/manifest.js';
import { decodeBytes } from '../site/pages/charset.js';
import { pathProblem, urlOf } from '../site/pages/page-path.js';
import { hasPasswordInput } from '../site/tools/password-input.js';
import { UsageError } from '../site/usage-error.js';
import { readInTime } from './check-page.js';
import type { SiteClient } from './client/site-client.js';
import type { ServedPage } from './crawl.js';
import { hideInPage } from './hide-in-page.js';
import { maxServedPageBytes } from './limits.js';
import { normalizeUrl, pagePathOf } from './links.js';
import { RequestError, requestErrors, sentencesOf, useBrowser } from './problem.js';
import type { RequestRules } from './request-rules.js';
import type { RunSecrets } from './secrets.js';

/** A login by one of the site's own tools. */
export interface SiteLogin {
  /** A manifest that contains the tool and the path of its page. */
  readonly manifest: Manifest;
  readonly tool: string;
  /** The values by parameter, including the password. Messages do not contain them. */
  readonly input: { readonly [name: string]: JsonValue };
}

export interface Run {
  readonly client: SiteClient;
  readonly secrets: RunSecrets;
  readonly rules: RequestRules;
  /** The time limit for parsing a page, in milliseconds. */
  readonly readingTimeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Logs in by reading the page of a tool and submitting its form. The client stores the cookies of the responses. Returns the
 * page as it was before the login, unless the rules forbid reading it.
 *
 * @throws {UsageError} if the tool is missing, the input is invalid, or the site refuses the login
 */
export async function logIn(base: URL, login: SiteLogin, run: Run): Promise<ServedPage | undefined> {
  for (const value of Object.values(login.input)) if (typeof value === 'string') run.secrets.addPassword(value);
  const { tool, path } = toolOf(login, base);
  const url = pageUrl(base, path);
  try {
    const result = await submit(tool, url, login, run);
    checkResult(result, await isRefused(result), login, run);
    return pageOf(result.page, run);
  } catch (error) {
    const failure = error instanceof SubmissionError ? failureOf(error, login) : error;
    if (!(failure instanceof RequestError)) throw failure;
    const sentences = run.secrets.hide(sentencesOf(failure));
    throw new UsageError(`Cannot log in at ${url}: ${sentences}`, { cause: failure });
  }
}

/** The page of the login, with its secrets hidden. Undefined if the rules forbid reading the page. */
function pageOf({ url: href, bytes, contentType }: SiteResponse, run: Run): ServedPage | undefined {
  const { rules, secrets, readingTimeoutMs } = run;
  const url = normalizeUrl(new URL(href));
  const path = pagePathOf(url);
  if (pathProblem(path) !== undefined || rules.isExcluded(url) || rules.refusalOf(url, true)) return undefined;
  const { text, encoding } = decodeBytes(bytes, contentType);
  const html = readInTime(() => hideInPage(text, secrets), readingTimeoutMs, useBrowser);
  return {
    ...{ url: url.href, path, isNamed: false, mayBeLogin: false, read: () => Promise.resolve(html) },
    ...(encoding !== 'utf-8' && { encoding }),
  };
}

interface PageTool {
  readonly tool: ManifestTool;
  readonly path: string;
}

/**
 * Finds the tool by its name. Different tools with that name are an error: one of them may be a form that a visitor has written
 * into another page, and would receive the password.
 */
function toolOf({ manifest, tool: wanted }: SiteLogin, base: URL): PageTool {
  const all = manifest.pages.flatMap(({ path, tools }) => tools.map((tool) => ({ tool, path })));
  const [found, ...others] = all.filter(({ tool }) => tool.name === wanted);
  const other = found && others.find((each) => submissionKey(each, base) !== submissionKey(found, base));
  if (other)
    throw new UsageError(
      `The manifest of --login has different tools "${wanted}", of the pages ${found.path} and ${other.path}. Use a manifest with only the page of the login.`,
    );
  if (found) return found;
  const some = [...new Set(all.map(({ tool }) => tool.name))].slice(0, 10).join(', ');
  throw new UsageError(`The manifest of --login has no tool "${wanted}". Name one of its tools: ${some}.`);
}

type InTime = <Result>(read: () => Result) => Result;

function submissionKey({ tool, path }: PageTool, base: URL): string {
  const { action, base: baseUrl } = tool.form ?? {};
  const url = pageUrl(base, path);
  return `${urlOf(action ?? '', urlOf(baseUrl ?? '', url))?.href} ${contentOf(tool)}`;
}

interface LoginResult {
  readonly page: SiteResponse;
  readonly response: SiteResponse;
  readonly call: AnsweredCall;
  readonly form: FormDescription;
  readonly pageUrl: string;
  readonly readAgain: () => Promise<SiteResponse>;
  readonly inTime: InTime;
}

async function submit(
  tool: ManifestTool,
  pageUrl: string,
  { input }: SiteLogin,
  { client, rules, readingTimeoutMs, signal }: Run,
): Promise<LoginResult> {
  const form = descriptionOf(tool);
  const prepared = prepareSubmission({ form, pageUrl, input, profile: 'precise', sensitive: 'include' });
  const send = senderOf(client, rules);
  const inTime: InTime = (read) => readInTime(read, readingTimeoutMs, useBrowser);
  let page: SiteResponse | undefined;
  const read = async (each: FormRequest): Promise<SiteResponse> => (page = await send(each));
  const site = { send: read, origins: [], cookies: new Set<string>(), reader: createInlineReader(inTime), signal };
  const { request, call } = await requestOfPage(prepared, site);
  const readAgain = (): Promise<SiteResponse> => send({ url: pageUrl, method: 'GET' });
  if (request.method === 'POST' && page)
    return { page, response: await send(request), call, form, pageUrl, readAgain, inTime };
  throw new RequestError('login', 'the form is not submitted with POST', 'Use --cookie.');
}

/** Returns a function that sends requests. The referrer of a submission is the page that was read before. */
function senderOf(
  client: SiteClient,
  { checkLoginRedirect }: RequestRules,
): (request: FormRequest) => Promise<SiteResponse> {
  let pageUrl: URL | undefined;
  return async ({ url, content }) => {
    const target = new URL(url);
    const fetched = await (content
      ? client.post({ url: target, pageUrl: pageUrl ?? target, ...content }, checkLoginRedirect)
      : client.getPage(target, checkLoginRedirect));
    pageUrl = fetched.url;
    const { status, contentType } = fetched;
    return {
      status,
      url: pageUrl.href,
      contentType,
      bytes: await readBody(fetched, requestErrors, maxServedPageBytes),
    };
  };
}

const compileAgain = 'Compile the page of the login again.';

const advice: Partial<Readonly<Record<SubmissionErrorCode, string>>> = {
  'not-submittable': useBrowser,
  'action-elsewhere': useBrowser,
  'login-required': compileAgain,
  'page-forbidden': compileAgain,
  'page-not-found': compileAgain,
};

/** Converts an error of a submission. An error of the input names the parameters, but not their values. */
function failureOf({ code, message, parameters }: SubmissionError, { tool }: SiteLogin): Error {
  if (parameters.length === 0) {
    const reason = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
    return new RequestError('login', reason, advice[code]);
  }
  const names = parameters.map(({ parameter, code }) => `${parameter || 'the input'} (${code})`).join(', ');
  return new UsageError(`The input of the tool "${tool}" is invalid: ${names}. Correct the input of --login.`);
}

const maxQuoteLength = 300;

/**
 * Whether the site shows the login form again. If the response has another path, its form may be a copy that a visitor has
 * written, so the page of the login is read again.
 */
async function isRefused({ response, form, pageUrl, readAgain, inTime }: LoginResult): Promise<boolean> {
  const showsLogin = (each: SiteResponse): boolean => inTime(() => showsForm(each, form, pageUrl));
  if (!showsLogin(response)) return false;
  if (response.status > 399 || isSamePage(response.url, pageUrl)) return true;
  const again = await readAgain();
  return again.status > 399 || (isSamePage(again.url, pageUrl) && showsLogin(again));
}

const isSamePage = (url: string, other: string): boolean => new URL(url).pathname === new URL(other).pathname;

function checkResult(
  { response, call, inTime }: LoginResult,
  isRefused: boolean,
  { input }: SiteLogin,
  { secrets }: Run,
): void {
  const { status, url } = response;
  if (status <= 399 && !isRefused) return;
  const { messages = [], errors = [] } = inTime(() => readResponse(response, call));
  const texts = [...new Set([...errors.map(({ message }) => message), ...messages])].join(' ');
  const hidden = secrets.hide(texts);
  const hasValue = Object.values(input).some(
    (value) => typeof value === 'string' && value !== '' && hidden.includes(value),
  );
  const quote = hasValue ? '' : hidden.slice(0, maxQuoteLength); // `hide` ignores short values
  const reason = isRefused ? 'the site shows the login form again' : `the site has the status ${status}`;
  const said = quote === '' ? '' : `: "${quote}"`;
  throw new RequestError(
    'login',
    `${reason} at ${new URL(url).pathname}${said}`,
    'Correct the input of --login, or use --cookie.',
  );
}

/** Whether a page has a password input and the known form. Ignores the form if the page exceeds the parser's limits. */
function showsForm({ url, bytes, contentType }: SiteResponse, known: FormDescription, pageUrl: string): boolean {
  const html = decodeBytes(bytes, contentType).text;
  if (!hasPasswordInput(html)) return false;
  const page = parseWithinLimits(html, false);
  return page instanceof PageLimitError || hasForm(page, { known, config: {} }, { pageUrl, url });
}
