import type { JsonValue } from '../../json-schema.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { parseNumber } from '../html/microsyntaxes.js';
import { hexColor, sanitizeText } from '../html/sanitize.js';
import { choicesOf } from './choices.js';
import { isInRange, numberRange } from './numbers.js';
import { controlsOf, type ControlGroup } from './parameters.js';

/** The initial value of a unit, in the type of its schema; undefined for empty, hidden and sensitive controls. */
export function defaultOf(form: FormDescription, unit: ControlGroup): JsonValue | undefined {
  const [control] = controlsOf(form, unit) as [ControlDescription];
  if (control.sensitive || control.type === 'hidden') return undefined;
  const selected = choicesOf(form, unit).flatMap(({ selected, value }) => (selected ? value : []));
  switch (unit.kind) {
    case 'boolean':
      return control.attributes.checked === undefined ? undefined : true;
    case 'checkboxes':
    case 'select-multiple':
      return selected.length > 0 ? selected : undefined;
    case 'radios':
    case 'select-one':
    case 'submitter':
      return selected.at(-1);
    case 'number':
      return numberDefault(control);
    case 'text':
      return textDefault(control);
    default:
      return undefined;
  }
}

function numberDefault(control: ControlDescription): number | undefined {
  const value = parseNumber(control.attributes.value ?? '');
  if (value === undefined || (control.type === 'range' && !isInRange(value, numberRange(control)))) return undefined;
  return value;
}

function textDefault({ type, attributes, defaultText }: ControlDescription): JsonValue | undefined {
  if (type === 'textarea') return defaultText || undefined;
  if (type === 'color' && attributes.value && hexColor(attributes.value) === undefined) return undefined;
  const isList = type === 'email' && attributes.multiple !== undefined;
  const text = sanitizeText(type, attributes.value ?? '', isList);
  if (text === '') return undefined;
  return isList ? text.split(',') : text;
}
