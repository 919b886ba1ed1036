import { parse, stringify } from '../../json.js';
import { withoutPrototype } from '../../platform/collections.js';
import { listen, unlisten } from '../../platform/signals.js';
import { nextTask } from '../../platform/timers.js';
import { sendMessage } from '../../platform/wait-for-message.js';
import { domTree, windowOf } from '../dom/dom-tree.js';
import {
  click,
  isConnected,
  isPrevented,
  matches,
  preventDefault,
  removeAttribute,
  requestSubmit,
} from '../dom/members.js';
import { callException, callFailure } from '../call/call-error.js';
import { untilEnd, type RunningCall } from '../call/running-call.js';
import { isForeign } from './destination.js';
import { allNotes, notesMember, type Note } from './advice.js';
import { fetchIfWanted } from './fetch-response.js';
import { nextPageResponse } from './next-page.js';
import { watchPage, type PageResultObserver } from './page-result-observer.js';
import { entryListOf, SubmissionTracker, type SettledResponse } from './submit-event.js';
import type { FilledValues } from './submitted-values.js';

const capture = withoutPrototype({ capture: true });

/** Submits a form by a press of its button. Returns the page's response. */
export async function submitForm(call: RunningCall, submitter: Element | null): Promise<string | null> {
  const submit = expectSubmit(call, false);
  submit.page = call.page;
  submit.page?.start();
  try {
    submit.wasPressPrevented = pressSubmit(call.form.element, submitter) || isEventStopped(call, submit, submitter);
    if (submit.wasPressPrevented) submit.page?.readBefore();
    call.call.activated();
    return await responseTo(call, submit);
  } finally {
    submit.cancel();
  }
}

/**
 * Presses the submit button of a form, so that the page's click listeners run before the browser submits the form. If the
 * button is missing or disabled, calls `requestSubmit()` instead. Returns whether a listener prevented the click, or stopped
 * the click before it reached the button.
 */
function pressSubmit(form: Element, submitter: Element | null): boolean {
  if (!submitter || matches(submitter, ':disabled')) {
    requestSubmit(form, submitter);
    return false;
  }
  let event: Event | undefined;
  const note = (current: Event): void => void (event ??= current);
  listen(submitter, 'click', note, capture);
  click(submitter);
  unlisten(submitter, 'click', note, capture);
  // A click that a listener of the window stops does not reach the button.
  return !event || isPrevented(event);
}

/** Whether a listener of the window has stopped the submit event: the browser can submit the form, but no event arrived. */
const isEventStopped = (call: RunningCall, submit: SubmissionTracker, submitter: Element | null): boolean =>
  !submit.event &&
  !submit.wasSubmittedByScript &&
  isConnected(call.form.element) &&
  !isSandboxed(call) &&
  ![call.form.element, submitter].some((each) => each && matches(each, ':invalid,:disabled'));

/**
 * Whether a frame around the form does not allow forms to be submitted. Documents cannot read the sandbox of another origin.
 * Only WebKit dispatches the submit event in such a frame.
 */
function isSandboxed({ form }: RunningCall): boolean {
  for (let window: Window | null | undefined = windowOf(form.element); window?.frameElement; window = window.parent) {
    const sandbox = domTree.attribute(window.frameElement, 'sandbox');
    if (sandbox !== null && !/\ballow-forms\b/i.test(sandbox)) return true;
  }
  return false;
}

/** The refusal of a submission to another origin, which waits for the user instead. */
export const foreignSubmission = new Error('The form is submitted to another origin.');

/** @param isByUser - whether the user submits the form. If so, values may differ, and no submission is prevented */
export function expectSubmit(call: RunningCall, isByUser: boolean): SubmissionTracker {
  const { element } = call.form;
  const mayLeave = (submit: SubmissionTracker, submitter: Element | null): boolean => {
    if (isByUser) return true;
    submit.entryList = entryListOf(element, submitter);
    const { lost } = differences(call, submit, false);
    if (lost.length > 0) submit.refusal = callException(lost);
    else if (isForeign(call.form, submitter)) submit.refusal = foreignSubmission;
    return !submit.refusal;
  };
  const compareShown = (isAnswered: boolean): void => {
    if (!submit.entryList && submit.shown.length === 0) submit.shown = call.filled?.compareShown(isAnswered) ?? [];
  };
  const submit: SubmissionTracker = new SubmissionTracker(element, {
    before(event) {
      submit.page ??= watchPage(call);
      submit.page.start();
      if (isByUser) call.notes = allNotes(call, call.filled?.readAgain() ?? []);
      fetchIfWanted(call, event, submit);
    },
    after(event) {
      if (isPrevented(event)) {
        if (!submit.response) submit.page?.readBefore();
        compareShown(true);
        return;
      }
      if (mayLeave(submit, event.submitter)) return;
      preventDefault(event);
      for (const control of submit.page?.enabled ?? []) removeAttribute(control, 'disabled');
    },
    answer: () => compareShown(false),
    allowsScript: () => mayLeave(submit, null),
  });
  submit.isByUser = isByUser;
  call.submit = submit;
  call.submissions.push(submit);
  return submit;
}

/** Compares the last entry list with the values of the call. */
const differences = (
  call: RunningCall,
  { entryList }: SubmissionTracker,
  isSent: boolean,
): ReturnType<FilledValues['compare']> =>
  (entryList && call.filled?.compare(entryList, isSent)) ?? { lost: [], notes: [] };

