import type { JsonValue } from '../../json-schema.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { temporalTypes } from '../html/elements.js';
import type { TemporalType } from '../html/microsyntaxes.js';
import { isValidPattern } from '../html/pattern.js';
import { choicesOf } from '../parameters/choices.js';
import { customSchema } from '../parameters/custom-schema.js';
import { visibleText } from '../parameters/description-text.js';
import { limitsOf, maxPatternLength, rangeWords } from '../parameters/limits.js';
import { numberRange } from '../parameters/numbers.js';
import { controlsOf, type ControlGroup } from '../parameters/parameters.js';
import { temporalWords } from '../parameters/temporal.js';
import { preview, previewList } from '../preview.js';

/**
 * The values that a unit accepts, as a noun phrase such as `an integer from 1 to 5`. Never contains the current value
 * of the control.
 */
export function expectedText(form: FormDescription, unit: ControlGroup): string {
  const [control] = controlsOf(form, unit) as [ControlDescription];
  const isRequired = control.attributes.required !== undefined;
  switch (unit.kind) {
    case 'number':
      return numberText(control);
    case 'boolean':
      return isRequired ? 'true' : 'true or false';
    case 'radios':
    case 'select-one':
    case 'submitter':
      return `one of ${offered(form, unit)}`;
    case 'checkboxes':
    case 'select-multiple':
      return `a list of values from ${offered(form, unit)}`;
    case 'file':
      return control.attributes.multiple === undefined ? fileText : `a list of ${fileText}`;
    case 'custom':
      return customText(control);
    default:
      return textualText(control);
  }
}

const fileText = '{name, mediaType, content} with base64 content';

function offered(form: FormDescription, unit: ControlGroup): string {
  const values = choicesOf(form, unit).map(({ value }) => value);
  return values.length > 0 ? previewList(values) : 'the options of the page, which do not exist yet';
}

function numberText(control: ControlDescription): string {
  const { step, base } = numberRange(control);
  const isInteger = step !== 'any' && Number.isInteger(step) && Number.isInteger(base);
  const isEvery = step === 'any' || (isInteger && step === 1);
  return `${isInteger ? 'an integer' : 'a number'}${limitsText(control)}${isEvery ? '' : ` in steps of ${step}${base === 0 ? '' : ` from ${base}`}`}`;
}

function temporalText(type: TemporalType, control: ControlDescription): string {
  const { format, example, range, steps } = temporalWords(type, control);
  return [`${format}, such as "${example}"`, range, steps].filter(Boolean).join(', ');
}

const textTexts: Readonly<Record<string, string>> = {
  email: 'an e-mail address, such as "name@example.com"',
  url: 'an absolute URL, such as "https://example.com/"',
  color: 'a color as #rrggbb, such as "#1a56c4"',
};

function textualText(control: ControlDescription): string {
  const { type, attributes } = control;
  if (temporalTypes.has(type)) return temporalText(type as TemporalType, control);
  const isList = type === 'email' && attributes.multiple !== undefined;
  return (isList ? 'a list of e-mail addresses' : (textTexts[type] ?? 'text')) + limitsText(control);
}

export const anyValue = 'a value';

/** Names the values that a custom element declares or, without values, the type and the limits. */
function customText(control: ControlDescription): string {
  const { type, enum: values, const: only } = customSchema(control) ?? {};
  const offered: readonly JsonValue[] = values ?? (only === undefined ? [] : [only]);
  if (offered.length > 0) return `one of ${previewList(offered)}`;
  const types = [type ?? []].flat().map((each) => preview(each).replaceAll('"', ''));
  return `${anyValue}${types.length > 0 ? ` of type ${types.join(' or ')}` : ''}${limitsText(control)}`;
}

const maxTitleLength = 200;

function limitsText(control: ControlDescription): string {
  const { minimum, maximum, minLength, maxLength, pattern } = limitsOf(control);
  const range = rangeWords(minimum, maximum);
  const length = rangeWords(minLength, maxLength);
  const isRange = minimum !== undefined && maximum !== undefined;
  return [
    range && ` ${isRange ? 'from' : 'of'} ${range}`,
    length && ` of ${length} characters`,
    pattern !== undefined &&
      isValidPattern(pattern) &&
      ` that matches the pattern ${preview(pattern, maxPatternLength)}${titleOf(control)}`,
  ]
    .filter(Boolean)
    .join('');
}

/** The title of a control in parentheses, because it explains the pattern. https://html.spec.whatwg.org/#attr-input-title */
function titleOf({ words }: ControlDescription): string {
  const title = words.find(({ source }) => source === 'title');
  const text = title ? visibleText(title).slice(0, maxTitleLength) : '';
  return text && ` (${text})`;
}
