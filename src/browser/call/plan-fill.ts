import type { FormDescription } from '../../compiler/description.js';
import { stepsFor, type ExecuteStep } from '../../compiler/input/plan-input.js';
import type { ParameterError } from '../../compiler/input/parameter-error.js';
import { defaultButton, type Parameter } from '../../compiler/parameters/parameters.js';
import type { Profile } from '../../compiler/profiles/synthesize.js';
import { makeParameter } from '../../compiler/tool.js';
import type { JsonSchema, JsonValue } from '../../json-schema.js';
import { SafeMap } from '../../platform/collections.js';
import { stateFor, type ControlState, type NativeAssignment } from '../dom/control-state.js';
import { customControls } from '../dom/custom-controls.js';
import { isSetState } from './editors.js';
import type { RunningCall } from './running-call.js';

/** The current description and controls of a form, with the steps and errors of an input. */
export interface FormReading {
  readonly description: FormDescription;
  readonly controls: readonly Element[];
  readonly profile: Profile;
  readonly steps: readonly ExecuteStep[];
  readonly errors: readonly ParameterError[];
  /** The steps by the indices of their controls. */
  readonly stepOf: ReadonlyMap<number, ExecuteStep>;
  /** Keys that identify steps across readings: the parameter, and the step's position among the steps of the parameter. */
  readonly keys: ReadonlyMap<ExecuteStep, string>;
}

export function planFill({ form }: RunningCall, input: JsonValue): FormReading {
  const { description, controls } = form.describe();
  const { steps, errors } = stepsFor(description, input, form.settings.synthesis);
  const stepOf = new SafeMap(steps.map((step) => [step.control, step] as const));
  const explained = errors.map((error) => form.learned.explain(error));
  const { profile } = form.settings.synthesis;
  return { description, controls, profile, steps, errors: explained, stepOf, keys: keysOf(steps) };
}

function keysOf(steps: readonly ExecuteStep[]): ReadonlyMap<ExecuteStep, string> {
  const counts = new SafeMap<string, number>();
  const withKey = (step: ExecuteStep): readonly [ExecuteStep, string] => {
    const count = counts.get(step.parameter) ?? 0;
    counts.set(step.parameter, count + 1);
    return [step, `${step.parameter} ${count}`];
  };
  return new SafeMap(steps.map(withKey));
}

/** Whether all errors may resolve once other controls are filled: the page may add options and controls. */
export const areTemporary = (errors: readonly ParameterError[]): boolean =>
  errors.every(({ code }) => code === 'not-offered' || code === 'unknown-parameter');

export function isFilled(call: RunningCall, controls: readonly Element[], step: ExecuteStep): boolean {
  const control = controls[step.control] as Element;
  if (step.set === 'submitter') return true;
  if (step.set === 'custom') return customControls.has(control, step.value);
  if (step.set === 'files' && !call.files.has(control)) return false;
  return isSetState(call.form.settings, control, stateOfStep(call, control, step));
}

/** The state that a step sets. All attempts reuse the same File objects. */
export function stateOfStep({ files }: RunningCall, control: Element, step: NativeAssignment): ControlState {
  const state = files.get(control) ?? stateFor(control, step);
  if (state.kind === 'files') files.set(control, state);
  return state;
}

/** The button that the input selects, or the form's default button. */
export function submitterOf({ description, controls, steps, profile }: FormReading): Element | null {
  const selected = steps.find(({ set }) => set === 'submitter')?.control;
  return controls[selected ?? defaultButton(description, profile)] ?? null;
}

export const expectedSchema = (
  { form: { settings } }: RunningCall,
  { description }: FormReading,
  parameter: Parameter | undefined,
): JsonSchema => (parameter ? makeParameter(description, parameter, settings.synthesis).schema : {});