export async function responseTo(call: RunningCall, submit: SubmissionTracker): Promise<string | null> {
  await (submit.dispatched ?? nextTask());
  if (submit.refusal) throw submit.refusal;
  if (submit.response) return resultOf(call, submit, submit.response);
  call.signal.throwIfAborted();
  if (isTakenOver(submit)) return responseOfScript(call, submit);
  if (!submit.wasSubmittedByScript && (!submit.event || wasDropped(call, submit) || isSandboxed(call))) {
    throw callFailure('not-submitted', 'The browser did not submit the form.');
  }
  submit.isSent = true;
  const { lost, notes } = differences(call, submit, true);
  if (lost.length > 0) throw callException(lost);
  return (await nextPageResponse(call, submit, allNotes(call, notes))) ?? null;
}

const isTakenOver = ({ event, wasPressPrevented, wasSubmittedByScript }: SubmissionTracker): boolean =>
  !wasSubmittedByScript && (event ? isPrevented(event) : wasPressPrevented);

/** A form that a listener has removed is not submitted. https://html.spec.whatwg.org/#form-submission-algorithm */
const wasDropped = ({ form }: RunningCall, { wasConnected }: SubmissionTracker): boolean =>
  !wasConnected && !isConnected(form.element);

/** Waits until the page shows a result, or its script submits the form, for example after a confirmation by the user. */
async function responseOfScript(call: RunningCall, submit: SubmissionTracker): Promise<string | null> {
  const page = (submit.page ??= watchPage(call));
  page.start();
  page.readBefore();
  const again = expectSubmit(call, submit.isByUser);
  again.page = page;
  again.isSent = true;
  try {
    const isSubmitted = Promise.race([again.started.then(() => true), page.activity.settled.then(() => false)]);
    if (await untilEnd(call, isSubmitted)) return await responseTo(call, again);
    if (page.activity.isLeaving) return await responseOfLeaving(call, submit, page);
    return scriptResult(call, submit, page);
  } finally {
    again.cancel();
  }
}

/**
 * The response when a script opens another page: the answer of that page if it may answer, or else the current result, which
 * is sent before this document is unloaded.
 */
async function responseOfLeaving(
  call: RunningCall,
  submit: SubmissionTracker,
  page: PageResultObserver,
): Promise<string | null> {
  const isRemoved = !windowOf(call.form.element); // a frame that its script has removed
  const answer = isRemoved ? undefined : nextPageResponse(call, submit, allNotes(call, submit.shown));
  if (answer) return answer;
  const result = scriptResult(call, submit, page);
  if (isRemoved) return result;
  const key = crypto.randomUUID();
  call.call.leaves(key);
  sendMessage(key, result);
  return result;
}

const maxTextLength = 5000;
const takenOver = "The page's script took over the submission.";

/** @throws if the page shows nothing, and the form has `toolname`: browsers with WebMCP reject such a call, too */
function scriptResult(call: RunningCall, submit: SubmissionTracker, page: PageResultObserver): string {
  const { element } = call.form;
  const redact = (value: string): string => call.filled?.redact(value) ?? value;
  const added = page.text();
  const { lost, notes } = differences(call, submit, true);
  const shown = [...lost, ...page.errors(call)];
  const isUnanswered = shown.length === 0 && added === '' && !page.activity.hasRequested && !page.activity.isLeaving;
  const text = redact(isUnanswered ? page.textOfFilling() : added).slice(0, maxTextLength); // a truncated secret would not be found
  const errors = (isUnanswered ? page.standingErrors(call) : shown).map(({ parameter, message }) => ({
    parameter,
    message: redact(message),
  }));
  if (isUnanswered && text === '' && errors.length === 0 && domTree.attribute(element, 'toolname') !== null) {
    throw callFailure(
      'not-answered',
      `${takenOver} The page shows no result. Check whether it has succeeded before calling again. The page can call respondWith() after preventDefault().`,
    );
  }
  return stringify({
    code: 'script-submission',
    message:
      errors.length > 0
        ? `${takenOver} The page shows errors. Correct them before calling again.`
        : `${takenOver} It may have succeeded: check before calling again.`,
    ...(text !== '' && { text }),
    ...(errors.length > 0 && { errors }),
    ...notesMember(allNotes(call, [...notes, ...submit.shown])),
  });
}

/** The response of the page, with notes about the values that it has changed. */
async function resultOf(
  call: RunningCall,
  submit: SubmissionTracker,
  response: Promise<SettledResponse>,
): Promise<string> {
  const settled = await untilEnd(call, response);
  if ('reason' in settled) {
    const { reason } = settled;
    throw callFailure('rejected', `The page rejected its response${reasonText(reason)}`, { cause: reason });
  }
  try {
    return withNotes(resultText(settled.value), notesOfPage(call, submit));
  } catch (cause) {
    throw callFailure('not-serializable', 'The response of the page cannot be serialized to JSON.', { cause });
  }
}

/** The notes of the response. The response to a `fetch` already contains them. */
function notesOfPage(call: RunningCall, submit: SubmissionTracker): readonly Note[] {
  if (submit.isFetched) return [];
  const { lost, notes } = differences(call, submit, true);
  return allNotes(call, [...lost, ...notes, ...submit.shown]);
}

/** Adds notes to a response: as a member of an object, beside another JSON value in a new object, or as lines after text. */
function withNotes(text: string, notes: readonly Note[]): string {
  if (notes.length === 0) return text;
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return [text, ...notes.map(({ message }) => message)].join('\n');
  }
  const isObject = Object(value) === value && !Array.isArray(value);
  return stringify({ ...(isObject ? (value as object) : { response: value }), ...notesMember(notes) });
}

function resultText(value: unknown): string {
  if (typeof value === 'symbol') throw new TypeError('A symbol cannot be a result.');
  return String(Object(value) === value ? (stringify(value) as string | undefined) : value);
}

function reasonText(cause: unknown): string {
  try {
    return `: ${String((cause as Partial<Error> | null | undefined)?.message ?? cause)}`;
  } catch {
    return '.'; // the reason cannot be converted to a string
  }
}
