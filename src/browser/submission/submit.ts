import { stringify } from '../../json.js';
import { method } from '../../platform/primordials.js';
import { nextTask } from '../../platform/tasks.js';
import { isConnected } from '../dom/dom-tree.js';
import { callFailure } from '../execution/call-error.js';
import { throwIfEnded, untilEnd, type RunningCall } from '../execution/running-call.js';
import { ExpectedSubmit, isPrevented, type SettledResponse } from './submit-event.js';

const requestSubmit = method<Element, [Element | null], void>('HTMLFormElement', 'requestSubmit');

/** Submits a form as a click on its button does. Returns the page's response. */
export async function submitForm(call: RunningCall, submitter: Element | null): Promise<string | null> {
  const submit = expectSubmit(call);
  try {
    requestSubmit(call.form.element, submitter);
    call.call.activated();
    return await responseTo(call, submit);
  } finally {
    submit.cancel();
  }
}

export const expectSubmit = (call: RunningCall): ExpectedSubmit =>
  (call.submit = new ExpectedSubmit(call.form.element, (event, submit) =>
    call.form.settings.responseMode?.beforeSubmit(call, event, submit),
  ));

export async function responseTo(call: RunningCall, submit: ExpectedSubmit): Promise<string | null> {
  await (submit.dispatched ?? nextTask());
  if (submit.response) return resultOf(call, submit.response);
  throwIfEnded(call);
  const { event } = submit;
  if (event && isPrevented(event) && !submit.wasSubmittedByScript) {
    throw callFailure(
      'not-answered',
      'The page prevented the submission without a result. Call respondWith() after preventDefault().',
    );
  }
  if (!submit.wasSubmittedByScript && (!event || wasDropped(call, submit))) {
    throw callFailure('not-submitted', 'The browser did not submit the form.');
  }
  submit.isSent = true;
  if (!event || submit.wasSubmittedByScript) return null;
  return (await call.form.settings.responseMode?.afterSubmit(call, event)) ?? null;
}

/** A form that a listener has removed is not submitted. https://html.spec.whatwg.org/#form-submission-algorithm */
const wasDropped = ({ form }: RunningCall, { wasConnected }: ExpectedSubmit): boolean =>
  !wasConnected && !isConnected(form.element);

async function resultOf(call: RunningCall, response: Promise<SettledResponse>): Promise<string> {
  const settled = await untilEnd(call, response);
  if ('reason' in settled) {
    const { reason } = settled;
    throw callFailure('rejected', `The page rejected its response${reasonText(reason)}`, { cause: reason });
  }
  try {
    return resultText(settled.value);
  } catch (cause) {
    throw callFailure('not-serializable', 'The response of the page cannot be serialized to JSON.', { cause });
  }
}

function resultText(value: unknown): string {
  if (typeof value === 'symbol') throw new TypeError('A symbol cannot be a result.');
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return String(isObject ? (stringify(value) as string | undefined) : value);
}

function reasonText(cause: unknown): string {
  try {
    const reason: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'message') : cause;
    return `: ${String(reason)}`;
  } catch {
    return '.'; // the reason cannot be converted to a string
  }
}
