import type { ControlDescription } from '../../compiler/description.js';
import { constraintCodes, redacted, type ConstraintCode } from '../../compiler/execute/parameter-error.js';
import { applies } from '../../compiler/html/elements.js';
import { parseNonNegativeInteger } from '../../compiler/parameters/numbers.js';
import { parametersByControl } from '../../compiler/parameters/parameters.js';
import { preview } from '../../compiler/preview.js';
import { parametersOf } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import { SafeSet } from '../../platform/collections.js';
import { getter, method } from '../../platform/primordials.js';
import { domTree, elementsOfForm } from '../dom/dom-tree.js';
import { callException, type CallError } from './call-error.js';
import { expectedSchema, type FormReading } from './form-reading.js';
import type { RunningCall } from './running-call.js';

const matches = method<Element, [string], boolean>('Element', 'matches');

/** Reads built-in controls with the native getter, and custom elements by property. */
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

/**
 * Checks the constraints of a filled form without dispatching `invalid` events or moving the focus.
 * @param awaitsUser - whether the user will fill in controls without a parameter
 * @throws {CallException} with one error for each parameter that violates a constraint
 */
export function checkConstraints(
  call: RunningCall,
  input: JsonValue,
  reading: FormReading,
  submitter: Element | null,
  awaitsUser: boolean,
): void {
  const { description, controls } = reading;
  if (description.noValidate || (submitter && domTree.attribute(submitter, 'formnovalidate') !== null)) return;
  const parameters = parametersByControl(parametersOf(description, call.form.settings.synthesis));
  const errors = new Map<string, CallError>();
  for (const control of new SafeSet([...controls, ...elementsOfForm(call.form.element)])) {
    const index = controls.indexOf(control);
    const parameter = parameters.get(index);
    if (!parameter && awaitsUser) continue;
    const violation = violationOf(control) ?? lengthViolation(reading, index);
    const name = parameter?.name ?? domTree.attribute(control, 'name') ?? '';
    if (!violation || errors.has(name)) continue;
    const isSecret = description.controls[index]?.sensitive;
    errors.set(name, {
      parameter: name,
      code: violation.code,
      message: `Form validation failed: ${name}: ${isSecret ? withoutValue(violation) : violation.message}`,
      expected: expectedSchema(call, reading, parameter),
      received: isSecret ? redacted : receivedValue(input, name),
    });
  }
  if (errors.size > 0) throw callException([...errors.values()]);
}

/** The browser's message can reveal the value. */
const withoutValue = ({ code }: Violation): string => `The value violates a constraint (${code}).`;

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

/** Browsers check the length only after user edits. https://html.spec.whatwg.org/#attr-fe-maxlength */
function lengthViolation({ description, steps }: FormReading, index: number): Violation | undefined {
  const control: ControlDescription | undefined = description.controls[index];
  const step = steps.find((step) => step.control === index && step.set === 'value');
  if (!control || step?.set !== 'value' || !applies.length.has(control.type)) return undefined;
  const { length } = step.value;
  const max = parseNonNegativeInteger(control.attributes.maxlength) ?? Infinity;
  const min = parseNonNegativeInteger(control.attributes.minlength) ?? 0;
  if (length > max) return { code: 'too-long', message: `Expected at most ${max} characters, received ${length}.` };
  if (length > 0 && length < min)
    return { code: 'too-short', message: `Expected at least ${min} characters, received ${length}.` };
  return undefined;
}
