import type { JsonValue } from '../../json-schema.js';
import { selectedOptions } from '../parameters/choices.js';
import { nearestInRange } from '../html/decimal-range.js';
import type { ControlDescription, FormDescription } from '../description.js';
import type { FileValue, ControlAssignment } from './execute-steps.js';
import { buttonTypes } from '../html/elements.js';
import { parseNumber, serializeNumber } from '../html/microsyntaxes.js';
import { numberRange } from '../parameters/numbers.js';
import { sanitizeText } from '../html/sanitize.js';

/** What one control holds. */
export type ControlState =
  | { readonly holds: 'value'; readonly value: string }
  | { readonly holds: 'checked'; readonly checked: boolean }
  | { readonly holds: 'selected'; /** Indices into the select's `options`. */ readonly options: readonly number[] }
  | { readonly holds: 'files'; readonly files: readonly FileValue[] }
  | { readonly holds: 'custom'; readonly value: JsonValue }
  | { readonly holds: 'nothing' };

/** What each control of a form holds when its page is loaded and the settings are made, in the order of `controls`. */
export function formState(form: FormDescription, settings: readonly ControlAssignment[] = []): readonly ControlState[] {
  const states = form.controls.map(defaultState);
  const radios = new Map<string, number>();
  form.controls.forEach((_, index) => void keepOneRadio(form, states, radios, index));
  for (const setting of settings) {
    states[setting.control] = stateAfter(setting, states[setting.control] as ControlState);
    keepOneRadio(form, states, radios, setting.control);
  }
  return states;
}

function stateAfter(setting: ControlAssignment, before: ControlState): ControlState {
  switch (setting.set) {
    case 'value':
      return { holds: 'value', value: setting.value };
    case 'checked':
      return { holds: 'checked', checked: setting.checked };
    case 'selected':
      return { holds: 'selected', options: setting.options };
    case 'files':
      return { holds: 'files', files: setting.files };
    case 'custom':
      return { holds: 'custom', value: setting.value };
    case 'submitter':
      return before;
  }
}

/** https://html.spec.whatwg.org/#radio-button-group */
function keepOneRadio(form: FormDescription, states: ControlState[], radios: Map<string, number>, index: number): void {
  const { type, name } = form.controls[index] as ControlDescription;
  const state = states[index] as ControlState;
  if (type !== 'radio' || name === '' || state.holds !== 'checked' || !state.checked) return;
  const before = radios.get(name);
  radios.set(name, index);
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
    case 'select-multiple':
      return { holds: 'selected', options: selectedOptions(control).map((option) => options.indexOf(option)) };
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
  if (type === 'range') return rangeValue(control, value);
  return sanitizeText(type, value, type === 'email' && attributes.multiple !== undefined);
}

/** https://html.spec.whatwg.org/#range-state-(type=range) */
function rangeValue(control: ControlDescription, text: string): string {
  const { minimum = 0, maximum = 100, step, base } = numberRange(control);
  const number = parseNumber(text) ?? minimum + (maximum - minimum) / 2;
  const kept = nearestInRange(number, { minimum, maximum, step, base });
  return parseNumber(text) === kept ? text : serializeNumber(kept);
}
