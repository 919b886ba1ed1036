import { maxPageTextLength, readPageContent, type AnsweredCall } from '../../compiler/html/page-content.js';
import { parse } from '../../json.js';
import { SafeMap } from '../../platform/collections.js';
import { dispatch } from '../../platform/signals.js';
import { wait } from '../../platform/timers.js';
import type { RunningCall } from '../call/running-call.js';
import { documentOf, domTree, elementsOfForm, windowOf } from '../dom/dom-tree.js';
import {
  attributeNames,
  inputType,
  isPrevented,
  removeAttribute,
  replaceChildren,
  setAttribute,
  setData,
  textContent,
} from '../dom/members.js';
import { adviceFor, allNotes, asksForPassword, notesMember, type Note } from './advice.js';
import { destinationOf, isOwnOrigin, responseMode, submissionAttribute } from './destination.js';
import { answeredBy, messagesOf } from './page-before.js';
import { afterListeners, entryListOf, type SubmissionTracker } from './submit-event.js';

interface FormRequest {
  readonly url: URL;
  readonly init: RequestInit;
}

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const urlencoded = 'application/x-www-form-urlencoded';

/**
 * Implements `data-webmcp-response="fetch"`. Must run before the submit listeners of the page: if a listener prevents the
 * submission, the page responds itself.
 */
export function fetchIfWanted(call: RunningCall, event: SubmitEvent, submit: SubmissionTracker): void {
  const { element } = call.form;
  if (responseMode(call.form) !== 'fetch') return;
  const busy = new BusyState(element);
  afterListeners(event, () => {
    if (isPrevented(event)) return;
    const data = submit.entryList ?? entryListOf(element, event.submitter);
    const request = data && requestOf(element, event.submitter, data);
    if (!request) return;
    event.preventDefault();
    const { lost = [], notes = [] } = call.filled?.compare(data, true) ?? {};
    const answered = answeredBy(call, messagesOf(element, domTree));
    submit.respond(
      fetchResponse(element, request, {
        ...{ call: answered, signal: call.signal, busy, notes: allNotes(call, [...lost, ...notes]) },
      }),
    );
    submit.isFetched = true;
  });
}

/**
 * Builds the request of a form's submission; undefined for other origins and `method=dialog`.
 * https://html.spec.whatwg.org/#form-submission-algorithm
 * Deviates from the spec: the encoding is always UTF-8.
 */
function requestOf(form: Element, submitter: HTMLElement | null, data: FormData): FormRequest | undefined {
  const attribute = (name: 'enctype' | 'method'): string | undefined =>
    submissionAttribute(form, submitter, name)?.toLowerCase();
  const url = destinationOf(form, submitter);
  if (!url || !isOwnOrigin(form, url)) return undefined;
  const method = attribute('method');
  const headers = { accept };
  if (method === 'post') return { url, init: { method, ...bodyOf(data, attribute('enctype'), headers) } };
  [url.search, url.hash] = ['', ''];
  return { url: new URL(`${url.href}?${encode(data)}`), init: { headers } };
}

function bodyOf(data: FormData, enctype: string | undefined, headers: Record<string, string>): RequestInit {
  if (enctype === 'multipart/form-data') return { body: data, headers };
  if (enctype !== 'text/plain') return { body: encode(data), headers: { ...headers, 'content-type': urlencoded } };
  const lines = textEntries(data).map(([name, value]) => `${name}=${value}\r\n`);
  return { body: lines.join(''), headers: { ...headers, 'content-type': enctype } };
}

const encode = (data: FormData): string => new URLSearchParams(textEntries(data)).toString();

/** The entries as text with CRLF line breaks. Files are represented by their names. */
const textEntries = (data: FormData): string[][] =>
  [...data].map((entry) =>
    entry.map((part) => (typeof part === 'string' ? part : part.name).replace(/\r\n?|\n/g, '\r\n')),
  );

interface FetchOptions {
  readonly call: AnsweredCall | undefined;
  readonly signal: AbortSignal;
  readonly busy: BusyState;
  readonly notes: readonly Note[];
}

