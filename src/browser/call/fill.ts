import type { ControlDescription } from '../../compiler/description.js';
import type { ExecuteStep } from '../../compiler/input/plan-input.js';
import { hasSensitive, redacted, type ParameterError } from '../../compiler/input/parameter-error.js';
import { controlsOf, type Parameter } from '../../compiler/parameters/parameters.js';
import { preview } from '../../compiler/preview.js';
import { makeParameter, parametersOf } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import { SafeMap, SafeSet, withoutPrototype } from '../../platform/collections.js';
import { nextTask, wait } from '../../platform/timers.js';
import { optionValues, stateOf, type NativeAssignment } from '../dom/control-state.js';
import { customControls } from '../dom/custom-controls.js';
import { domTree } from '../dom/dom-tree.js';
import { contains, isConnected } from '../dom/members.js';
import type { Condition } from '../forms/learned-parameters.js';
import type { Note } from '../submission/advice.js';
import { hasNewCopy, type ValuesByName } from '../submission/form-values.js';
import { widgets } from '../adapters/widgets/widgets.js';
import { callEnded, callException, type CallError } from './call-error.js';
import { inputErrors } from './constraints.js';
import { editedState, setEditedState, valueToSet } from './editors.js';
import type { FormSnapshot } from './form-snapshot.js';
import { areTemporary, expectedSchema, isFilled, planFill, stateOfStep, type FormReading } from './plan-fill.js';
import { endOfFilling, searchOptions, withValue } from './pending-options.js';
import { optionsTimeoutOf, pollIntervalMs, untilEnd, type RunningCall } from './running-call.js';
import { outcomeOfText, type ValueOutcome } from './value-outcome.js';

const { MutationObserver } = globalThis; // captured: see primordials.ts

/** The maximum number of attempts to set a control: a page may change the value again. */
const maxAttempts = 3;

/** The state of filling a form. */
interface Filling {
  readonly call: RunningCall;
  readonly snapshot: FormSnapshot;
  /** The number of attempts by step key, because a page may replace the control at each attempt. */
  readonly attempts: Map<string, number>;
  /** `before` has the values before the first attempts, by step key; `initial` has all values of the form before the call. */
  readonly before: Map<string, string>;
  readonly initial: ValuesByName;
  /** The parameters that the form has had during the call. */
  readonly known: Set<string>;
  /** The parameters of the choices set since parameters last appeared; in `revealing`, only those that changed the form. */
  readonly choices: Set<string>;
  readonly revealing: Set<string>;
  /** The parameters whose files have been set. */
  readonly files: Set<string>;
  /** Records mutations that add, remove, enable or disable controls. */
  readonly observer: MutationObserver;
  /** The agent's input, in which labels of found options are replaced by their values. */
  input: JsonValue;
  reading: FormReading;
}

/**
 * Fills the controls in tree order, and repeats this while the page changes values or adds controls. Waits for options and
 * controls that the page adds later.
 * @throws {CallException} if the form does not accept the input
 */
export async function fill(
  call: RunningCall,
  input: JsonValue,
  first: FormReading,
  snapshot: FormSnapshot,
  initial: ValuesByName,
): Promise<FormReading> {
  const observer = new MutationObserver(() => undefined);
  const filling: Filling = {
    ...{ call, snapshot, input, reading: first, attempts: new SafeMap<string, number>() },
    ...{ before: new SafeMap<string, string>(), initial, known: new SafeSet(namesOf(call, first)) },
    ...{ choices: new SafeSet<string>(), revealing: new SafeSet<string>(), files: new SafeSet<string>(), observer },
  };
  observer.observe(call.form.element, revealingMutations);
  try {
    return await fillAll(filling);
  } finally {
    observer.disconnect();
  }
}

const revealingMutations = withoutPrototype({ subtree: true, childList: true, attributeFilter: ['disabled'] });

async function fillAll(filling: Filling): Promise<FormReading> {
  const { call } = filling;
  let waitedMs = 0;
  for (;;) {
    const hasChanged = await fillOnce(filling);
    await untilEnd(call, nextTask());
    readAgain(filling);
    const { steps, errors } = filling.reading;
    const open = steps.filter((step) => !isTaken(filling, step));
    if (open.length === 0 && errors.length === 0 && isConnected(call.form.element)) {
      call.notes = [...steps.flatMap((step) => noteOf(filling, step) ?? []), ...fileNotes(filling)];
      return filling.reading;
    }
    waitedMs = hasChanged ? 0 : waitedMs + pollIntervalMs;
    if (!areTemporary(errors) || open.some((step) => isStuck(filling, step)) || waitedMs > optionsTimeoutOf(call)) {
      throw failure(filling, open);
    }
    if (hasChanged) continue;
    const found = await searchOptions(call, filling.input, filling.reading);
    if (found === undefined) await untilEnd(call, wait(pollIntervalMs));
    filling.input = found ?? filling.input;
    readAgain(filling);
  }
}

