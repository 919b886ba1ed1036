import { dispatch } from '../../platform/signals.js';
import { parse } from '../../json.js';
import { baseOf, documentUrl, domTree, viewOf } from '../dom/dom-tree.js';
import { contentOf, mostText } from '../../compiler/html/page-content.js';

/** What a navigation would send. */
export interface FormRequest {
  readonly url: URL;
  readonly init: RequestInit;
}

/** What a browser asks for when it navigates. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/**
 * The request of a form's submission; undefined for what is sent to another origin, or nowhere.
 * https://html.spec.whatwg.org/#form-submission-algorithm
 * Deviates from the spec: it is always sent as UTF-8.
 */
export function requestOf(form: Element, submitter: HTMLElement | null): FormRequest | undefined {
  const own = (name: string): string | null =>
    (submitter && domTree.attribute(submitter, `form${name}`)) ?? domTree.attribute(form, name);
  const method = own('method')?.toLowerCase();
  const url = urlOf(own('action') || documentUrl(form), baseOf(form));
  if (!url || method === 'dialog' || url.origin !== viewOf(form)?.origin) return undefined;
  const data = new FormData(form as HTMLFormElement, submitter);
  const headers = { accept };
  if (method === 'post') return { url, init: { method, ...bodyOf(data, own('enctype')?.toLowerCase(), headers) } };
  [url.search, url.hash] = ['', ''];
  return { url: new URL(`${url.href}?${encoded(data).toString()}`), init: { headers } };
}

/** Undefined where it is none. */
function urlOf(url: string, base: string): URL | undefined {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
}

const urlencoded = 'application/x-www-form-urlencoded';

function bodyOf(data: FormData, enctype: string | undefined, headers: Record<string, string>): RequestInit {
  if (enctype === 'multipart/form-data') return { body: data, headers };
  if (enctype !== 'text/plain')
    return { body: encoded(data).toString(), headers: { ...headers, 'content-type': urlencoded } };
  const body = texts(data).map(([name, value]) => `${name}=${value}\r\n`);
  return { body: body.join(''), headers: { ...headers, 'content-type': enctype } };
}

const encoded = (data: FormData): URLSearchParams => new URLSearchParams(texts(data).map((entry) => [...entry]));

/** The entries as text, with the line ends that are sent; a file is its name. */
const texts = (data: FormData): readonly (readonly [string, string])[] =>
  [...data].map(([name, value]) => [lines(name), lines(typeof value === 'string' ? value : value.name)]);

const lines = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n');

/** Sends a form without leaving the page, and gives the agent what came back. The form says it by `webmcp-response`. */
export async function fetchAnswer(form: Element, { url, init }: FormRequest, signal: AbortSignal): Promise<object> {
  const response = await (viewOf(form) as Window).fetch(url, {
    ...init,
    mode: 'same-origin',
    credentials: 'same-origin',
    signal,
  });
  const answer = { status: response.status, url: response.url, ...(await content(response)) };
  dispatch(form, new CustomEvent('webmcp-response', { bubbles: true, composed: true, detail: answer }));
  return answer;
}

async function content(response: Response): Promise<object> {
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  if (/^[^;]*[/+]json\b/i.test(type)) return parsedJson(text);
  if (!/^[^;]*html\b/i.test(type)) return { text: text.slice(0, mostText) };
  return contentOf<Node, Element>(domTree, new DOMParser().parseFromString(text, 'text/html'));
}

function parsedJson(text: string): object {
  try {
    return { json: parse(text) as unknown };
  } catch {
    return { text: text.slice(0, mostText) };
  }
}
