import { readPageContent, type AnsweredCall } from '../../compiler/html/page-content.js';
import { withoutHash } from '../../compiler/html/page/evidence.js';
import { parse, stringify } from '../../json.js';
import { withoutPrototype } from '../../platform/collections.js';
import { isLoading } from '../../platform/dom.js';
import { portOf } from '../../platform/port.js';
import { dispatch, listen } from '../../platform/signals.js';
import { sendMessage, waitForMessage } from '../../platform/wait-for-message.js';
import { documentOf, documentUrl, windowOf } from '../dom/dom-tree.js';
import { referrerOf } from '../dom/members.js';
import { renderedTree } from '../dom/visible-lines.js';
import { untilEnd, type RunningCall } from '../call/running-call.js';
import { pendingPrefix } from '../discovery/discover-forms.js';
import { adviceFor, asksForPassword, notesMember, type Note } from './advice.js';
import { responseMode, submissionAttribute } from './destination.js';
import { answeredBy, messagesOf, noteAnswer } from './page-before.js';
import type { SubmissionTracker } from './submit-event.js';

interface PendingSubmission {
  readonly toolName: string;
  /** The URL of the submitting page: the referrer of the next page. */
  readonly from: string;
  /** The target of the navigation: the name of a window, or its position in the frame tree. */
  readonly place: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly notes: readonly Note[];
  readonly askedForPassword: boolean;
  /** Without the values of sensitive controls. */
  readonly call: AnsweredCall | undefined;
}

const defaultTimeoutMs = 30_000;

/**
 * Implements `data-webmcp-response="page"`, when the browser is about to navigate. With the browser's own model context, this
 * is also the default for a submission that opens in another frame. Returns undefined for any other submission.
 *
 * @param notes - the notes to include in the response
 */
export function nextPageResponse(
  call: RunningCall,
  submit: SubmissionTracker,
  notes: readonly Note[],
): Promise<string | null> | undefined {
  const { element } = call.form;
  const mode = responseMode(call.form);
  const isDefault = mode === null && isNative(element) && opensElsewhere(element, submit);
  return isDefault || mode === 'page' ? responseOfNextPage(call, submit, notes) : undefined;
}

/** Whether the browser runs the call. Such a call ends with the document of its tool, and returns JSON-LD of the next page. */
const isNative = (form: Element): boolean => portOf(windowOf(form) as Window) === undefined;

/** Returns the answer of the next page of this origin, in any window; null after the timeout, or if no page can answer. */
async function responseOfNextPage(
  call: RunningCall,
  submit: SubmissionTracker,
  notes: readonly Note[],
): Promise<string | null> {
  const { element, tool, settings } = call.form;
  const key = pendingPrefix + crypto.randomUUID();
  const from = withoutHash(documentUrl(element));
  const place = placeOfTarget(element, submitterOf(submit));
  const askedForPassword = asksForPassword(documentOf(element));
  const answered = pendingCall(call);
  const pending = { toolName: tool?.name ?? '', from, time: Date.now(), notes, askedForPassword, call: answered };
  if (place === undefined || !store(key, { ...pending, place })) return null;
  if (place === placeOf(windowOf(element) as Window)) call.call.leaves(key); // this document will be unloaded
  try {
    const { nextPageTimeoutMs = defaultTimeoutMs } = settings;
    return await untilEnd(call, new Promise((resolve) => void waitForMessage(key, nextPageTimeoutMs, resolve)));
  } finally {
    sessionStorage.removeItem(key);
  }
}

function pendingCall(call: RunningCall): AnsweredCall | undefined {
  const { form, filled } = call;
  const answered = answeredBy(call, messagesOf(form.element, renderedTree));
  return filled && answered && { ...answered, sent: answered.sent.map((value) => filled.redact(value)) };
}

/** `form.submit()` submits the form without a button. */
const submitterOf = ({ event, wasSubmittedByScript }: SubmissionTracker): Element | null =>
  wasSubmittedByScript ? null : (event?.submitter ?? null);

