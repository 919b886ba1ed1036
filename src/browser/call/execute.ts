import { isAnySubmitButton, isMutable } from '../../compiler/parameters/parameters.js';
import type { JsonValue } from '../../json-schema.js';
import { preview } from '../../compiler/preview.js';
import { getAttribute } from '../../platform/dom.js';
import { onAbort } from '../../platform/signals.js';
import { wait } from '../../platform/timers.js';
import { classList, removeAttribute, valueOf } from '../dom/members.js';
import { isSearchField } from '../adapters/widgets/popup.js';
import { awaitUser } from '../submission/await-user.js';
import { isForeign } from '../submission/destination.js';
import { foreignSubmission, submitForm } from '../submission/submit.js';
import { watchPage } from '../submission/page-result-observer.js';
import { readValues } from '../submission/form-values.js';
import { FilledValues } from '../submission/submitted-values.js';
import { callException, callFailure } from './call-error.js';
import { checkConstraints, inputErrors } from './constraints.js';
import { fill } from './fill.js';
import { areTemporary, planFill, submitterOf, type FormReading } from './plan-fill.js';
import { FormSnapshot } from './form-snapshot.js';
import { mayAppear } from './pending-options.js';
import { optionsTimeoutOf, pollIntervalMs, untilEnd, type RunningCall } from './running-call.js';

/**
 * Runs a call: checks the whole input, fills the form, checks its constraints, then submits it or waits for the user.
 * https://webmachinelearning.github.io/webmcp/#declarative-execute-steps
 */
export async function execute(call: RunningCall, input: JsonValue): Promise<string | null> {
  const initial = planFill(call, input);
  const mustAwaitUser = needsUser(call, initial);
  if (mustAwaitUser && !initial.description.controls.some(isAnySubmitButton)) throw noSubmitButton();
  checkInput(call, input, initial);
  const snapshot = new FormSnapshot(call, initial.controls);
  const before = readValues(call);
  const mark = new ActiveClasses(call, submitterOf(initial));
  if (!mustAwaitUser) call.page = watchPage(call);
  try {
    const reading = await untilSubmittable(call, input, await fill(call, input, initial, snapshot, before));
    const submitter = submitterOf(reading);
    mark.move(call.form.element, submitter);
    call.signal.throwIfAborted();
    checkTraps(call, reading);
    const awaitsUser = mustAwaitUser || needsUser(call, reading);
    checkConstraints(call, input, reading, submitter, awaitsUser); // before the button check: a valid form may enable it
    if (!submitter && reading.description.controls.some(isAnySubmitButton)) throw noSubmitButton();
    call.filled = new FilledValues(call, input, reading, before);
    const answer = awaitsUser ? undefined : await submitAtOnce(call, submitter);
    if (answer !== undefined) return answer;
    if (!submitter) throw noSubmitButton();
    snapshot.isRestorable = false;
    return await awaitUser(call, submitter, snapshot);
  } finally {
    if (snapshot.isRestorable && !isSubmitted(call)) await snapshot.restore();
    mark.end();
    call.page?.stop();
  }
}

/** The time limit for a busy form, as a multiple of the limit for other changes. */
const busyRounds = 10;

/** Whether the page or the browser has started to submit the form, and so may still read the values. */
const isSubmitted = ({ submissions }: RunningCall): boolean =>
  submissions.some(
    ({ refusal, isCorrected, event, wasSubmittedByScript, wasPressPrevented }) =>
      !refusal && !isCorrected && (event !== undefined || wasSubmittedByScript || wasPressPrevented),
  );

/** Waits until a submit button is enabled. Some pages enable it only some time after the last change. */
async function untilSubmittable(call: RunningCall, input: JsonValue, filled: FormReading): Promise<FormReading> {
  let reading = (await untilIdle(call)) ? planFill(call, input) : filled;
  const isWaiting = (): boolean => !submitterOf(reading) && reading.description.controls.some(isAnySubmitButton);
  for (let waitedMs = 0; waitedMs < optionsTimeoutOf(call) && isWaiting(); waitedMs += pollIntervalMs) {
    await untilEnd(call, wait(pollIntervalMs));
    reading = planFill(call, input);
  }
  return reading;
}

