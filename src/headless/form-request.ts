import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js';
import type { ControlDescription, FormDescription } from '../compiler/description.js';
import { entryList, isCharset, type EntryListOptions } from '../compiler/input/entry-list.js';
import type { ControlAttribute } from '../compiler/html/elements.js';
import { answeredCall, type AnsweredCall, type PageBefore } from '../compiler/html/page-content.js';
import { isSecret } from '../compiler/profiles/redact.js';
import type { EncodedBody } from '../http/client.js';
import { labelToName } from '@exodus/bytes/encoding.js';
import { lazy } from '../lazy.js';
import { urlOf } from '../site/pages/page-path.js';
import { hasUnknownOptions, type FilledForm } from './constraints/constraints.js';
import { SubmissionError } from './submission-error.js';
import { encode, urlencoded } from './encodings.js';

export interface AllowedOrigins {
  /** The URL of the page that sends the requests, without fragment and credentials. */
  readonly pageUrl: string;
  readonly origins: readonly string[];
}

export const isAllowedOrigin = ({ pageUrl, origins }: AllowedOrigins, { origin }: URL): boolean =>
  origin === new URL(pageUrl).origin || origins.includes(origin);

export interface FormRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly content?: EncodedBody;
  /** The encoding of the values, unless it is UTF-8. */
  readonly charset?: string;
  /** Whether the page of a form is requested, before anything is submitted. */
  readonly isPage?: true;
}

/**
 * Whether a submission depends on data that manifests omit: values of hidden controls, secrets, personal data, the direction of
 * text (`dirname`), and the encoding of a page that is not UTF-8.
 */
export const needsPage = (form: FormDescription, set: ReadonlySet<number>): boolean =>
  form.encoding !== undefined ||
  form.controls.some((control, index) => {
    if (control.disabled || control.name === '') return false;
    if (control.attributes.dirname) return true;
    const isOmitted = control.prefilled === true || (isSecret(control) && !isCharset(control));
    return isOmitted && (hasUnknownOptions(control) || !set.has(index));
  });

interface FormRequestOptions extends Pick<EntryListOptions, 'directionOf'> {
  readonly pageUrl: string;
  /** The label of the page's encoding. @default 'utf-8' */
  readonly encoding?: string | undefined;
}

/**
 * Creates the request of a form's submission.
 * https://html.spec.whatwg.org/#form-submission-algorithm
 *
 * @throws {SubmissionError} `not-submittable`; `schema-error` if the URL is too long
 */
export function formRequest(filled: FilledForm, options: FormRequestOptions): FormRequest {
  const { form, states, submitter } = filled;
  const target = submissionOf(form, submitter, options.pageUrl, options.encoding);
  const charset = charsetOf(form, options.encoding);
  const entries = entryList(form, states, { submitter, charset, directionOf: options.directionOf });
  const legacy = charset === 'UTF-8' ? {} : { charset };
  if (target.method === 'get') {
    return { method: 'GET', url: shortUrl(withQuery(target.url, urlencoded(entries, charset))), ...legacy };
  }
  return { method: 'POST', url: target.url.href, content: encode(entries, target.enctype, charset), ...legacy };
}

/**
 * The call of a filled form, for comparison with its answer. The page before the call is parsed at the first access to
 * `before`.
 */
export function callOf({ form, states, submitter }: FilledForm, readBefore?: () => PageBefore): AnsweredCall {
  const entries = entryList(form, states, { submitter }).map(({ name, value }) => [name, value] as const);
  const { names, sent } = answeredCall(entries, undefined);
  const before = lazy(() => answeredCall(entries, readBefore?.()).before);
  return {
    names,
    sent,
    get before() {
      return before();
    },
  };
}

/** The maximum length of a URL. No server accepts longer URLs. */
const maxUrlLength = 100_000;

function shortUrl(url: string): string {
  if (url.length <= maxUrlLength) return url;
  const problem = `The form is submitted by GET, and its URL would have more than ${maxUrlLength} characters.`;
  throw new SubmissionError('schema-error', `${problem} Send shorter values.`);
}

interface Submission {
  readonly url: URL;
  readonly method: 'get' | 'post';
  readonly enctype: FormDescription['enctype'];
}

/**
 * The URL, method and encoding of a submission. Attributes of the submit button override those of the form.
 *
 * @param encoding - the encoding of the page, which also encodes the query of the URL. Default: UTF-8
 * @throws {SubmissionError} `not-submittable` if the method is "dialog", or the action is not an HTTP URL
 */
