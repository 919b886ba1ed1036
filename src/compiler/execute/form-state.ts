import type { JsonValue } from '../../json-schema.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { namedColor } from '../html/colors.js';
import { isMultiple } from '../html/decimal.js';
import { buttonTypes } from '../html/elements.js';
import { parseNumber, serializeNumber } from '../html/microsyntaxes.js';
import { sanitizeText } from '../html/sanitize.js';
import { selectedOptions } from '../parameters/choices.js';
import { numberRange } from '../parameters/numbers.js';
import type { ControlAssignment, FileValue } from './control-assignment.js';

export type ControlState =
  | { readonly holds: 'value'; readonly value: string }
  | { readonly holds: 'checked'; readonly checked: boolean }
  | { readonly holds: 'selected'; /** Indices into the select's `options`. */ readonly options: readonly number[] }
  | { readonly holds: 'files'; readonly files: readonly FileValue[] }
  | { readonly holds: 'custom'; readonly value: JsonValue }
  | { readonly holds: 'nothing' };

/** The states of a loaded form's controls after the assignments, in the order of `controls`. */
export function formState(
  form: FormDescription,
  assignments: readonly ControlAssignment[] = [],
): readonly ControlState[] {
  const states = form.controls.map(defaultState);
  const checkedRadios = new Map<string, number>();
  form.controls.forEach((_, index) => void uncheckOthers(form, states, checkedRadios, index));
  for (const assignment of assignments) {
    if (assignment.set !== 'submitter') states[assignment.control] = stateOf(assignment);
    uncheckOthers(form, states, checkedRadios, assignment.control);
  }
  return states;
}

function stateOf(assignment: Exclude<ControlAssignment, { readonly set: 'submitter' }>): ControlState {
  const { control: _, set, ...value } = assignment;
  return { holds: set, ...value } as ControlState;
}

/** https://html.spec.whatwg.org/#radio-button-group */
function uncheckOthers(
  form: FormDescription,
  states: ControlState[],
  checkedRadios: Map<string, number>,
  index: number,
): void {
  const { type, name } = form.controls[index] as ControlDescription;
  const state = states[index] as ControlState;
  if (type !== 'radio' || name === '' || state.holds !== 'checked' || !state.checked) return;
  const before = checkedRadios.get(name);
  checkedRadios.set(name, index);
  if (before !== undefined && before !== index) states[before] = { holds: 'checked', checked: false };
}

const nothing: ControlState = { holds: 'nothing' };

function defaultState(control: ControlDescription): ControlState {
  const { type, attributes, options = [] } = control;
  if (buttonTypes.has(type)) return nothing;
  switch (type) {
    case 'checkbox':
    case 'radio':
      return { holds: 'checked', checked: attributes.checked !== undefined };
    case 'select-one':
    case 'select-multiple': {
      const selected = new Set(selectedOptions(control));
      return { holds: 'selected', options: options.flatMap((option, index) => (selected.has(option) ? index : [])) };
    }
    case 'file':
      return { holds: 'files', files: [] };
    case 'custom':
      return attributes.value === undefined ? nothing : { holds: 'custom', value: attributes.value };
    case 'output':
    case 'fieldset':
    case 'object':
      return nothing;
    default:
      return { holds: 'value', value: defaultValue(control) };
  }
}

/** https://html.spec.whatwg.org/#value-sanitization-algorithm */
function defaultValue(control: ControlDescription): string {
  const { type, attributes, defaultText = '' } = control;
  const value = attributes.value ?? '';
  if (type === 'textarea') return sanitizeText(type, defaultText);
  if (type === 'number') return parseNumber(value) === undefined ? '' : value;
  if (type === 'color') return namedColor(value) ?? sanitizeText(type, value);
  if (type === 'range') return sanitizeRange(control, value);
  return sanitizeText(type, value, type === 'email' && attributes.multiple !== undefined);
}

/** https://html.spec.whatwg.org/#range-state-(type=range) */
function sanitizeRange(control: ControlDescription, text: string): string {
  const { minimum = 0, maximum = 100, step, base } = numberRange(control);
  const parsed = parseNumber(text);
  const number = nearestInRange(parsed ?? minimum + (maximum - minimum) / 2, { minimum, maximum, step, base });
  return parsed === number ? text : serializeNumber(number);
}

/** The nearest valid value of a range control. Rounds up if two values are equally near. */
function nearestInRange(
  number: number,
  { minimum, maximum, step, base }: { minimum: number; maximum: number; step: number | 'any'; base: number },
): number {
  const clamped = Math.min(Math.max(number, minimum), Math.max(minimum, maximum));
  if (step === 'any' || isMultiple(clamped, step, base)) return clamped;
  const steps = Math.round(Number(((clamped - base) / step).toPrecision(14))); // 9.499999999999998 is 9.5
  const candidates = [steps, steps - 1, steps + 1].map((count) => Number((base + count * step).toPrecision(15)));
  return candidates.find((each) => each >= minimum && each <= maximum) ?? clamped;
}