/** Sends a form without a navigation. Returns the response, and dispatches it as `webmcp-response` at the form. */
async function fetchResponse(
  form: Element,
  { url, init }: FormRequest,
  { call, signal, busy, notes }: FetchOptions,
): Promise<object> {
  let response: Response;
  try {
    const request = { ...init, mode: 'same-origin', credentials: 'same-origin', signal } as const;
    response = await (windowOf(form) as Window).fetch(url, request);
  } finally {
    busy.undo();
  }
  const { status } = response;
  const content = await contentOfResponse(response, call, (page) =>
    adviceFor(status, asksForPassword(page) && !asksForPassword(documentOf(form))),
  );
  busy.undo(); // also undoes changes that the page made while the response was read
  const result = { status, url: response.url, ...content, ...notesMember(notes) };
  dispatch(form, new CustomEvent('webmcp-response', { bubbles: true, composed: true, detail: result }));
  void busy.undoLate();
  return result;
}

async function contentOfResponse(
  response: Response,
  call: AnsweredCall | undefined,
  advise: (page?: Document) => object,
): Promise<object> {
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  if (/^[^;]*html\b/i.test(type)) {
    const page = new DOMParser().parseFromString(text, 'text/html');
    return {
      ...advise(page),
      ...readPageContent<Node, Element>(domTree, page, { url: response.url, status: response.status, call }),
    };
  }
  try {
    if (/^[^;]*[/+]json\b/i.test(type)) return { ...advise(), json: parse(text) as unknown };
  } catch {
    // Invalid JSON is returned as text.
  }
  return { ...advise(), text: text.slice(0, maxPageTextLength) };
}

interface ElementState {
  readonly attributes: ReadonlyMap<string, string>;
  /** The nodes of a button, with the data of Text nodes. */
  readonly nodes: ReadonlyMap<Node, string | null>;
  readonly text: string | null;
}

const lateMs = 200;

/**
 * The attributes of a form and its controls and the content of its buttons before a submission. Pages disable buttons, mark
 * the form as sent and show progress in a button, and rely on the navigation to reset this. After a request by `fetch`, this
 * class resets it.
 */
class BusyState {
  readonly #form: Element;
  readonly #states = new SafeMap<Element, ElementState>();

  constructor(form: Element) {
    this.#form = form;
    for (const element of [form, ...elementsOfForm(form)]) this.#states.set(element, stateOf(element));
  }

  /** Undoes the changes of the page since the submission. */
  undo(): void {
    for (const [element, state] of this.#states) restore(element, state);
  }

  /** Enables the buttons that the page disables a moment later, for example in a timer. */
  async undoLate(): Promise<void> {
    const enabled = elementsOfForm(this.#form).filter((element) => isButton(element) && !isDisabled(element));
    await wait(lateMs);
    for (const element of enabled) if (isDisabled(element)) removeAttribute(element, 'disabled');
  }
}

const isDisabled = (element: Element): boolean => domTree.attribute(element, 'disabled') !== null;

function isButton(element: Element): boolean {
  const name = domTree.localName(element);
  return name === 'button' || (name === 'input' && /^(?:button|image|reset|submit)$/.test(inputType(element)));
}

/** The names of the attributes to restore: all except `value` and `checked` of controls other than buttons. */
const restoredNames = (element: Element): readonly string[] =>
  attributeNames(element).filter((name) => !/^(?:value|checked)$/.test(name) || isButton(element));

function stateOf(element: Element): ElementState {
  const names = restoredNames(element);
  const nodes = domTree.localName(element) === 'button' ? domTree.children(element) : [];
  return {
    attributes: new SafeMap(names.map((name) => [name, domTree.attribute(element, name) ?? ''] as const)),
    nodes: new SafeMap(nodes.map((node) => [node, domTree.text(node)] as const)),
    text: nodes.length > 0 ? textContent(element) : null,
  };
}

function restore(element: Element, { attributes, nodes, text }: ElementState): void {
  for (const name of restoredNames(element)) if (!attributes.has(name)) removeAttribute(element, name);
  for (const [name, value] of attributes)
    if (domTree.attribute(element, name) !== value) setAttribute(element, name, value);
  if (text === null || textContent(element) === text) return;
  replaceChildren(element, ...nodes.keys());
  for (const [node, data] of nodes) if (data !== null && domTree.text(node) !== data) setData(node, data);
}
