import type { JsonValue } from '../../json-schema.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { serializeTemporal, temporalSteps, type TemporalType } from '../html/microsyntaxes.js';
import { isValidPattern } from '../html/pattern.js';
import { choicesOf } from '../parameters/choices.js';
import { customSchema } from '../parameters/custom-schema.js';
import { visibleText } from '../parameters/description-text.js';
import { limitsOf, rangeWords } from '../parameters/limits.js';
import { numberRange } from '../parameters/numbers.js';
import { controlsOf, type Unit } from '../parameters/parameters.js';
import { temporalLimits } from '../parameters/temporal.js';
import { preview, previewList } from '../preview.js';

/** The values that a unit accepts, as a noun phrase such as `an integer from 1 to 5`. Contains no value of the control. */
export function expectedText(form: FormDescription, unit: Unit): string {
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

function offered(form: FormDescription, unit: Unit): string {
  const values = choicesOf(form, unit).map(({ value }) => value);
  return values.length > 0 ? previewList(values) : 'the options of the page, which do not exist yet';
}

function numberText(control: ControlDescription): string {
  const { step, base } = numberRange(control);
  const isInteger = step !== 'any' && Number.isInteger(step) && Number.isInteger(base);
  const isEvery = step === 'any' || (isInteger && step === 1);
  return `${isInteger ? 'an integer' : 'a number'}${limitsText(control)}${isEvery ? '' : stepText(step, '', base)}`;
}

const stepText = (step: number, unit: string, base: number | string): string =>
  ` in steps of ${step}${unit}${base === 0 ? '' : ` from ${base}`}`;

/** Format, example and unit of the step of the temporal types. */
const temporalTexts: Readonly<Record<TemporalType, readonly [format: string, example: string, unit: string]>> = {
  date: ['a date as YYYY-MM-DD', '2026-01-31', 'days'],
  month: ['a month as YYYY-MM', '2026-01', 'months'],
  week: ['a week as YYYY-Www', '2026-W05', 'weeks'],
  time: ['a time as HH:MM', '14:30', 'seconds'],
  'datetime-local': ['a local date and time as YYYY-MM-DDTHH:MM', '2026-01-31T14:30', 'seconds'],
};

function temporalText(type: TemporalType, control: ControlDescription): string {
  const [format, example, unit] = temporalTexts[type];
  const limits = temporalLimits(type, control);
  const { step, base } = limits;
  const { stepScaleFactor, defaultStep } = temporalSteps[type];
  const [min, max] = [limits.min, limits.max].map((each) => each !== undefined && serializeTemporal(type, each));
  const range = `${min ? ` from ${min}` : ''}${max ? ` to ${max}` : ''}`;
  const count = Number(step) / stepScaleFactor;
  const steps =
    step === 'any' || count === defaultStep ? '' : stepText(count, ` ${unit}`, serializeTemporal(type, base));
  return `${format}, such as "${min || max || example}"${range && `,${range}`}${steps && `,${steps}`}`;
}

const textTexts: Readonly<Record<string, string>> = {
  email: 'an e-mail address, such as "name@example.com"',
  url: 'an absolute URL, such as "https://example.com/"',
  color: 'a color as #rrggbb, such as "#1a56c4"',
};

function textualText(control: ControlDescription): string {
  const { type, attributes } = control;
  if (Object.hasOwn(temporalTexts, type)) return temporalText(type as TemporalType, control);
  const isList = type === 'email' && attributes.multiple !== undefined;
  return (isList ? 'a list of e-mail addresses' : (textTexts[type] ?? 'text')) + limitsText(control);
}

export const anyValue = 'a value';

/** Names the type, the values and the limits that a custom element declares. */
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
      ` that matches the pattern ${preview(pattern)}${titleOf(control)}`,
  ]
    .filter(Boolean)
    .join('');
}

/** The title explains the pattern. https://html.spec.whatwg.org/#attr-input-title */
function titleOf({ words }: ControlDescription): string {
  const title = words.find(({ source }) => source === 'title');
  const text = title ? visibleText(title).slice(0, maxTitleLength) : '';
  return text && ` (${text})`;
}