const namesOf = ({ form: { settings } }: RunningCall, { description }: FormReading): readonly string[] =>
  parametersOf(description, settings.synthesis).map(({ name }) => name);

/** Reads the form again, and adds parameters that have appeared. */
function readAgain(filling: Filling): void {
  const { call, known, choices, revealing, files, snapshot, observer } = filling;
  observer.observe(call.form.element, revealingMutations);
  const reading = planFill(call, filling.input);
  // A page may remove a file input after it has read the file.
  const errors = reading.errors.filter(({ code, parameter }) => code !== 'unknown-parameter' || !files.has(parameter));
  filling.reading = { ...reading, errors };
  const { description, controls } = reading;
  const { synthesis } = call.form.settings;
  const appeared = parametersOf(description, synthesis).filter(({ name }) => !known.has(name));
  const condition = conditionOf(filling);
  // Controls outside of the form may be user-generated content, and may disappear.
  const isInside = (index: number): boolean => contains(call.form.element, controls[index] as Element);
  for (const parameter of appeared) {
    known.add(parameter.name);
    if (parameter.units.every((unit) => unit.controls.every(isInside)))
      call.form.learn(makeParameter(description, parameter, synthesis), condition);
  }
  if (appeared.length > 0) for (const set of [choices, revealing]) set.clear();
  snapshot.include(controls);
}

/** The only choice after which controls have appeared; undefined unless there is exactly one. */
function conditionOf(filling: Filling): Condition | undefined {
  const [parameter, ...others] = filling.revealing.size > 0 ? filling.revealing : filling.choices;
  return parameter === undefined || others.length > 0 ? undefined : { parameter, value: inputOf(filling, parameter) };
}

const inputOf = ({ input }: Filling, parameter: string): JsonValue =>
  (input as Record<string, JsonValue>)[parameter] ?? null;

const keyOf = ({ reading: { keys } }: Filling, step: ExecuteStep): string => keys.get(step) ?? '';

const attemptsOf = (filling: Filling, step: ExecuteStep): number => filling.attempts.get(keyOf(filling, step)) ?? 0;

const isStuck = (filling: Filling, step: ExecuteStep): boolean => attemptsOf(filling, step) >= maxAttempts;

/** Whether a control has its value, perhaps rewritten by the page. Files are set once: the page may have sent them already. */
function isTaken(filling: Filling, step: ExecuteStep): boolean {
  if (isFilled(filling.call, filling.reading.controls, step)) return true;
  if (attemptsOf(filling, step) === 0) return false;
  return step.set === 'files' || (step.set === 'value' && outcomeOf(filling, step) === 'rewritten');
}

function outcomeOf(filling: Filling, step: Extract<ExecuteStep, { readonly set: 'value' }>): ValueOutcome {
  const { call, reading } = filling;
  const control = reading.controls[step.control] as Element;
  const text = textOf(call, control);
  if (text === undefined) return 'lost';
  if (text === '' && isMoved(filling, step.value)) return 'rewritten';
  return outcomeOfText(control, text, step.value, [filling.before.get(keyOf(filling, step)) ?? '']);
}

/** Whether the page has moved a value to a control that the call does not set, for example to one in a list of tags. */
function isMoved({ call, initial, reading: { steps, controls } }: Filling, value: string): boolean {
  const own = steps.map(({ control }) => controls[control] as Element);
  return hasNewCopy(call, value, own, initial);
}

/** A note about a value that the page has rewritten. */
function noteOf(filling: Filling, step: ExecuteStep): Note | undefined {
  const { call, reading } = filling;
  if (step.set === 'files' || isFilled(call, reading.controls, step)) return undefined;
  const { parameter } = step;
  const form = isSecret(filling, step) ? 'in another form' : `as ${shownValue(filling, step)}`;
  return { parameter, message: `The page shows the value of ${preview(parameter)} ${form}.` };
}

/** Notes about the files that the page has removed, with the messages that the page has shown. */
function fileNotes({ call, reading: { steps, controls }, files }: Filling): readonly Note[] {
  const isKept = (name: string): boolean =>
    steps.some((step) => step.parameter === name && isFilled(call, controls, step));
  const shown = call.page?.messagesOfFilling(call).join(' ') ?? '';
  return [...files]
    .filter((name) => !isKept(name))
    .map((parameter) => ({
      parameter,
      message: `The page has emptied or replaced the control of ${preview(parameter)} after the file was set. It may have accepted or rejected the file.${shown && ` It shows: ${shown}`}`,
    }));
}

/** If a select never offers the wanted value, the controls after it are not filled and not reported. */
function failure(filling: Filling, open: readonly ExecuteStep[]): Error {
  const { call, input, reading } = filling;
  if (!isConnected(call.form.element)) return callEnded('removed');
  const isUnfilled = ({ errors }: FormReading): boolean => errors.some(({ code }) => code === 'not-offered');
  const errors = inputErrors(call, input, reading).map((error) => withRemoval(filling, error));
  const lost = open.filter((step) => !isUnfilled(reading) || attemptsOf(filling, step) > 0);
  return callException([...errors, ...lost.map((step) => notKeptError(filling, step))]);
}

