import { getter, method } from '../platform/captured.js';
import { bare } from '../platform/collections.js';
import { dispatch, listen, unlisten } from '../platform/signals.js';
import { after, nextTask, queueTask, stopTimer } from '../platform/tasks.js';
import { callEnded } from './call-error.js';
import { untilEnd, type Run } from './calls.js';
import type { Change } from './kept.js';
import { expect, outcome } from './submit.js';
import type { ExpectedSubmit } from './submit-event.js';

const focus = method<Element, [], void>('HTMLElement', 'focus');
const isConnected = getter<Node, boolean>('Node', 'isConnected');
const isPrevented = getter<Event, boolean>('Event', 'defaultPrevented');

/** What the event `webmcp-await-user` says of a form that a person is to submit. */
export interface AwaitUserDetail {
  readonly toolName: string;
  /** The button that the person is to press. */
  readonly submitter: Element;
  /** What was filled in. */
  readonly changes: readonly Change[];
}

/**
 * Waits until the person submits the form, by whatever way. The form says so by an event `webmcp-await-user`, which
 * bubbles; the call ends with an abort, a reset, the form's removal or rename, or the time limit.
 */
export async function waitForPerson(run: Run, submitter: Element, changes: readonly Change[]): Promise<string | null> {
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const { submit, forget } = expect(run, () => begin());
  const { settings, element, tool } = run.form;
  const timer = settings.awaitUser === undefined ? undefined : after(settings.awaitUser, () => run.end('time-limit'));
  const onReset = (event: Event): void => {
    if (event.isTrusted) queueTask(() => isPrevented(event) || run.end('reset'));
  };
  listen(element, 'reset', onReset, bare({ capture: true }));
  try {
    focus(submitter);
    run.call.activated();
    const detail: AwaitUserDetail = { toolName: tool?.name ?? '', submitter, changes };
    dispatch(element, new CustomEvent('webmcp-await-user', { bubbles: true, composed: true, detail }));
    await untilEnd(run, begun);
    await untilEnd(run, nextTask());
    if (isStray(element, submit)) throw callEnded('removed');
    return await outcome(run, submit);
  } finally {
    stopTimer(timer);
    unlisten(element, 'reset', onReset, bare({ capture: true }));
    forget();
  }
}

/** A script that submits without a button and removes the form at once was not about the agent. */
const isStray = (form: Element, { event }: ExpectedSubmit): boolean => event?.submitter === null && !isConnected(form);
