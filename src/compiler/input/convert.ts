import type { JsonValue } from '../../json-schema.js';
import { stringify } from '../../json.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { parseNumber, serializeNumber } from '../html/microsyntaxes.js';
import { sanitizeText } from '../html/sanitize.js';
import { choicesOf, isOpenSelect, type Choice } from '../parameters/choices.js';
import { customSchema } from '../parameters/custom-schema.js';
import { isInRange, numberRange } from '../parameters/numbers.js';
import type { ControlGroup } from '../parameters/parameters.js';
import { preview, previewList } from '../preview.js';
import type { ControlAssignment, FileValue } from './plan-input.js';
import { expectedText } from './expected-text.js';
import type { ExecuteErrorCode } from './parameter-error.js';

export interface ConversionError {
  readonly code: ExecuteErrorCode;
  /** Continues a sentence that starts with the parameter's name: `must be a number`. */
  readonly reason: string;
}

type Conversion = readonly ControlAssignment[] | ConversionError;

export interface ConvertOptions {
  /**
   * Whether a select whose options are added by scripts accepts any value. Set where scripts do not run, because the
   * options are unknown there.
   * @default false
   */
  readonly acceptUnlisted?: boolean;
}

const error = (code: ExecuteErrorCode, reason = ''): ConversionError => ({ code, reason });

/** Converts a value for a unit. An error without its own reason names the accepted values. */
export function convert(
  form: FormDescription,
  unit: ControlGroup,
  value: JsonValue,
  options: ConvertOptions,
): Conversion {
  const result = convertValue(form, unit, value, options);
  return 'code' in result && result.reason === ''
    ? { ...result, reason: `must be ${expectedText(form, unit)}` }
    : result;
}

function convertValue(
  form: FormDescription,
  unit: ControlGroup,
  value: JsonValue,
  options: ConvertOptions,
): Conversion {
  const index = unit.controls[0] as number;
  const control = form.controls[index] as ControlDescription;
  switch (unit.kind) {
    case 'number':
      return convertNumber(control, index, value);
    case 'boolean':
      return convertBoolean(index, value);
    case 'radios':
    case 'select-one':
    case 'submitter':
      return convertChoice(form, unit, value, options);
    case 'checkboxes':
    case 'select-multiple':
      return convertChoices(form, unit, value, options);
    case 'file':
      return convertFiles(control, index, value);
    case 'custom':
      return convertCustom(control, index, value);
    default:
      return convertText(control, index, value);
  }
}

/** Agents may send numbers and booleans for text controls. */
function toText(value: JsonValue): string | undefined {
  if (typeof value === 'number') return serializeNumber(value);
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}

const toList = (value: JsonValue): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [value];

function convertText(control: ControlDescription, index: number, value: JsonValue): Conversion {
  const isList = control.type === 'email' && control.attributes.multiple !== undefined;
  const texts = (isList ? toList(value) : [value]).map(toText);
  if (texts.includes(undefined)) return error('wrong-type');
  const text = texts.join(',');
  if (control.type === 'email' && text.split(',').some(({ length }) => length > maxEmailLength))
    return error('wrong-type');
  const sanitized = sanitizeText(control.type, text, isList);
  if (isSame(control, text, sanitized)) return [{ control: index, set: 'value', value: sanitized }];
  if (sanitized === '' || control.type === 'color') return error('not-kept');
  return error(
    'not-kept',
    `must not have line breaks or leading or trailing spaces: the page would change it to ${preview(sanitized)}`,
  );
}

/**
 * Longer addresses are rejected, because browsers validate an address in quadratic time. Valid addresses are shorter.
 * https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1
 */
const maxEmailLength = 1000;

/**
 * Whether sanitization leaves a value the same. Ignores changes to the line breaks of a textarea, the case of a color
 * and the format of a local date and time.
 */
function isSame({ type }: ControlDescription, text: string, sanitized: string): boolean {
  if (type === 'color') return sanitized === text.toLowerCase();
  return sanitized === text || type === 'textarea' || (type === 'datetime-local' && sanitized !== '');
}

