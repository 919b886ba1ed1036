import type { FormDescription } from '../../compiler/description.js';
import type { ExecuteStep } from '../../compiler/execute/execute-steps.js';
import { hasSensitive, redacted, type ParameterError } from '../../compiler/execute/parameter-error.js';
import { controlsOf } from '../../compiler/parameters/parameters.js';
import { preview } from '../../compiler/preview.js';
import { parametersOf } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import { SafeMap } from '../../platform/collections.js';
import { nextTask, wait } from '../../platform/tasks.js';
import { optionValues, type NativeAssignment } from '../dom/control-state.js';
import { domTree } from '../dom/dom-tree.js';
import { callException } from './call-error.js';
import { inputErrors } from './constraints.js';
import { editedState, setEditedState } from './editors.js';
import { areTemporary, expectedSchema, isFilled, readForm, stateOfStep, type FormReading } from './form-reading.js';
import { defaultOptionsTimeoutMs, pollIntervalMs, throwIfEnded, untilEnd, type RunningCall } from './running-call.js';

/** The number of attempts to set a control, in case the page changes its value again. */
const maxAttempts = 3;

/**
 * Fills the controls in tree order, again after changes by the page. Waits for options that the page adds later.
 * @throws {CallException} if the form does not accept the input
 */
export async function fill(call: RunningCall, input: JsonValue, first: FormReading): Promise<FormReading> {
  const { optionsTimeoutMs = defaultOptionsTimeoutMs } = call.form.settings;
  const attempts = new SafeMap<Element, number>();
  let reading = first;
  let waitedMs = 0;
  for (;;) {
    const hasChanged = fillOnce(call, input, reading, attempts);
    await untilEnd(call, nextTask());
    reading = readForm(call, input);
    const { controls, steps, errors } = reading;
    const open = steps.filter((step) => !isFilled(call, controls, step));
    if (open.length === 0 && errors.length === 0) return reading;
    const isStuck = open.some(({ control }) => (attempts.get(controls[control] as Element) ?? 0) >= maxAttempts);
    waitedMs = hasChanged ? 0 : waitedMs + pollIntervalMs;
    if (!areTemporary(errors) || isStuck || waitedMs > optionsTimeoutMs) {
      throw callException([
        ...inputErrors(call, input, reading),
        ...open.map((step) => notKeptError(call, input, reading, step)),
      ]);
    }
    if (!hasChanged) {
      await untilEnd(call, wait(pollIntervalMs));
      reading = readForm(call, input);
    }
  }
}

/** Returns whether any control was set. Controls that listeners replace are filled after the next reading. */
function fillOnce(call: RunningCall, input: JsonValue, reading: FormReading, attempts: Map<Element, number>): boolean {
  const { description, controls, steps } = reading;
  let hasChanged = false;
  for (const step of steps) {
    throwIfEnded(call);
    const control = controls[step.control] as Element;
    if (domTree.formOwner(control) !== call.form.element || isFilled(call, controls, step)) continue;
    if (step.set === 'selected' && !hasDescribedOptions(control, description, step)) continue;
    hasChanged = true;
    attempts.set(control, (attempts.get(control) ?? 0) + 1);
    if (step.set === 'custom') fillCustom(call, input, reading, step);
    else setEditedState(call.form.settings, control, stateOfStep(call, control, step as NativeAssignment));
  }
  return hasChanged;
}

function fillCustom(
  call: RunningCall,
  input: JsonValue,
  reading: FormReading,
  step: Extract<ExecuteStep, { readonly set: 'custom' }>,
): void {
  try {
    call.form.settings.custom?.set(reading.controls[step.control] as Element, step.value);
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
