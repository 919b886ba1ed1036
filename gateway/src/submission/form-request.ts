import {
  type ControlAttribute,
  type ControlDescription,
  type Entry,
  type EntryListOptions,
  type FormDescription,
  entryList,
} from 'webmcp-forms/headless';
import { encode, urlencoded, type EncodedBody } from './encodings.js';
import type { FilledForm } from '../constraints/constraints.js';
import { GatewayError } from '../gateway-error.js';

/** What a navigation sends. */
export interface FormRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Of a POST. */
  readonly content?: EncodedBody;
}

export interface FormRequestOptions extends Pick<EntryListOptions, 'directionOf'> {
  /** The URL of the form's page. */
  readonly pageUrl: string;
  /**
   * The label of the page's encoding, where the page was read.
   * @default 'utf-8'
   */
  readonly encoding?: string | undefined;
}

/**
 * The request of a form's submission.
 * https://html.spec.whatwg.org/#form-submission-algorithm
 *
 * @throws {GatewayError} for what no request can be made of: `not-submittable`, `unsupported-encoding`
 */
export function formRequest(filled: FilledForm, options: FormRequestOptions): FormRequest {
  const { form, states, submitter } = filled;
  const target = submissionOf(form, submitter, options.pageUrl);
  const charset = charsetOf(form, options.encoding);
  const entries = entryList(form, states, { submitter, charset, directionOf: options.directionOf });
  if (charset !== 'UTF-8' && !entries.every(isAscii)) {
    throw new GatewayError('unsupported-encoding', 'The form is not sent as UTF-8, which these values would need.');
  }
  if (target.method === 'get') return { method: 'GET', url: withQuery(target.url, urlencoded(entries)) };
  return { method: 'POST', url: target.url.href, content: encode(entries, target.enctype) };
}

/** Where and how a form is sent. */
export interface Submission {
  readonly url: URL;
  readonly method: 'get' | 'post';
  readonly enctype: FormDescription['enctype'];
}

/** Where and how a form is sent, of which its button has the last word. */
export function submissionOf(form: FormDescription, submitter: number | undefined, pageUrl: string): Submission {
  const button = submitter === undefined ? undefined : form.controls[submitter];
  const method = keywordOf(button, 'formmethod', ['get', 'post', 'dialog'], form.method);
  const enctype = keywordOf(button, 'formenctype', enctypes, form.enctype);
  if (method === 'dialog') throw notSubmittable('its method is "dialog", which sends nothing');
  return { method, enctype, url: actionOf(button?.attributes.formaction ?? form.action ?? '', form.base, pageUrl) };
}

const enctypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'] as const;

/** A button's keyword, or that of the form; the first is the invalid value default. */
function keywordOf<Keyword extends string>(
  button: ControlDescription | undefined,
  name: ControlAttribute,
  keywords: readonly [Keyword, ...Keyword[]],
  ofForm: Keyword,
): Keyword {
  const value = button?.attributes[name]?.toLowerCase();
  if (value === undefined) return ofForm;
  return keywords.find((each) => each === value) ?? keywords[0];
}

function actionOf(action: string, base: string | undefined, pageUrl: string): URL {
  const url = parseUrl(action === '' ? pageUrl : action, action === '' ? undefined : baseOf(base, pageUrl));
  if (!url) throw notSubmittable('its action is no URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw notSubmittable(`its action is a URL of ${url.protocol.slice(0, 20)} and is sent nowhere over HTTP`);
  }
  [url.username, url.password] = ['', '']; // no fetch takes them
  return url;
}

/** https://html.spec.whatwg.org/#set-the-frozen-base-url */
function baseOf(base: string | undefined, pageUrl: string): string {
  const url = base === undefined ? undefined : parseUrl(base, pageUrl);
  return url && url.protocol !== 'data:' && url.protocol !== 'javascript:' ? url.href : pageUrl;
}

function parseUrl(url: string, base?: string): URL | undefined {
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}

const notSubmittable = (reason: string): GatewayError =>
  new GatewayError('not-submittable', `The form cannot be submitted over HTTP: ${reason}.`);

/** https://html.spec.whatwg.org/#submit-mutate-action (`search = ''` would take the question mark away) */
function withQuery({ href }: URL, query: string): string {
  const [withoutFragment = '', ...fragment] = href.split('#');
  const [path = ''] = withoutFragment.split('?');
  return [`${path}?${query}`, ...fragment].join('#');
}

/** https://html.spec.whatwg.org/#pick-an-encoding-for-the-form Deviates from the spec: only UTF-8 can be sent. */
function charsetOf({ acceptCharset }: FormDescription, pageEncoding = 'utf-8'): string {
  const labels = acceptCharset?.split(/[\t\n\f\r ]+/).map(encodingOf) ?? [encodingOf(pageEncoding)];
  const [encoding = 'utf-8'] = labels.filter((each) => each !== undefined);
  return encoding.startsWith('utf-') ? 'UTF-8' : encoding;
}

function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined; // no label of an encoding
  }
}

const isAscii = ({ name, value }: Entry): boolean =>
  /^[\x00-\x7f]*$/.test(name + (typeof value === 'string' ? value : value.name));
