import { withoutPrototype } from '../../platform/collections.js';
import { dispatch, listen, unlisten } from '../../platform/signals.js';
import { queueTask } from '../../platform/tasks.js';
import { nextTask, startTimeout, stopTimer, wait } from '../../platform/timers.js';
import { isInside } from '../../platform/dom.js';
import { documentOf, domTree, elementsOfForm, isSeen, query, windowOf } from '../dom/dom-tree.js';
import { focus, focusedElement, hasFocus } from '../dom/focus.js';
import { closest, inputType, isContentEditable, isPrevented, scrollIntoView } from '../dom/members.js';
import { callEnded, callFailure } from '../call/call-error.js';
import type { Change, FormSnapshot } from '../call/form-snapshot.js';
import { optionsTimeoutOf, pollIntervalMs, untilEnd, type RunningCall } from '../call/running-call.js';
import type { SubmissionTracker } from './submit-event.js';
import { expectSubmit, responseTo } from './submit.js';

/** The `detail` of `webmcp-await-user`, the event of a form that waits for the user to submit it. */
export interface AwaitUserDetail {
  readonly toolName: string;
  /** Empty if the tool has no title. */
  readonly title: string;
  readonly submitter: Element;
  /** The controls that the call has changed. */
  readonly changes: readonly Change[];
  /** Aborts when the form stops waiting. The reason is the error if the call has failed. */
  readonly signal: AbortSignal;
  /** Restores the form and rejects the call with a NotAllowedError of the code `undone`. */
  readonly undo: () => void;
}

/**
 * Waits until the user submits the form. Dispatches `webmcp-await-user` at the form, and again for every `webmcp-who-waits`
 * at the document. Scrolls to the button, unless a listener shows the form and therefore calls `preventDefault()`. The call
 * ends when it is aborted, the form is reset, removed or renamed, or the time limit is reached.
 */
export async function awaitUser(call: RunningCall, submitter: Element, snapshot: FormSnapshot): Promise<string | null> {
  const { settings, element, tool } = call.form;
  const waiting = new AbortController();
  let reason: unknown;
  const timer = startLimit(settings.awaitUser, () => call.end('time-limit'));
  const onReset = (event: Event): void => {
    if (event.isTrusted) queueTask(() => isPrevented(event) || call.submit?.event || call.end('reset'));
  };
  listen(element, 'reset', onReset, withoutPrototype({ capture: true }));
  try {
    const submit = expectSubmit(call, true);
    if (!mayType(element)) focus(submitter); // a typed space would press the focused button
    call.call.activated();
    const isReviewed = announce(element, {
      toolName: tool?.name ?? '',
      title: tool?.title ?? '',
      submitter,
      changes: snapshot.recordChanges(),
      signal: waiting.signal,
      undo() {
        if (call.end('undone')) snapshot.isRestorable = true;
      },
    });
    if (!isReviewed()) await showButton(call, submitter, isReviewed);
    return await responseToUser(call, submit);
  } catch (error) {
    reason = error;
    if (error === invisible) snapshot.isRestorable = true;
    throw error;
  } finally {
    stopTimer(timer);
    unlisten(element, 'reset', onReset, withoutPrototype({ capture: true }));
    waiting.abort(reason);
  }
}

/** Ignores limits of 2 ** 31 milliseconds or more, because timers would overflow. */
const startLimit = (limitMs: number | undefined, steps: () => void) =>
  limitMs !== undefined && limitMs < 2 ** 31 ? startTimeout(limitMs, steps) : undefined;

/** Returns a function that returns whether a listener has called `preventDefault()`, because it shows the form to the user. */
function announce(form: Element, detail: AwaitUserDetail): () => boolean {
  let isReviewed = false;
  const init = { bubbles: true, composed: true, cancelable: true, detail };
  const notify = (): void => {
    isReviewed = !dispatch(form, new CustomEvent('webmcp-await-user', init)) || isReviewed;
  };
  listen(documentOf(form), 'webmcp-who-waits', notify, withoutPrototype({ signal: detail.signal }));
  notify();
  return () => isReviewed;
}

const invisible = callFailure(
  'not-visible',
  'The form is not visible, so that no user can submit it. Ask the user to open it in the page, then call the tool again. A page can show it when the event "webmcp-await-user" is dispatched, or have a <webmcp-review>.',
);

/** Waits until the button is visible, because the page may show the form only now, and scrolls to the button. */
async function showButton(call: RunningCall, submitter: Element, isReviewed: () => boolean): Promise<void> {
  for (let waitedMs = 0; !canBePressed(submitter); waitedMs += pollIntervalMs) {
    if (waitedMs >= optionsTimeoutOf(call)) throw invisible;
    await untilEnd(call, wait(pollIntervalMs));
    if (isReviewed() || call.submit?.event) return;
  }
  const { matches: isReduced } = (windowOf(submitter) as Window).matchMedia('(prefers-reduced-motion: reduce)');
  scrollIntoView(submitter, withoutPrototype({ block: 'nearest', behavior: isReduced ? 'instant' : 'smooth' }));
}

/** Whether users see a button and can press it: it is not inert, and no modal dialog is above it. */
function canBePressed(button: Element): boolean {
  const modals = query(documentOf(button), ':modal');
  const isOnTop = modals.length === 0 || modals.some((each) => isInside(button, each));
  return isOnTop && isSeen(button) && !closest(button, '[inert]');
}

/** Returns the response to the first submission that the page does not mark as invalid. */
async function responseToUser(call: RunningCall, submit: SubmissionTracker): Promise<string | null> {
  try {
    await untilEnd(call, submit.started);
    await untilEnd(call, submit.dispatched ?? nextTask());
    if (isUnrelated(submit)) throw callEnded('removed');
    if (!isInvalid(call.form.element, submit)) return await responseTo(call, submit);
    submit.isCorrected = true;
  } finally {
    submit.cancel();
  }
  return responseToUser(call, expectSubmit(call, true));
}

/** A form that a script submits without a button and then removes is not a response to the call. */
const isUnrelated = ({ event, wasRemovedAfterwards }: SubmissionTracker): boolean =>
  event?.submitter === null && wasRemovedAfterwards;

/** Whether the page prevented the submission and marked a control as invalid, for the user to correct. */
const isInvalid = (form: Element, { event, response }: SubmissionTracker): boolean =>
  event !== undefined && isPrevented(event) && !response && elementsOfForm(form).some(isMarkedInvalid);

const isMarkedInvalid = (control: Element): boolean =>
  domTree.attribute(control, 'aria-invalid') === 'true' ||
  (Reflect.get(control, 'validity') as ValidityState | undefined)?.customError === true;

const notTypedIn = /^(?:button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/;

/** Whether the user may be typing: in the document of the form, in a frame in it, or in the page around it. */
function mayType(form: Element): boolean {
  const window = windowOf(form);
  if (window && window.top !== window && !hasFocus(form)) return true;
  const active = focusedElement(form);
  if (!active || !domTree.isElement(active)) return false;
  const name = domTree.localName(active);
  if (name === 'input') return !notTypedIn.test(inputType(active));
  return name === 'textarea' || name === 'iframe' || isContentEditable(active);
}
