import { isPrevented, matches } from '../../../../src/browser/dom/members.js';
import { afterListeners, entryListOf } from '../../../../src/browser/submission/submit-event.js';
import { getAttribute } from '../../../../src/platform/dom.js';
import { method } from '../../../../src/platform/primordials.js';
import { listen, listenFirst } from '../../../../src/platform/signals.js';
import { limits } from '../limits.js';
import type { FrameMessage, SentEntry, Submission } from './messages.js';

const forEach = method<FormData, [(value: FormDataEntryValue, name: string) => void], void>('FormData', 'forEach');
const slice = method<string, [number, number], string>('String', 'slice');
const upperCase = method<string, [], string>('String', 'toUpperCase');
const preventDefault = method<Event, [], void>('Event', 'preventDefault');
const composedPath = method<Event, [], readonly EventTarget[]>('Event', 'composedPath');

type Send = (message: FrameMessage) => void;

/** Prevents what would lead out of the frame, and reports it. Listeners do not survive `document.open()`. */
export function keepInFrame(send: Send): void {
  const onSubmit = (event: Event): void => afterListeners(event, () => preventSubmission(event as SubmitEvent, send));
  listenFirst(window, 'submit', onSubmit, undefined);
  for (const type of ['click', 'auxclick']) listenFirst(window, type, preventNavigation, undefined);
  let count = 0;
  listen(document, 'securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent;
    if (++count <= maxReported) send({ kind: 'blocked', what: blockedText(effectiveDirective, blockedURI) });
  });
}

/** The number of reports about a page. A page with more messages than a limit is stopped. */
const maxReported = 1000;

/** Answers the submission that the page has not handled with the request that the browser would send. */
function preventSubmission(event: SubmitEvent, send: Send): void {
  const isHandled = isPrevented(event);
  const submission = submissionOf(event.target as HTMLFormElement, event.submitter);
  send({ kind: 'submission', submission: { ...submission, isHandled } });
  if (isHandled) return;
  preventDefault(event);
  if (event.agentInvoked) event.respondWith('');
}

function submissionOf(form: HTMLFormElement, submitter: HTMLElement | null): Omit<Submission, 'isHandled'> {
  const attribute = (name: string): string | null =>
    (submitter && getAttribute(submitter, `form${name}`)) ?? getAttribute(form, name);
  return {
    method: upperCase(attribute('method') ?? 'get'),
    action: cut(attribute('action') ?? ''),
    enctype: cut(attribute('enctype') ?? 'application/x-www-form-urlencoded'),
    entries: entriesOf(form, submitter),
  };
}

function entriesOf(form: HTMLFormElement, submitter: HTMLElement | null): readonly SentEntry[] {
  const entries: SentEntry[] = [];
  const add = (value: FormDataEntryValue, name: string): void => {
    if (entries.length >= limits.entries) return;
    entries[entries.length] = {
      name: cut(name),
      value: cut(typeof value === 'string' ? value : `(file) ${value.name}`),
    };
  };
  const list = entryListOf(form, submitter);
  if (list) forEach(list, add);
  return entries;
}

const cut = (text: string): string => slice(text, 0, limits.entryText);

function preventNavigation(event: Event): void {
  const path = composedPath(event);
  for (let index = 0; index < path.length; index++) {
    const target = path[index];
    if (target instanceof Element && matches(target, 'a[href], area')) preventDefault(event);
  }
}

const kinds: Readonly<Record<string, string>> = {
  'script-src-elem': 'a script',
  'script-src-attr': 'an event handler',
  'script-src': 'a script',
  'img-src': 'an image',
  'style-src-elem': 'a style sheet',
  'style-src-attr': 'a style',
  'font-src': 'a font',
  'media-src': 'audio or video',
  'connect-src': 'a request of a script',
  'frame-src': 'a frame or another page',
  'form-action': 'a submission',
  'require-trusted-types-for': 'a document in a frame',
};

const blockedText = (directive: string, uri: string): string =>
  `${kinds[directive] ?? directive}${/^(?:inline|eval)$/.test(uri) ? '' : ` (${uri})`}`;
