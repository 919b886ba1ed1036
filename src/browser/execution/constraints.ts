import type { ControlDescription } from '../../compiler/description.js';
import { notShown } from '../../compiler/execute/execute-steps.js';
import { applies } from '../../compiler/html/elements.js';
import { parseNonNegativeInteger } from '../../compiler/parameters/numbers.js';
import type { Parameter } from '../../compiler/parameters/parameters.js';
import { preview } from '../../compiler/preview.js';
import { makeParameter, parametersOf } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import { getter, method } from '../../platform/primordials.js';
import { SafeSet } from '../../platform/collections.js';
import type { CallError, ConstraintCode } from './call-error.js';
import { domTree, elementsOf, listOf } from '../dom/dom-tree.js';
import type { Filled } from './fill.js';
import type { Settings } from '../settings.js';

const matches = method<Element, [string], boolean>('Element', 'matches');

/** By local name. */
const validities: Readonly<Record<string, (control: Element) => ValidityState>> = {
  input: getter('HTMLInputElement', 'validity'),
  select: getter('HTMLSelectElement', 'validity'),
  textarea: getter('HTMLTextAreaElement', 'validity'),
};
const messages: Readonly<Record<string, (control: Element) => string>> = {
  input: getter('HTMLInputElement', 'validationMessage'),
  select: getter('HTMLSelectElement', 'validationMessage'),
  textarea: getter('HTMLTextAreaElement', 'validationMessage'),
};

/** https://html.spec.whatwg.org/#validitystate */
const codes = [
  ['valueMissing', 'value-missing'],
  ['typeMismatch', 'type-mismatch'],
  ['patternMismatch', 'pattern-mismatch'],
  ['tooLong', 'too-long'],
  ['tooShort', 'too-short'],
  ['rangeUnderflow', 'range-underflow'],
  ['rangeOverflow', 'range-overflow'],
  ['stepMismatch', 'step-mismatch'],
  ['badInput', 'bad-input'],
] as const satisfies readonly (readonly [keyof ValidityState, ConstraintCode])[];

interface Finding {
  readonly code: ConstraintCode;
  readonly message: string;
}

export interface Circumstances {
  readonly form: Element;
  readonly submitter: Element | null;
  /** Whether a person is going to fill in what is no parameter, and to submit. */
  readonly isForPerson: boolean;
}

/**
 * What the form's own constraints have against the values that it holds: one error for each parameter, without an event
 * and without moving the focus.
 */
export function brokenConstraints(
  { synthesis }: Settings,
  input: JsonValue,
  { description, controls, steps }: Filled,
  { form, submitter, isForPerson }: Circumstances,
): readonly CallError[] {
  if (description.noValidate || (submitter && domTree.attribute(submitter, 'formnovalidate') !== null)) return [];
  const parameters = byControl(parametersOf(description, synthesis));
  const errors = new Map<string, CallError>();
  for (const control of new SafeSet([...controls, ...listOf(elementsOf(form))])) {
    const index = controls.indexOf(control);
    const parameter = parameters.get(index);
    if (!parameter && isForPerson) continue;
    const described = description.controls[index];
    const length = steps.find((step) => step.control === index && step.set === 'value');
    const finding =
      findingOf(control) ?? (described && length?.set === 'value' && wrongLength(described, length.value));
    const name = parameter?.name ?? domTree.attribute(control, 'name') ?? '';
    if (!finding || errors.has(name)) continue;
    errors.set(name, {
      parameter: name,
      code: finding.code,
      message: `Form validation failed: ${name}: ${described?.sensitive ? unsaid(finding) : finding.message}`,
      expected: parameter ? makeParameter(description, parameter, synthesis).schema : {},
      received: described?.sensitive ? notShown : given(input, name),
    });
  }
  return [...errors.values()];
}

/** A browser's message can tell what the value is near to. */
const unsaid = ({ code }: Finding): string => `It does not satisfy its constraints (${code}).`;

const given = (input: JsonValue, name: string): string =>
  Object.hasOwn(input as object, name)
    ? preview((input as Readonly<Record<string, JsonValue>>)[name] as JsonValue)
    : '';

const byControl = (parameters: readonly Parameter[]): ReadonlyMap<number, Parameter> =>
  new Map(
    parameters.flatMap((parameter) =>
      parameter.units.flatMap(({ controls }) => controls.map((index) => [index, parameter] as const)),
    ),
  );

const longest = 500;

function findingOf(control: Element): Finding | undefined {
  if (!matches(control, ':invalid') || domTree.localName(control) === 'fieldset') return undefined;
  const validity = ownOf<ValidityState>(control, validities, 'validity');
  const [, code = 'custom-error'] = codes.find(([flag]) => validity?.[flag]) ?? [];
  const message = ownOf<string>(control, messages, 'validationMessage') || 'It is not valid.';
  return { code, message: message.slice(0, longest) }; // it can hold the value
}

/** What the browser says of a control; of a custom element, what it says of itself. */
const ownOf = <Value>(
  control: Element,
  getters: Readonly<Record<string, (control: Element) => Value>>,
  name: string,
): Value | undefined => {
  const get = getters[domTree.localName(control)];
  return get ? get(control) : (Reflect.get(control, name) as Value | undefined);
};

/** For browsers only what a person types can be too long or too short. https://html.spec.whatwg.org/#attr-fe-maxlength */
function wrongLength({ type, attributes }: ControlDescription, { length }: string): Finding | undefined {
  if (!applies.length.has(type) || length === 0) return undefined;
  const most = parseNonNegativeInteger(attributes.maxlength) ?? Infinity;
  const least = parseNonNegativeInteger(attributes.minlength) ?? 0;
  if (length > most) return { code: 'too-long', message: `It takes at most ${most} characters, not ${length}.` };
  if (length < least) return { code: 'too-short', message: `It takes at least ${least} characters, not ${length}.` };
  return undefined;
}