/** Waits while the form has `aria-busy`, for example while the page fetches values. Returns whether it has waited. */
async function untilIdle(call: RunningCall): Promise<boolean> {
  const isBusy = (): boolean => getAttribute(call.form.element, 'aria-busy') === 'true';
  let waitedMs = 0;
  for (; isBusy() && waitedMs < optionsTimeoutOf(call) * busyRounds; waitedMs += pollIntervalMs)
    await untilEnd(call, wait(pollIntervalMs));
  return waitedMs > 0;
}

const noSubmitButton = (): Error =>
  callFailure(
    'no-submit-button',
    'The form has no enabled submit button, so no user can submit it. Set the values that enable it, or ask the user. A form without a button needs toolautosubmit.',
  );

/**
 * Whether the user has to submit the form: it has no `toolautosubmit`, its destination is of another origin that the page does
 * not allow, or it has a captcha or sensitive controls that agents cannot fill.
 */
function needsUser({ form }: RunningCall, reading: FormReading): boolean {
  const { tool, controls, captcha } = reading.description;
  if (!tool.autosubmit || isForeign(form, submitterOf(reading))) return true;
  const { sensitive, profile } = form.settings.synthesis;
  const hasCaptcha = profile.excludesByMeaning && (captcha === 'visible' || controls.some((each) => each.captcha));
  return (
    hasCaptcha ||
    (sensitive === 'exclude' &&
      controls.some(
        (control, index) =>
          control.sensitive && isMutable(control) && !isSearchField(reading.controls[index] as Element),
      ))
  );
}

/** Throws if a honeypot has a value: sites treat such a submission as spam, and many report success nevertheless. */
function checkTraps({ form }: RunningCall, { description, controls }: FormReading): void {
  if (!form.settings.synthesis.profile.excludesByMeaning) return;
  const at = description.controls.findIndex(({ trap }, index) => trap && valueOf(controls[index] as Element) !== '');
  const { name, evidence } = description.controls[at] ?? {};
  if (evidence)
    throw callFailure(
      'trap-filled',
      `The control ${preview(name ?? '')} has a value, and it is a trap for programs: ${evidence}. Ask the user to empty it.`,
    );
}

/** Returns undefined if the page has changed the destination to another origin, so that the user has to submit the form. */
const submitAtOnce = (call: RunningCall, submitter: Element | null): Promise<string | null | undefined> =>
  submitForm(call, submitter).catch((error: unknown) => {
    if (error !== foreignSubmission) throw error;
    return undefined;
  });

/** Throws the errors of the input, unless filling other controls may resolve them. */
function checkInput(call: RunningCall, input: JsonValue, reading: FormReading): void {
  if (!areTemporary(reading.errors) || !mayAppear(call, reading))
    throw callException(inputErrors(call, input, reading));
}

/** Scripts cannot set pseudo-classes, so classes with the same names are set instead. */
const formActive = ':tool-form-active';
const submitActive = ':tool-submit-active';

class ActiveClasses {
  #form: Element | null = null;
  #submitter: Element | null = null;
  readonly #removeListener: () => void;

  constructor({ form, signal }: RunningCall, submitter: Element | null) {
    this.move(form.element, submitter);
    this.#removeListener = onAbort(signal, () => this.end());
  }

  move(form: Element, submitter: Element | null): void {
    if (form === this.#form && submitter === this.#submitter) return;
    this.#unmark();
    this.#form = form;
    this.#submitter = submitter;
    mark(form, formActive);
    mark(submitter, submitActive);
  }

  end(): void {
    this.#unmark();
    this.#removeListener();
  }

  #unmark(): void {
    unmark(this.#form, formActive);
    unmark(this.#submitter, submitActive);
  }
}

function mark(element: Element | null, name: string): void {
  if (element) classList(element).add(name);
}

function unmark(element: Element | null, name: string): void {
  if (!element) return;
  classList(element).remove(name);
  if (getAttribute(element, 'class') === '') removeAttribute(element, 'class');
}
