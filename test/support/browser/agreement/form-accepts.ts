import {
  planInput,
  type DescribedForm,
  type ExecuteStep,
  type JsonValue,
  type SynthesizedParameter,
} from '../../../../src/compiler/index.js';
import { holds } from './holds.js';
import type { LiveForm } from './live-form.js';
import { setControl } from './set-control.js';
import type { Input } from './values.js';

/** Whether a new form accepts an input, according to the browser's constraint validation. */
export function formAccepts(
  { description, newControls }: LiveForm,
  parameters: readonly SynthesizedParameter[],
  input: Input,
): boolean {
  const { steps, errors } = planInput(description, input, { profile: 'precise' });
  if (errors.length > 0 || Object.values(input).includes(null)) return false; // calls leave out null, so no control has it
  const form = { description, controls: newControls() };
  for (const step of steps) setControl(form.controls[step.control] as Element, step);
  const present = parameters.filter(({ name }) => Object.hasOwn(input, name));
  return (
    present.every((parameter) => hasValue(form, parameter, input[parameter.name] as JsonValue)) &&
    parameters.every((parameter) => isValid(form, parameter)) &&
    steps.every((step) => hasLength(form.controls[step.control] as Element, step))
  );
}

function hasValue({ controls }: DescribedForm<Element>, { units }: SynthesizedParameter, value: JsonValue): boolean {
  const values = units.length === 1 ? [value] : (value as readonly JsonValue[]);
  return units.every((unit, index) =>
    holds(
      unit.kind,
      unit.controls.map((each) => controls[each] as Element),
      values[index] as JsonValue,
    ),
  );
}

const isValid = ({ controls }: DescribedForm<Element>, { units }: SynthesizedParameter): boolean =>
  units.flatMap((unit) => unit.controls).every((each) => (controls[each] as HTMLInputElement).checkValidity());

const typesWithLength = ['text', 'search', 'tel', 'url', 'email', 'password', 'textarea'];

/** Browsers check the length only of values that the user edits. https://html.spec.whatwg.org/#suffering-from-being-too-long */
function hasLength(control: Element, { set }: ExecuteStep): boolean {
  const { type, value, minLength, maxLength } = control as HTMLInputElement;
  if (set !== 'value' || value === '' || !typesWithLength.includes(type)) return true;
  return value.length >= minLength && (maxLength < 0 || value.length <= maxLength);
}