/** Replaces the message for an unknown parameter if the form has had the parameter during the call. */
const withRemoval = ({ known }: Filling, error: CallError): CallError =>
  error.code === 'unknown-parameter' && known.has(error.parameter)
    ? {
        ...error,
        message: `The page removes or disables ${preview(error.parameter)} with the other values. Leave it out.`,
      }
    : error;

/** Returns whether any control was set. Controls that listeners replace are filled after the next reading. */
async function fillOnce(filling: Filling): Promise<boolean> {
  const { call, reading, attempts, before, choices, revealing, files, observer } = filling;
  const { description, controls, steps } = reading;
  const end = endOfFilling(call, reading);
  let hasChanged = false;
  for (const step of steps) {
    call.signal.throwIfAborted();
    const control = controls[step.control] as Element;
    if (domTree.formOwner(control) !== call.form.element || !isConnected(control) || isTaken(filling, step)) continue;
    const isReady = step.set !== 'selected' || hasDescribedOptions(control, description.controls[step.control]);
    if (step.control >= end || !isReady) continue;
    hasChanged = true;
    const key = keyOf(filling, step);
    attempts.set(key, (attempts.get(key) ?? 0) + 1);
    if (step.set === 'value' && !before.has(key)) before.set(key, textOf(call, control) ?? '');
    if (step.set === 'custom') fillCustom(filling, step);
    else if (step.set === 'value' && widgets.hasSuggestions(control)) await typeAndChoose(filling, step);
    else setEditedState(call.form.settings, control, stateOfStep(call, control, step as NativeAssignment), true);
    if (step.set === 'files') files.add(step.parameter);
    if (step.set !== 'selected' && step.set !== 'checked') continue;
    choices.add(step.parameter);
    if (observer.takeRecords().length > 0) revealing.add(step.parameter);
    // A page that immediately undoes a choice, and changes nothing else, may have asked the user to confirm the choice.
    else if (!isTaken(filling, step)) attempts.set(key, maxAttempts);
  }
  return hasChanged;
}

function textOf({ form: { settings } }: RunningCall, control: Element): string | undefined {
  const state = editedState(settings, control);
  return state.kind === 'value' ? state.value : undefined;
}

/** Types into a field with suggestions. Selecting a suggestion may set another value than the text. */
async function typeAndChoose(
  filling: Filling,
  { control: index, parameter, value }: Extract<ExecuteStep, { readonly set: 'value' }>,
): Promise<void> {
  const { call, reading } = filling;
  const control = reading.controls[index] as Element;
  const options = { limitMs: optionsTimeoutOf(call), signal: call.signal };
  const isChosen = await untilEnd(call, widgets.type(control, valueToSet(control, value), options));
  const state = stateOf(control);
  if (isChosen && state.kind === 'value') filling.input = withValue(filling.input, parameter, state.value);
}

function fillCustom(filling: Filling, step: Extract<ExecuteStep, { readonly set: 'custom' }>): void {
  try {
    customControls.set(filling.reading.controls[step.control] as Element, step.value);
  } catch (error) {
    const { message, ...rest } = notKeptError(filling, step);
    const reason = rest.received === redacted ? '' : ` The element threw: ${String(error)}`; // the error may contain the value
    throw callException([{ ...rest, message: message + reason }]);
  }
}

function hasDescribedOptions(control: Element, described: ControlDescription | undefined): boolean {
  const values = optionValues(control);
  const options = described?.options ?? [];
  return values.length === options.length && options.every(({ value }, position) => value === values[position]);
}

function notKeptError(filling: Filling, step: ExecuteStep): ParameterError {
  const { call, reading } = filling;
  const name = step.parameter;
  const value = isSecret(filling, step) ? undefined : shownValue(filling, step);
  return {
    parameter: name,
    code: 'not-kept',
    message: `The control did not accept the value of ${preview(name)}${value === undefined ? '' : `: it now has ${value}`}.`,
    expected: expectedSchema(call, reading, parameterOf(filling, step)),
    received: isSecret(filling, step) ? redacted : preview(inputOf(filling, name)),
  };
}

const parameterOf = ({ call, reading }: Filling, { parameter }: ExecuteStep): Parameter | undefined =>
  parametersOf(reading.description, call.form.settings.synthesis).find(({ name }) => name === parameter);

const isSecret = (filling: Filling, step: ExecuteStep): boolean =>
  parameterOf(filling, step)?.units.some((unit) => hasSensitive(controlsOf(filling.reading.description, unit))) ?? true;

/** The current text of a control, in quotes; undefined for custom elements and controls without text. */
function shownValue({ call, reading }: Filling, { control: index }: ExecuteStep): string | undefined {
  const control = reading.controls[index];
  const text = control && !domTree.localName(control).includes('-') ? textOf(call, control) : undefined;
  return text === undefined ? undefined : preview(text);
}