/** Whether a submission opens in another frame of this frame tree. */
function opensElsewhere(form: Element, submit: SubmissionTracker): boolean {
  const place = placeOfTarget(form, submitterOf(submit));
  return place !== undefined && place !== placeOf(windowOf(form) as Window);
}

/** https://html.spec.whatwg.org/#the-rules-for-choosing-a-navigable */
function placeOfTarget(form: Element, submitter: Element | null): string | undefined {
  const target = submissionAttribute(form, submitter, 'target') ?? '';
  const window = windowOf(form) as Window;
  switch (target.toLowerCase()) {
    case '':
    case '_self':
      return placeOf(window);
    case '_parent':
      return placeOf(window.parent);
    case '_top':
      return placeOf(window.top ?? window);
    default:
      return hasFrame(window.top ?? window, target) ? `name ${target}` : undefined;
  }
}

const framesOf = (window: Window): readonly Window[] =>
  Array.from({ length: window.length }, (_, index) => window[index] as Window);

/** Searches only this frame tree, because other windows do not share its session storage. */
const hasFrame = (window: Window, name: string): boolean =>
  framesOf(window).some((frame) => nameOf(frame) === name || hasFrame(frame, name));

function nameOf(window: Window): string | undefined {
  try {
    return window.name;
  } catch {
    return undefined; // cross-origin
  }
}

/** The position of a window in the frame tree: its own index and the indices of its ancestors. */
const placeOf = (window: Window): string =>
  window.parent === window ? 'top' : `${placeOf(window.parent)} ${framesOf(window.parent).indexOf(window)}`;

/** Answers the call whose submission has opened this page, if any, and dispatches `webmcp-answer` at the document. */
export function answerPreviousPage(document: Document): void {
  const pending = takePending(document);
  if (!pending) return;
  const { key, toolName, notes, askedForPassword, call } = pending;
  const answer = (): void => {
    const status = statusOf(document);
    const content = readPageContent<Node, Element>(renderedTree, document, {
      url: documentUrl(document),
      status,
      call,
    });
    noteAnswer(document, content);
    const result = {
      ...(status !== undefined && { status }),
      url: documentUrl(document),
      ...adviceFor(status, asksForPassword(document) && !askedForPassword),
      ...content,
      ...notesMember(notes),
    };
    sendMessage(key, stringify(result));
    dispatch(document, new CustomEvent('webmcp-answer', { detail: { toolName, result } }));
  };
  if (isLoading(document)) listen(document, 'DOMContentLoaded', answer, withoutPrototype({ once: true }));
  else answer();
}

/** https://w3c.github.io/navigation-timing/#dom-performancenavigationtiming-responsestatus */
function statusOf(document: Document): number | undefined {
  const [entry] = windowOf(document)?.performance.getEntriesByType('navigation') ?? [];
  return (entry as Partial<PerformanceNavigationTiming> | undefined)?.responseStatus || undefined;
}

function store(key: string, pending: PendingSubmission): boolean {
  try {
    sessionStorage.setItem(key, stringify(pending));
    return true;
  } catch {
    return false; // the storage is full, or the page may not use it
  }
}

/** Removes expired submissions, and the submission that this page answers, from the storage. */
function takePending(document: Document): (PendingSubmission & { readonly key: string }) | undefined {
  try {
    const from = withoutHash(referrerOf(document));
    const window = windowOf(document) as Window;
    const places = [placeOf(window), `name ${window.name}`];
    const oldest = Date.now() - defaultTimeoutMs;
    const pending = Object.keys(sessionStorage)
      .filter((key) => key.startsWith(pendingPrefix))
      .map((key) => ({ key, ...(parse(sessionStorage.getItem(key) ?? '') as PendingSubmission) }));
    const found = pending.find((each) => each.from === from && places.includes(each.place) && each.time >= oldest);
    for (const each of pending) if (each === found || each.time < oldest) sessionStorage.removeItem(each.key);
    return found;
  } catch {
    return undefined; // the page may not use the storage, or another script uses the prefix
  }
}
