import type { JsonValue } from '../../json-schema.js';
import { choicesOf } from './choices.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { parseNumber } from '../html/microsyntaxes.js';
import { isInRange, numberRange } from './numbers.js';
import { controlsOf, type Unit } from './parameters.js';
import { sanitizeText } from '../html/sanitize.js';

/** What a unit holds before anybody touches it, as its schema's type has it; undefined for nothing and for secrets. */
export function defaultOf(form: FormDescription, unit: Unit): JsonValue | undefined {
  const [control] = controlsOf(form, unit) as [ControlDescription];
  if (control.sensitive || control.type === 'hidden') return undefined;
  const selected = choicesOf(form, unit)
    .filter((choice) => choice.selected)
    .map(({ value }) => value);
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

function textDefault(control: ControlDescription): JsonValue | undefined {
  const {
    type,
    attributes: { value = '', multiple },
    defaultText = '',
  } = control;
  if (type === 'textarea') return defaultText || undefined;
  const isList = type === 'email' && multiple !== undefined;
  const text = sanitizeText(type, value, isList);
  if (text === '') return undefined;
  return isList ? text.split(',') : text;
}
