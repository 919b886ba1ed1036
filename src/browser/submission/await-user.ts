import { getter, method } from '../../platform/primordials.js';
import { withoutPrototype } from '../../platform/collections.js';
import { dispatch, isAborted, listen, unlisten } from '../../platform/signals.js';
import { startTimeout, nextTask, queueTask, stopTimer } from '../../platform/tasks.js';
import { callEnded } from '../execution/call-error.js';
import { untilEnd, type Run } from '../execution/calls.js';
import type { Change, Kept } from '../execution/form-snapshot.js';
import { expect, outcome } from './submit.js';
import { documentOf, domTree, elementsOf, listOf } from '../dom/dom-tree.js';
import type { ExpectedSubmit } from './submit-event.js';
import { isTyping } from '../dom/typing.js';

const { AbortController, CustomEvent } = globalThis; // captured: a page may replace them
const abort: (controller: AbortController, reason: unknown) => void = method('AbortController', 'abort');
const signalOf = getter<AbortController, AbortSignal>('AbortController', 'signal');
const focus = method<Element, [], void>('HTMLElement', 'focus');
const isPrevented = getter<Event, boolean>('Event', 'defaultPrevented');

/** What the event `webmcp-await-user` says of a form that a person is to submit. */
export interface AwaitUserDetail {
  readonly toolName: string;
  /** Empty if the tool has none. */
  readonly title: string;
  /** The button that the person is to press. */
  readonly submitter: Element;
  /** What was filled in. */
  readonly changes: readonly Change[];
  /** Aborts when the form does not wait any more; where the call has failed, with the reason. */
  readonly signal: AbortSignal;
  /** Puts what was filled in back as it was before the call, which ends with a NotAllowedError of the code `undone`. */
  readonly undo: () => void;
}

/**
 * Waits until the person submits the form, by whatever way. The form says so by an event `webmcp-await-user`, which
 * bubbles, and says it again to who asks by `webmcp-who-waits` at the document. The call ends with an abort, a reset, the
 * form's removal or rename, or the time limit.
 */
export async function waitForPerson(run: Run, submitter: Element, kept: Kept): Promise<string | null> {
  const { settings, element, tool } = run.form;
  const over = new AbortController();
  let reason: unknown;
  const timer = isLimit(settings.awaitUser) ? startTimeout(settings.awaitUser, () => run.end('time-limit')) : undefined;
  const onReset = (event: Event): void => {
    if (event.isTrusted) queueTask(() => isPrevented(event) || run.submit?.event || run.end('reset'));
  };
  listen(element, 'reset', onReset, withoutPrototype({ capture: true }));
  try {
    const submitted = nextSubmit(run);
    if (!isTyping(documentOf(element))) focus(submitter); // a space that is being typed would press it
    run.call.activated();
    const detail: AwaitUserDetail = {
      ...{
        toolName: tool?.name ?? '',
        title: tool?.title ?? '',
        submitter,
        changes: kept.takeChanges(),
        signal: signalOf(over),
      },
      undo: () => undo(run, kept),
    };
    const tell = (): boolean =>
      dispatch(element, new CustomEvent('webmcp-await-user', { bubbles: true, composed: true, detail }));
    listen(documentOf(element), 'webmcp-who-waits', tell, withoutPrototype({ signal: detail.signal }));
    tell();
    return await answerOf(run, submitted);
  } catch (error) {
    reason = error;
    throw error;
  } finally {
    stopTimer(timer);
    unlisten(element, 'reset', onReset, withoutPrototype({ capture: true }));
    abort(over, reason);
  }
}

/** Not once the form was submitted, and nothing that the person has filled in. */
function undo(run: Run, kept: Kept): void {
  if (isAborted(run.signal)) return;
  run.end('undone');
  if (isAborted(run.signal)) kept.isDone = false;
}

/** Timers take no more, and no less. */
const isLimit = (milliseconds: number | undefined): milliseconds is number =>
  milliseconds !== undefined && milliseconds < 2 ** 31;

interface NextSubmit {
  readonly submit: ExpectedSubmit;
  readonly forget: () => void;
  readonly begun: Promise<void>;
}

function nextSubmit(run: Run): NextSubmit {
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return { ...expect(run, () => begin()), begun };
}

/** What comes of the submission that the page does not refuse. */
async function answerOf(run: Run, { submit, forget, begun }: NextSubmit): Promise<string | null> {
  const { element } = run.form;
  try {
    await untilEnd(run, begun);
    await untilEnd(run, submit.over ?? nextTask());
    if (isStray(submit)) throw callEnded('removed');
    if (!isRefused(element, submit)) return await outcome(run, submit);
  } finally {
    forget();
  }
  return answerOf(run, nextSubmit(run));
}

/** A script that submits without a button, and then removes the form, was not about the agent. */
const isStray = ({ event, wasTakenAway }: ExpectedSubmit): boolean => event?.submitter === null && wasTakenAway;

/** A page that says what it finds invalid lets the person correct it, and submit again. */
const isRefused = (form: Element, { event, answer }: ExpectedSubmit): boolean =>
  event !== undefined && isPrevented(event) && !answer && listOf(elementsOf(form)).some(isCalledInvalid);

const isCalledInvalid = (control: Element): boolean =>
  domTree.attribute(control, 'aria-invalid') === 'true' ||
  (Reflect.get(control, 'validity') as ValidityState | undefined)?.customError === true;
