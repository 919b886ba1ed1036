import type { FormDescription } from '../../compiler/description.js';
import {
  hasSensitive,
  notShown,
  stepsFor,
  type ExecuteStep,
  type ParameterError,
} from '../../compiler/execute/execute-steps.js';
import { controlsOf } from '../../compiler/parameters/parameters.js';
import { preview } from '../../compiler/preview.js';
import { makeParameter, parametersOf } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import { SafeMap } from '../../platform/collections.js';
import { nextTask, wait } from '../../platform/tasks.js';
import { callException } from './call-error.js';
import { checkRun, untilEnd, type Run } from './calls.js';
import {
  hasState,
  optionValues,
  setState,
  stateFor,
  stateOf,
  type ControlState,
  type NativeSetting,
} from '../dom/control-state.js';
import { domTree } from '../dom/dom-tree.js';
import type { Settings } from '../settings.js';

/** A form as it was read, with what an input asks of it. */
export interface Filled {
  readonly description: FormDescription;
  readonly controls: readonly Element[];
  readonly steps: readonly ExecuteStep[];
  readonly errors: readonly ParameterError[];
}

/** How often a control is set that does not keep its value. */
const mostAttempts = 3;
/** How long, and in which steps, a value is waited for that a control does not offer yet; milliseconds. */
const patience = { total: 1000, step: 50 };

/** Fills the controls in tree order, and again what has changed by that. Throws what the form did not take. */
export async function fill(run: Run, input: JsonValue, first: Filled): Promise<Filled> {
  const attempts = new SafeMap<Element, number>();
  let filled = first;
  let waited = 0;
  for (;;) {
    const hasChanged = fillOnce(run, input, filled, attempts);
    await untilEnd(run, nextTask());
    filled = read(run, input);
    const { controls, steps, errors } = filled;
    const open = steps.filter((step) => !isFilled(run, controls, step));
    if (open.length === 0 && errors.length === 0) return filled;
    const isLate = errors.every(({ code }) => code === 'not-offered');
    const isStuck = open.some(({ control }) => (attempts.get(controls[control] as Element) ?? 0) >= mostAttempts);
    waited = hasChanged ? 0 : waited + patience.step;
    if (!isLate || isStuck || waited > patience.total) {
      throw callException([...errors, ...open.map((step) => notKept(run.form.settings, input, filled, step))]);
    }
    if (!hasChanged) {
      await untilEnd(run, wait(patience.step));
      filled = read(run, input);
    }
  }
}

function read({ form }: Run, input: JsonValue): Filled {
  const { description, controls } = form.describe();
  return { description, controls, ...stepsFor(description, input, form.settings.synthesis) };
}

/**
 * Fills what is not filled yet, and says whether there was anything. A page's listeners run after each control: what they
 * replaced meanwhile waits for the next reading.
 */
function fillOnce(run: Run, input: JsonValue, filled: Filled, attempts: Map<Element, number>): boolean {
  const { description, controls, steps } = filled;
  let hasChanged = false;
  for (const step of steps) {
    checkRun(run);
    const control = controls[step.control] as Element;
    if (domTree.formOwner(control) !== run.form.element || isFilled(run, controls, step)) continue;
    if (step.set === 'selected' && !hasOptions(control, description, step)) continue;
    hasChanged = true;
    attempts.set(control, (attempts.get(control) ?? 0) + 1);
    if (step.set === 'custom') fillCustom(run, input, filled, step);
    else setState(control, stateOfStep(run, control, step as NativeSetting));
  }
  return hasChanged;
}

function fillCustom({ form: { settings } }: Run, input: JsonValue, filled: Filled, step: ExecuteStep): void {
  if (step.set !== 'custom') return;
  try {
    settings.custom?.set(filled.controls[step.control] as Element, step.value);
  } catch (error) {
    const { message, ...rest } = notKept(settings, input, filled, step);
    const reason = rest.received === notShown ? '' : ` It throws: ${String(error)}`; // which may hold the value
    throw callException([{ ...rest, message: message + reason }]);
  }
}

const hasOptions = (control: Element, { controls }: FormDescription, { control: index }: ExecuteStep): boolean => {
  const described = controls[index]?.options ?? [];
  const values = optionValues(control);
  return values.length === described.length && described.every(({ value }, position) => value === values[position]);
};

/** Whether a control holds already what a step asks for. */
export function isFilled(run: Run, controls: readonly Element[], step: ExecuteStep): boolean {
  const control = controls[step.control] as Element;
  if (step.set === 'submitter') return true;
  if (step.set === 'custom') return run.form.settings.custom?.has(control, step.value) ?? true;
  if (step.set === 'files' && !run.files.has(control)) return false;
  return hasState(control, stateOfStep(run, control, step));
}

function stateOfStep({ files }: Run, control: Element, step: NativeSetting): ControlState {
  const state = files.get(control) ?? stateFor(control, step);
  if (state.kind === 'files') files.set(control, state);
  return state;
}

/** The error of a control that the page, or the browser, made something else of. */
function notKept(
  { synthesis }: Settings,
  input: JsonValue,
  { description, controls }: Filled,
  step: ExecuteStep,
): ParameterError {
  const name = step.parameter;
  const parameter = parametersOf(description, synthesis).find((each) => each.name === name);
  const isSecret = parameter?.units.some((unit) => hasSensitive(controlsOf(description, unit))) ?? true;
  return {
    parameter: name,
    code: 'not-kept',
    message: `The page did not keep the value of ${preview(name)}${isSecret ? '' : nowHas(controls[step.control])}.`,
    expected: parameter ? makeParameter(description, parameter, synthesis).schema : {},
    received: isSecret ? notShown : preview((input as Record<string, JsonValue>)[name] ?? null),
  };
}

function nowHas(control: Element | undefined): string {
  const state = control && !domTree.localName(control).includes('-') ? stateOf(control) : undefined;
  return state?.kind === 'value' ? `: it made ${preview(state.value)} of it` : '';
}
