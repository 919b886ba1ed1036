import type { FormDescription } from '../../compiler/description.js';
import type { ExecuteStep } from '../../compiler/input/plan-input.js';
import { hasSensitive, redacted, type ParameterError } from '../../compiler/input/parameter-error.js';
import { controlsOf } from '../../compiler/parameters/parameters.js';
import { preview } from '../../compiler/preview.js';
import { parametersOf } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import { SafeMap } from '../../platform/collections.js';
import { nextTask, wait } from '../../platform/timers.js';
import { optionValues, stateOf, type NativeAssignment } from '../dom/control-state.js';
import { customControls } from '../dom/custom-controls.js';
import { domTree } from '../dom/dom-tree.js';
import { widgets } from '../adapters/widgets/widgets.js';
import { callException } from './call-error.js';
import { inputErrors } from './constraints.js';
import { editedState, setEditedState } from './editors.js';
import { areTemporary, expectedSchema, isFilled, planFill, stateOfStep, type FormReading } from './plan-fill.js';
import { endOfFilling, searchOptions, withValue } from './pending-options.js';
import { optionsTimeoutOf, pollIntervalMs, untilEnd, type RunningCall } from './running-call.js';

/** The maximum number of attempts to set a control: a page may change the value again. */
const maxAttempts = 3;

/** The state of filling a form. */
interface Filling {
  readonly call: RunningCall;
  readonly attempts: Map<Element, number>;
  /** The agent's input, in which labels of found options are replaced by their values. */
  input: JsonValue;
  reading: FormReading;
}

/**
 * Fills the controls in tree order, again after changes by the page. Waits for options that the page adds later.
 * @throws {CallException} if the form does not accept the input
 */
export async function fill(call: RunningCall, input: JsonValue, first: FormReading): Promise<FormReading> {
  const limitMs = optionsTimeoutOf(call);
  const filling: Filling = { call, input, reading: first, attempts: new SafeMap<Element, number>() };
  let waitedMs = 0;
  for (;;) {
    const hasChanged = await fillOnce(filling);
    await untilEnd(call, nextTask());
    filling.reading = planFill(call, filling.input);
    const { steps, controls, errors } = filling.reading;
    const open = steps.filter((step) => !isFilled(call, controls, step));
    if (open.length === 0 && errors.length === 0) return filling.reading;
    waitedMs = hasChanged ? 0 : waitedMs + pollIntervalMs;
    if (!areTemporary(errors) || open.some((step) => isStuck(filling, step)) || waitedMs > limitMs) {
      throw failure(filling, open);
    }
    if (hasChanged) continue;
    const found = await searchOptions(call, filling.input, filling.reading);
    if (found === undefined) await untilEnd(call, wait(pollIntervalMs));
    filling.input = found ?? filling.input;
    filling.reading = planFill(call, filling.input);
  }
}

const attemptsOf = ({ attempts, reading }: Filling, { control }: ExecuteStep): number =>
  attempts.get(reading.controls[control] as Element) ?? 0;

const isStuck = (filling: Filling, step: ExecuteStep): boolean => attemptsOf(filling, step) >= maxAttempts;

/** If a select never offers its value, the controls after it are not filled and not reported. */
function failure(filling: Filling, open: readonly ExecuteStep[]): Error {
  const { call, input, reading } = filling;
  const lost = open.filter((step) => reading.errors.length === 0 || attemptsOf(filling, step) > 0);
  return callException([
    ...inputErrors(call, input, reading),
    ...lost.map((step) => notKeptError(call, input, reading, step)),
  ]);
}

/** Returns whether any control was set. Controls that listeners replace are filled after the next reading. */
async function fillOnce(filling: Filling): Promise<boolean> {
  const { call, reading, attempts } = filling;
  const { description, controls, steps } = reading;
  const end = endOfFilling(call, reading);
  let hasChanged = false;
  for (const step of steps) {
    call.signal.throwIfAborted();
    const control = controls[step.control] as Element;
    if (domTree.formOwner(control) !== call.form.element || isFilled(call, controls, step)) continue;
    if (step.control >= end || (step.set === 'selected' && !hasDescribedOptions(control, description, step))) continue;
    hasChanged = true;
    attempts.set(control, (attempts.get(control) ?? 0) + 1);
    if (step.set === 'custom') fillCustom(call, filling.input, reading, step);
    else if (step.set === 'value' && widgets.hasSuggestions(control)) await typeText(filling, step);
    else setEditedState(call.form.settings, control, stateOfStep(call, control, step as NativeAssignment));
  }
  return hasChanged;
}

/** Types into a field with suggestions. The suggestion of the text may set another value in its place. */
async function typeText(
  filling: Filling,
  { control: index, parameter, value }: Extract<ExecuteStep, { readonly set: 'value' }>,
): Promise<void> {
  const { call, reading } = filling;
  const control = reading.controls[index] as Element;
  const options = { limitMs: optionsTimeoutOf(call), signal: call.signal };
  const isChosen = await untilEnd(call, widgets.type(control, value, options));
  const state = stateOf(control);
  if (isChosen && state.kind === 'value') filling.input = withValue(filling.input, parameter, state.value);
}

function fillCustom(
  call: RunningCall,
  input: JsonValue,
  reading: FormReading,
  step: Extract<ExecuteStep, { readonly set: 'custom' }>,
): void {
  try {
    customControls.set(reading.controls[step.control] as Element, step.value);
  } catch (error) {
    const { message, ...rest } = notKeptError(call, input, reading, step);
    const reason = rest.received === redacted ? '' : ` The element threw: ${String(error)}`; // may contain the value
    throw callException([{ ...rest, message: message + reason }]);
  }
}

const hasDescribedOptions = (
  control: Element,
  { controls }: FormDescription,
  { control: index }: ExecuteStep,
): boolean => {
  const described = controls[index]?.options ?? [];
  const values = optionValues(control);
  return values.length === described.length && described.every(({ value }, position) => value === values[position]);
};

function notKeptError(call: RunningCall, input: JsonValue, reading: FormReading, step: ExecuteStep): ParameterError {
  const { description, controls } = reading;
  const name = step.parameter;
  const parameter = parametersOf(description, call.form.settings.synthesis).find((each) => each.name === name);
  const isSecret = parameter?.units.some((unit) => hasSensitive(controlsOf(description, unit))) ?? true;
  return {
    parameter: name,
    code: 'not-kept',
    message: `The control did not accept the value of ${preview(name)}${isSecret ? '' : currentValue(call, controls[step.control])}.`,
    expected: expectedSchema(call, reading, parameter),
    received: isSecret ? redacted : preview((input as Record<string, JsonValue>)[name] ?? null),
  };
}

function currentValue(call: RunningCall, control: Element | undefined): string {
  const state =
    control && !domTree.localName(control).includes('-') ? editedState(call.form.settings, control) : undefined;
  return state?.kind === 'value' ? `: it now has ${preview(state.value)}` : '';
}