function convertNumber(control: ControlDescription, index: number, value: JsonValue): Conversion {
  const number = typeof value === 'string' ? parseNumber(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return error('wrong-type');
  if (control.type === 'range' && !isInRange(number, numberRange(control))) return error('not-kept');
  return [{ control: index, set: 'value', value: typeof value === 'string' ? value : serializeNumber(number) }];
}

function convertBoolean(index: number, value: JsonValue): Conversion {
  const text = toText(value) ?? '';
  const checked = Number.isInteger(value) ? value !== 0 : /^(?:true|1)$/i.test(text);
  if (!checked && !/^(?:false|0)$/i.test(text)) return error('wrong-type');
  return [{ control: index, set: 'checked', checked }];
}

function convertChoice(
  form: FormDescription,
  unit: ControlGroup,
  value: JsonValue,
  options: ConvertOptions,
): Conversion {
  const text = toText(value);
  if (text === undefined) return error('wrong-type');
  const choices = choicesOf(form, unit);
  const choice = choices.find((each) => each.value === text);
  if (!choice) return acceptsUnlisted(form, unit, options) ? assignUnlisted(unit, text) : notOffered(choices, [text]);
  const [position] = choice.positions as [number];
  if (unit.kind === 'select-one') return [assignOptions(unit, [position])];
  if (unit.kind === 'submitter') return [{ control: position, set: 'submitter' }];
  return [{ control: position, set: 'checked', checked: true }];
}

function convertChoices(
  form: FormDescription,
  unit: ControlGroup,
  value: JsonValue,
  options: ConvertOptions,
): Conversion {
  const texts = Array.isArray(value) ? (value as readonly JsonValue[]).map(toText) : [undefined];
  if (texts.includes(undefined)) return error('wrong-type');
  const chosen = new Set(texts);
  if (chosen.size < texts.length) return error('duplicate-value', 'must not contain duplicates');
  const choices = choicesOf(form, unit);
  const offered = new Set<string | undefined>(choices.map((each) => each.value));
  const unknown = texts.filter((text) => !offered.has(text));
  if (unknown.length > 0 && acceptsUnlisted(form, unit, options)) return assignUnlisted(unit, texts as string[]);
  if (unknown.length > 0) return notOffered(choices, unknown as string[]);
  if (unit.kind === 'checkboxes') return assignChecked(choices, chosen);
  const selected = choices.filter((each) => chosen.has(each.value)).flatMap(({ positions }) => positions);
  return [
    assignOptions(
      unit,
      selected.sort((a, b) => a - b),
    ),
  ];
}

const acceptsUnlisted = (
  form: FormDescription,
  { controls: [index = 0] }: ControlGroup,
  options: ConvertOptions,
): boolean => options.acceptUnlisted === true && isOpenSelect(form.controls[index]);

/** Assigns values that have no option. The entry list contains them like the values of a custom element. */
const assignUnlisted = ({ controls: [control = 0] }: ControlGroup, value: JsonValue): readonly ControlAssignment[] => [
  { control, set: 'custom', value },
];

const assignOptions = (unit: ControlGroup, options: readonly number[]): ControlAssignment => ({
  control: unit.controls[0] as number,
  set: 'selected',
  options,
});

const assignChecked = (
  choices: readonly Choice[],
  chosen: ReadonlySet<string | undefined>,
): readonly ControlAssignment[] =>
  choices.flatMap(({ positions, value }) =>
    positions.map((control) => ({ control, set: 'checked' as const, checked: chosen.has(value) })),
  );

function notOffered(choices: readonly Choice[], unknown: readonly string[]): ConversionError {
  const offered = choices.map(({ value }) => value);
  const hint = offered.some(Boolean) ? `Use one of ${previewList(offered)}` : 'The page offers no value yet';
  return error('not-offered', `does not offer ${previewList(unknown)}. ${hint}`);
}

function convertCustom(control: ControlDescription, index: number, value: JsonValue): Conversion {
  const code = customError(control, value);
  return code === undefined ? [{ control: index, set: 'custom', value }] : error(code);
}

/** Checks the `type` and the `enum` of a custom element's own schema, and no other keywords. */
function customError(control: ControlDescription, value: JsonValue): ExecuteErrorCode | undefined {
  const { type, enum: offered } = customSchema(control) ?? {};
  if (type !== undefined && ![type].flat().some((each) => isOfType(value, each))) return 'wrong-type';
  const text = stringify(value);
  return offered?.every((each) => stringify(each) !== text) ? 'not-offered' : undefined;
}

/** Whether a unit accepts null. Only custom elements do, unless their schemas exclude null. */
export const acceptsNull = (form: FormDescription, { kind, controls: [index = 0] }: ControlGroup): boolean =>
  kind === 'custom' && customError(form.controls[index] as ControlDescription, null) === undefined;

function isOfType(value: JsonValue, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (value === null) return type === 'null';
  return type === (Array.isArray(value) ? 'array' : typeof value);
}

function convertFiles(control: ControlDescription, index: number, value: JsonValue): Conversion {
  const isList = control.attributes.multiple !== undefined;
  const files = (isList ? toList(value) : [value]).map(toFile);
  if (files.includes(undefined)) return error('wrong-type');
  return [{ control: index, set: 'files', files: files as readonly FileValue[] }];
}

function toFile(value: JsonValue): FileValue | undefined {
  const { name, mediaType: type, content } = Object(value) as Record<string, unknown>;
  const mediaType = type ?? ''; // OpenAI's strict mode sends null
  if (typeof name !== 'string' || name === '' || typeof mediaType !== 'string') return undefined;
  if (typeof content !== 'string' || !isBase64(content)) return undefined;
  return { name, mediaType, content };
}

/**
 * Whether a string is base64. Searches for an invalid character, because matching a long string can overflow the stack.
 * https://www.rfc-editor.org/rfc/rfc4648#section-4
 */
const isBase64 = (text: string): boolean => text.length % 4 === 0 && !/[^a-zA-Z0-9+/=]|=(?!=?$)/.test(text);
