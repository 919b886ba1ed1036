import { describeForm, executeSteps, type FormDescription } from '../compiler/index.js';
import { entryList } from '../compiler/execute/entry-list.js';
import { formState } from '../compiler/execute/form-state.js';
import { readPageContent } from '../compiler/html/page-content.js';
import { isSubmitButton } from '../compiler/parameters/choices.js';
import type { JsonValue } from '../json-schema.js';
import { PageLimitError, pageLimits, parsePage, type Parse5Page } from '../parse5/parse5-tree.js';
import type { Manifest } from '../site/manifest/manifest.js';
import { decodeBytes } from '../site/pages/charset.js';
import { findToolForms } from '../site/tools/find-tool-form.js';
import { hasPasswordInput } from '../site/tools/password-input.js';
import { UsageError } from '../site/usage-error.js';
import type { Fetched, SiteClient } from './http/client.js';
import { maxServedPageBytes } from './limits.js';
import { RequestError, sentencesOf } from './problem.js';
import type { Secrets } from './http/redact.js';
import { readBody } from './http/transport.js';

/** A login by one of the site's own tools. */
export interface SiteLogin {
  /** A manifest with the tool, which names the page of the login. */
  readonly manifest: Manifest;
  readonly tool: string;
  /** The values by parameter, with the password. They are never part of a message. */
  readonly input: { readonly [name: string]: JsonValue };
}

/**
 * Logs in by submitting the form of a tool, whose page is read first. The cookies of the responses are kept by the client.
 *
 * @throws {UsageError} if the tool is missing, the input is invalid, or the site refuses the login
 */
export async function logIn(client: SiteClient, base: URL, login: SiteLogin, secrets: Secrets): Promise<void> {
  for (const value of Object.values(login.input)) if (typeof value === 'string') secrets.addPassword(value);
  const pageUrl = pageUrlOf(login, base);
  try {
    const page = await readPage(await client.get(pageUrl));
    const form = formOf(page, login);
    const result = await readPage(await submit(client, page, fill(form, login), form));
    checkResult(result, login, secrets);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { message: reason, advice } = error;
    throw new UsageError(`Cannot log in at ${pageUrl.href}: ${sentencesOf({ reason, ...(advice && { advice }) })}`, {
      cause: error,
    });
  }
}

function pageUrlOf({ manifest, tool }: SiteLogin, base: URL): URL {
  const page = manifest.pages.find(({ tools }) => tools.some(({ name }) => name === tool));
  if (page) return new URL(page.path.replace(/(^|\/)index\.html(?=$|\?)/, '$1') || '.', base);
  const names = [...new Set(manifest.pages.flatMap(({ tools }) => tools.map(({ name }) => name)))];
  const some = names.slice(0, 10).join(', ');
  throw new UsageError(`The manifest of --login has no tool "${tool}". Name one of its tools: ${some}.`);
}

interface Page {
  readonly fetched: Fetched;
  readonly html: string;
  readonly page: Parse5Page;
}

async function readPage(fetched: Fetched): Promise<Page> {
  const html = decodeBytes(await readBody(fetched, maxServedPageBytes), fetched.contentType).text;
  try {
    return { fetched, html, page: parsePage(html, { ...pageLimits, locations: false }) };
  } catch (cause) {
    if (!(cause instanceof PageLimitError)) throw cause;
    throw new RequestError('login', `the page ${fetched.url.href} is too large: ${cause.message}`, 'Use --cookie.');
  }
}

function formOf({ page, fetched }: Page, { tool }: SiteLogin): FormDescription {
  const [found] = findToolForms(page, tool);
  if (found) return describeForm(page.tree, found.form, found.scope).description;
  const reason = `the page ${fetched.url.href} with the status ${fetched.status} has no form of the tool "${tool}"`;
  throw new RequestError('login', reason, 'Compile the page of the login again.');
}

type Entries = ReturnType<typeof entryList>;

function fill(form: FormDescription, { input, tool }: SiteLogin): Entries {
  const { steps, errors } = executeSteps(form, input, { profile: 'precise', sensitive: 'include' });
  if (errors.length > 0) {
    const names = errors.map(({ parameter, code }) => `${parameter || 'the input'} (${code})`).join(', ');
    throw new UsageError(`The input of the tool "${tool}" is invalid: ${names}. Correct the input of --login.`);
  }
  const submitter = form.controls.findIndex(isSubmitButton);
  return entryList(form, formState(form, steps), { submitter: submitter < 0 ? undefined : submitter });
}

function actionOf({ action, base = '' }: FormDescription, pageUrl: URL): URL {
  if (!action) return pageUrl;
  const baseUrl = URL.canParse(base, pageUrl.href) ? new URL(base, pageUrl) : pageUrl;
  if (URL.canParse(action, baseUrl.href)) return new URL(action, baseUrl);
  throw new RequestError('login', 'the action of the form is not a URL', 'Log in with a browser, and use --cookie.');
}

/** Submits a form as its first button does. */
async function submit(
  client: SiteClient,
  { fetched }: Page,
  entries: Entries,
  form: FormDescription,
): Promise<Fetched> {
  const { url: pageUrl } = fetched;
  const action = actionOf(form, pageUrl);
  if (form.method !== 'post') throw new RequestError('login', 'the form is not submitted with POST', 'Use --cookie.');
  if (action.origin !== pageUrl.origin) {
    const reason = `the form is submitted to another origin, ${action.origin}`;
    throw new RequestError('login', reason, 'Log in with a browser, and use --cookie.');
  }
  const isMultipart = form.enctype === 'multipart/form-data';
  const data = isMultipart ? new FormData() : new URLSearchParams();
  for (const { name, value } of entries) data.append(name, typeof value === 'string' ? value : value.name);
  const request = new Response(data);
  const contentType = request.headers.get('content-type') ?? '';
  const body = new Uint8Array(await request.arrayBuffer());
  return client.post({ url: action, pageUrl, contentType, body });
}

const maxQuoteLength = 300;

function checkResult({ fetched, html, page }: Page, { tool, input }: SiteLogin, secrets: Secrets): void {
  const { status, url } = fetched;
  const isRefused = hasPasswordInput(html) && findToolForms(page, tool).length > 0;
  if (status <= 399 && !isRefused) return;
  const { messages = [], errors = [] } = readPageContent(page.tree, page.document, maxQuoteLength);
  const texts = [...new Set([...errors.map(({ message }) => message), ...messages])].join(' ');
  const hidden = secrets.hide(texts);
  const hasValue = Object.values(input).some(
    (value) => typeof value === 'string' && value !== '' && hidden.includes(value),
  );
  const quote = hasValue ? '' : hidden.slice(0, maxQuoteLength); // short values are not hidden
  const reason = isRefused ? 'the site shows the form of the login again' : `the site has the status ${status}`;
  const said = quote === '' ? '' : `: "${quote}"`;
  throw new RequestError(
    'login',
    `${reason} at ${url.pathname}${said}`,
    'Correct the input of --login, or use --cookie.',
  );
}