export function submissionOf(
  form: FormDescription,
  submitter: number | undefined,
  pageUrl: string,
  encoding?: string,
): Submission {
  const button = submitter === undefined ? undefined : form.controls[submitter];
  const method = keywordOf(button, 'formmethod', ['get', 'post', 'dialog'], form.method);
  const enctype = keywordOf(button, 'formenctype', enctypes, form.enctype);
  if (method === 'dialog') throw notSubmittable('its method is "dialog"');
  return {
    method,
    enctype,
    url: resolveAction(encodeQuery(button?.attributes.formaction ?? form.action ?? '', encoding), form.base, pageUrl),
  };
}

/** @throws {SubmissionError} `action-elsewhere` if the origin of the action is not allowed; `not-submittable` */
export function checkOrigin(allowed: AllowedOrigins, { form, submitter }: FilledForm, pageUrl: string): void {
  const { url } = submissionOf(form, submitter, pageUrl);
  if (isAllowedOrigin(allowed, url)) return;
  throw new SubmissionError('action-elsewhere', `The form is submitted to ${url.origin}, which is not allowed.`);
}

const enctypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'] as const;

/** The keyword of a button's attribute, or of the form if it is missing. The first keyword is the invalid value default. */
function keywordOf<Keyword extends string>(
  button: ControlDescription | undefined,
  name: ControlAttribute,
  keywords: readonly [Keyword, ...Keyword[]],
  formKeyword: Keyword,
): Keyword {
  const value = button?.attributes[name]?.toLowerCase();
  if (value === undefined) return formKeyword;
  return keywords.find((each) => each === value) ?? keywords[0];
}

function resolveAction(action: string, base: string | undefined, pageUrl: string): URL {
  const url = action === '' ? urlOf(pageUrl) : urlOf(action, baseUrl(base, pageUrl));
  if (!url) throw notSubmittable('its action is not a URL');
  if (!/^https?:$/.test(url.protocol)) {
    throw notSubmittable(`the protocol of its action is ${url.protocol.slice(0, 20)}`);
  }
  return withoutCredentials(url);
}

/** Removes the credentials of a URL, because fetch rejects them. Checks for them first, because setters parse the URL again. */
export function withoutCredentials(url: URL): URL {
  if (url.username + url.password !== '') [url.username, url.password] = ['', ''];
  return url;
}

/** https://url.spec.whatwg.org/#query-state The platform's parser supports only UTF-8. */
function encodeQuery(url: string, label = 'utf-8'): string {
  const encoding = outputEncoding([label]);
  if (encoding === 'UTF-8') return url;
  return url.replace(/\?[^#]*/, (query) =>
    query.replace(/[^\0-\x7f]+/g, (text) => percentEncodeAfterEncoding(encoding, text, '')),
  );
}

/** https://html.spec.whatwg.org/#set-the-frozen-base-url */
function baseUrl(base: string | undefined, pageUrl: string): string {
  const url = base === undefined ? undefined : urlOf(base, pageUrl);
  return url && url.protocol !== 'data:' && url.protocol !== 'javascript:' ? url.href : pageUrl;
}

export const notSubmittable = (reason: string): SubmissionError =>
  new SubmissionError('not-submittable', `The form cannot be submitted over HTTP: ${reason}.`);

/** https://html.spec.whatwg.org/#submit-mutate-action (an empty `search` would remove the question mark) */
function withQuery({ href }: URL, query: string): string {
  const [withoutFragment = '', ...fragment] = href.split('#');
  const [path = ''] = withoutFragment.split('?');
  return [`${path}?${query}`, ...fragment].join('#');
}

/** https://html.spec.whatwg.org/#pick-an-encoding-for-the-form */
const charsetOf = ({ acceptCharset }: FormDescription, pageEncoding = 'utf-8'): string =>
  outputEncoding(acceptCharset?.split(/[\t\n\f\r ]+/) ?? [pageEncoding]);

/** The output encoding of the first known label, or UTF-8. https://encoding.spec.whatwg.org/#get-an-output-encoding */
function outputEncoding(labels: readonly string[]): string {
  const [encoding = 'utf-8'] = labels.flatMap((label) => labelToName(label) ?? []);
  return /^(?:utf-|replacement$)/i.test(encoding) ? 'UTF-8' : encoding;
}
