import { withoutPrototype } from '../../platform/collections.js';
import { parse, stringify } from '../../json.js';
import { dispatch, listen } from '../../platform/signals.js';
import { waitForMessage } from '../../platform/wait-for-message.js';
import { untilEnd, type Run } from '../execution/calls.js';
import { documentUrl, domTree, viewOf } from '../dom/dom-tree.js';
import { contentOf } from '../../compiler/html/page-content.js';

/** A submission whose answer is the page that comes next. */
interface Awaited {
  readonly toolName: string;
  /** The page that was left, as the next one sees it in its referrer. */
  readonly from: string;
  /** Where the next page is shown: the name of a window, or its place among the frames. */
  readonly place: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

const prefix = 'webmcp-forms:';
const patience = 30_000;

/** What the next page of this origin says, be it in this window or in another; null if none comes in time. */
export async function answerOfNextPage(run: Run, event: SubmitEvent): Promise<string | null> {
  const id = prefix + crypto.randomUUID();
  const from = withoutHash(documentUrl(run.form.element));
  const place = placeOfTarget(run.form.element, event.submitter);
  if (place === undefined || !store(id, { toolName: run.form.tool?.name ?? '', from, place, time: Date.now() }))
    return null;
  if (place === placeOf(viewOf(run.form.element) as Window)) run.call.leaves(id); // what waits here goes with the page
  try {
    return await untilEnd(run, new Promise((resolve) => void waitForMessage(id, patience, resolve)));
  } finally {
    sessionStorage.removeItem(id);
  }
}

/** https://html.spec.whatwg.org/#the-rules-for-choosing-a-navigable */
function placeOfTarget(form: Element, submitter: Element | null): string | undefined {
  const target = (submitter && domTree.attribute(submitter, 'formtarget')) ?? domTree.attribute(form, 'target') ?? '';
  const window = viewOf(form) as Window;
  switch (target.toLowerCase()) {
    case '':
    case '_self':
      return placeOf(window);
    case '_parent':
      return placeOf(window.parent);
    case '_top':
      return placeOf(window.top ?? window);
    default:
      return isFrame(window.top ?? window, target) ? `name ${target}` : undefined;
  }
}

/** Whether a name is that of a frame: another window has a storage of its own, which no page of ours can write to. */
function isFrame(window: Window, name: string): boolean {
  return Array.from({ length: window.length }, (_, index) => window[index] as Window).some(
    (frame) => nameOf(frame) === name || isFrame(frame, name),
  );
}

function nameOf(window: Window): string | undefined {
  try {
    return window.name;
  } catch {
    return undefined; // of another origin
  }
}

/** The place of a window among the frames: its number, and those of the frames around it. */
const placeOf = (window: Window): string =>
  window.parent === window ? 'top' : `${placeOf(window.parent)} ${numberOf(window)}`;

const numberOf = (window: Window): number =>
  Array.from({ length: window.parent.length }, (_, index) => window.parent[index]).indexOf(window);

const withoutHash = (url: string): string => url.replace(/#.*/s, '');

/** Answers the call that this page is the result of, if there is one. The document says it by `webmcp-answer`. */
export function answerAsNextPage(document: Document): void {
  const found = take(document);
  if (!found) return;
  const answer = (): void => {
    const result = { url: document.URL, ...contentOf<Node, Element>(domTree, document) };
    const channel = new BroadcastChannel(found.id);
    channel.postMessage(stringify(result));
    channel.close();
    dispatch(document, new CustomEvent('webmcp-answer', { detail: { toolName: found.toolName, result } }));
  };
  if (document.readyState === 'loading') listen(document, 'DOMContentLoaded', answer, withoutPrototype({ once: true }));
  else answer();
}

function store(id: string, awaited: Awaited): boolean {
  try {
    sessionStorage.setItem(id, stringify(awaited));
    return true;
  } catch {
    return false; // storage is full, or not allowed here
  }
}

/** Takes what this page answers out of the storage, and what nobody waits for any more. */
function take(document: Document): { readonly id: string; readonly toolName: string } | undefined {
  try {
    const from = withoutHash(document.referrer);
    const awaited = Object.keys(sessionStorage)
      .filter((id) => id.startsWith(prefix))
      .map((id) => ({ id, ...(parse(sessionStorage.getItem(id) ?? '') as Awaited) }));
    for (const { id } of awaited.filter(({ time }) => time < Date.now() - patience)) sessionStorage.removeItem(id);
    const window = viewOf(document) as Window;
    const places = [placeOf(window), `name ${window.name}`];
    const isHere = ({ from: page, place, time }: Awaited): boolean =>
      page === from && places.includes(place) && time >= Date.now() - patience;
    const found = awaited.find(isHere);
    if (found) sessionStorage.removeItem(found.id);
    return found;
  } catch {
    return undefined; // storage is not allowed here, or a page has put something else there
  }
}
