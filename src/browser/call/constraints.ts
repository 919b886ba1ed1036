import type { ControlDescription, FormDescription } from '../../compiler/description.js';
import {
  constraintCodes,
  constraintMessage,
  redacted,
  type ConstraintCode,
} from '../../compiler/input/parameter-error.js';
import { limitsOf } from '../../compiler/parameters/limits.js';
import { parametersByControl } from '../../compiler/parameters/parameters.js';
import { preview } from '../../compiler/preview.js';
import { parametersOf } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import { SafeMap, SafeSet } from '../../platform/collections.js';
import { getter } from '../../platform/primordials.js';
import { domTree, elementsOfForm } from '../dom/dom-tree.js';
import { cloneNode, matches, setValueOf } from '../dom/members.js';
import { callException, type CallError } from './call-error.js';
import { expectedSchema, type FormReading } from './plan-fill.js';
import type { RunningCall } from './running-call.js';

/** Returns a function that reads built-in controls with the native getter, and custom elements by property. */
function controlGetter<Value>(attribute: string): (control: Element) => Value | undefined {
  const getters: Readonly<Record<string, (control: Element) => Value>> = {
    input: getter('HTMLInputElement', attribute),
    select: getter('HTMLSelectElement', attribute),
    textarea: getter('HTMLTextAreaElement', attribute),
  };
  return (control) => {
    const get = getters[domTree.localName(control)];
    return get ? get(control) : (Reflect.get(control, attribute) as Value | undefined);
  };
}

const validityOf = controlGetter<ValidityState>('validity');
const validationMessageOf = controlGetter<string>('validationMessage');

interface Violation {
  readonly code: ConstraintCode;
  readonly message: string;
}

type FindViolation = (control: Element, index: number) => Violation | undefined;

/**
 * Checks the constraints of a filled form without dispatching `invalid` events or moving the focus.
 * @param awaitsUser - whether the user will fill in controls without a parameter
 * @throws {CallException} with one error for each parameter, or control without a parameter, that violates a constraint
 */
export function checkConstraints(
  call: RunningCall,
  input: JsonValue,
  reading: FormReading,
  submitter: Element | null,
  awaitsUser: boolean,
): void {
  const isLenient = isUnchecked(reading.description, submitter);
  const errors = violations(call, input, reading, awaitsUser || isLenient, (control, index) => {
    const violation = violationOf(control) ?? limitViolation(reading, index);
    return isLenient && !isOfSchema(violation, reading, index) ? undefined : violation;
  });
  if (errors.length > 0) throw callException(errors);
}

/**
 * The errors of an input, and the constraint violations of its other values. The form is not filled, so values are checked
 * in copies of the controls.
 */
export function inputErrors(call: RunningCall, input: JsonValue, reading: FormReading): readonly CallError[] {
  const { errors, steps, stepOf } = reading;
  const known = new SafeSet(errors.map(({ parameter }) => parameter));
  if (errors.length === 0 || known.has('')) return errors;
  for (const { parameter, set } of steps) if (set !== 'value' && set !== 'custom') known.add(parameter);
  const others = violations(call, input, reading, true, (control, index) => {
    const step = stepOf.get(index);
    if (step?.set === 'value') return violationOf(copyWith(control, step.value)) ?? limitViolation(reading, index);
    if (step?.set === 'custom') return limitViolation(reading, index);
    const violation = violationOf(control);
    return violation?.code === 'value-missing' ? violation : undefined;
  });
  return [...errors, ...others.filter(({ parameter }) => !known.has(parameter))];
}

/** Whether the input selects a submit button with `formnovalidate`. */
const isExempt = ({ description, steps }: FormReading): boolean =>
  steps.some(
    ({ set, control }) => set === 'submitter' && description.controls[control]?.attributes.formnovalidate !== undefined,
  );

/**
 * Whether the browser submits the form without constraint validation. The constraints of the schema apply nevertheless,
 * because most of these forms are validated by their own scripts.
 */
const isUnchecked = ({ noValidate }: FormDescription, submitter: Element | null): boolean =>
  noValidate === true || (submitter !== null && domTree.attribute(submitter, 'formnovalidate') !== null);

/**
 * Whether a violation counts in a form without constraint validation: a missing value, or any violation by a value of the input
 * except custom errors of the page.
 */
const isOfSchema = (violation: Violation | undefined, { stepOf }: FormReading, index: number): boolean =>
  violation?.code === 'value-missing' || (violation?.code !== 'custom-error' && stepOf.has(index));

function violations(
  call: RunningCall,
  input: JsonValue,
  reading: FormReading,
  onlyParameters: boolean,
  find: FindViolation,
): readonly CallError[] {
  if (isExempt(reading)) return [];
  const { description, controls } = reading;
  const parameters = parametersByControl(parametersOf(description, call.form.settings.synthesis));
  const errors = new Map<string, CallError>();
  const indices = new SafeMap(controls.map((control, index) => [control, index] as const));
  for (const control of new SafeSet([...controls, ...elementsOfForm(call.form.element)])) {
    const index = indices.get(control) ?? -1;
    const parameter = parameters.get(index);
    const name = parameter?.name ?? domTree.attribute(control, 'name') ?? '';
    if ((!parameter && onlyParameters) || errors.has(name)) continue;
    const violation = find(control, index);
    if (!violation) continue;
    const { code, message } = violation;
    const isSecret = description.controls[index]?.sensitive;
    errors.set(name, {
      parameter: name,
      code,
      message: parameter
        ? constraintMessage(description, parameter, index, code, message)
        : `The control ${preview(name)} is invalid, and no parameter sets it: ${isSecret ? code : message}`,
      expected: expectedSchema(call, reading, parameter),
      received: isSecret ? redacted : receivedValue(input, name),
    });
  }
  return [...errors.values()];
}

/** A detached copy of an input or textarea with a value. */
function copyWith(control: Element, value: string): Element {
  const copy = cloneNode(control);
  setValueOf(copy, value);
  return copy;
}

const receivedValue = (input: JsonValue, name: string): string =>
  Object.hasOwn(input as object, name)
    ? preview((input as Readonly<Record<string, JsonValue>>)[name] as JsonValue)
    : '';

const maxMessageLength = 500; // messages of the page may include the value

function violationOf(control: Element): Violation | undefined {
  if (!matches(control, ':invalid') || domTree.localName(control) === 'fieldset') return undefined;
  const validity = validityOf(control);
  const [, code = 'custom-error'] = constraintCodes.find(([flag]) => validity?.[flag]) ?? [];
  return { code, message: (validationMessageOf(control) || 'The value is invalid.').slice(0, maxMessageLength) };
}

/**
 * Browsers check the length only after user edits. They never check the schema that a custom element declares.
 * https://html.spec.whatwg.org/#attr-fe-maxlength
 */
function limitViolation({ description, stepOf }: FormReading, index: number): Violation | undefined {
  const control: ControlDescription | undefined = description.controls[index];
  const step = stepOf.get(index);
  if (!control || (step?.set !== 'value' && step?.set !== 'custom')) return undefined;
  const { value, set } = step;
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = limitsOf(control);
  if (typeof value === 'number') {
    if (value < minimum) return { code: 'range-underflow', message: '' };
    return value > maximum ? { code: 'range-overflow', message: '' } : undefined;
  }
  if (typeof value !== 'string' || (value === '' && set === 'value')) return undefined;
  if (value.length > maxLength) return { code: 'too-long', message: '' };
  return value.length < minLength ? { code: 'too-short', message: '' } : undefined;
}
