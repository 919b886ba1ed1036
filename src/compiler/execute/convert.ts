import type { JsonValue } from '../../json-schema.js';
import { stringify } from '../../json.js';
import { choicesOf, type Choice } from '../parameters/choices.js';
import { customSchema } from '../parameters/custom-schema.js';
import type { ControlDescription, FormDescription } from '../description.js';
import type { ExecuteErrorCode, FileValue, ControlAssignment } from './execute-steps.js';
import { parseNumber, serializeNumber } from '../html/microsyntaxes.js';
import { isInRange, numberRange } from '../parameters/numbers.js';
import type { Unit } from '../parameters/parameters.js';
import { preview, previewList } from '../preview.js';
import { sanitizeText } from '../html/sanitize.js';

/** What is wrong with a value. */
export interface ConversionError {
  readonly code: ExecuteErrorCode;
  /** Follows the parameter's name in a sentence. */
  readonly reason: string;
}

const refuse = (code: ExecuteErrorCode, reason: string): ConversionError => ({ code, reason });

/** What to set on the controls of a unit so that they hold a value, or why they cannot. */
export function convert(form: FormDescription, unit: Unit, value: JsonValue): readonly ControlAssignment[] | ConversionError {
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
      return convertChoice(form, unit, value);
    case 'checkboxes':
    case 'select-multiple':
      return convertChoices(form, unit, value);
    case 'file':
      return convertFiles(control, index, value);
    case 'custom':
      return convertCustom(control, index, value);
    default:
      return convertText(control, index, value);
  }
}

/** A string, or what stands for one: agents send numbers and booleans where the page has text. */
function toText(value: JsonValue): string | undefined {
  if (typeof value === 'number') return serializeNumber(value);
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}

function convertText(control: ControlDescription, index: number, value: JsonValue): readonly ControlAssignment[] | ConversionError {
  const isList = control.type === 'email' && control.attributes.multiple !== undefined;
  const texts = (isList && Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map(toText);
  if (texts.includes(undefined)) return refuse('wrong-type', 'takes text');
  if (control.type === 'email' && texts.some((each) => isTooLong(each as string))) {
    return refuse('wrong-type', 'takes e-mail addresses, and none is that long');
  }
  const text = texts.join(',');
  const kept = sanitizeText(control.type, text, isList);
  return isKept(control, text, kept)
    ? [{ control: index, set: 'value', value: kept }]
    : refuse('not-kept', unkept(kept));
}

/** Browsers take the square of its length to check an address. https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1 */
const isTooLong = (addresses: string): boolean => addresses.split(',').some(({ length }) => length > 1000);

/** Line ends, a color's case and the T of a local date and time can be written in several ways; all else is a change. */
function isKept({ type }: ControlDescription, text: string, kept: string): boolean {
  if (type === 'color') return kept === text.toLowerCase();
  return kept === text || type === 'textarea' || (type === 'datetime-local' && kept !== '');
}

const unkept = (kept: string): string => `takes no such value: the page would make ${preview(kept)} of it`;

function convertNumber(control: ControlDescription, index: number, value: JsonValue): readonly ControlAssignment[] | ConversionError {
  const number = typeof value === 'string' ? parseNumber(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return refuse('wrong-type', 'takes a number');
  if (control.type === 'range' && !isInRange(number, numberRange(control))) {
    return refuse('not-kept', 'takes no number outside of its limits or off its steps: the page would change it');
  }
  return [{ control: index, set: 'value', value: typeof value === 'string' ? value : serializeNumber(number) }];
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function convertBoolean(index: number, value: JsonValue): readonly ControlAssignment[] | ConversionError {
  const checked = Number.isInteger(value) ? value !== 0 : truths.get(toText(value)?.toLowerCase() ?? '');
  if (checked === undefined) return refuse('wrong-type', 'takes true or false');
  return [{ control: index, set: 'checked', checked }];
}

function convertChoice(form: FormDescription, unit: Unit, value: JsonValue): readonly ControlAssignment[] | ConversionError {
  const text = toText(value);
  if (text === undefined) return refuse('wrong-type', 'takes one of its values as text');
  const choices = choicesOf(form, unit);
  const choice = choices.find((each) => each.value === text);
  if (!choice) return notOffered(choices, [text]);
  const [position] = choice.positions as [number];
  if (unit.kind === 'select-one')
    return [{ control: unit.controls[0] as number, set: 'selected', options: [position] }];
  if (unit.kind === 'submitter') return [{ control: position, set: 'submitter' }];
  return [{ control: position, set: 'checked', checked: true }];
}

function convertChoices(form: FormDescription, unit: Unit, value: JsonValue): readonly ControlAssignment[] | ConversionError {
  const texts = Array.isArray(value) ? (value as readonly JsonValue[]).map(toText) : [undefined];
  if (texts.includes(undefined)) return refuse('wrong-type', 'takes a list of its values as text');
  if (new Set(texts).size < texts.length) return refuse('duplicate-value', 'takes each value once');
  const choices = choicesOf(form, unit);
  const offered = new Set<string | undefined>(choices.map((each) => each.value));
  const unknown = texts.filter((text) => !offered.has(text));
  if (unknown.length > 0) return notOffered(choices, unknown as string[]);
  const chosen = new Set(texts);
  const isChosen = (choice: Choice): boolean => chosen.has(choice.value);
  return unit.kind === 'select-multiple' ? selection(unit, choices.filter(isChosen)) : boxes(choices, isChosen);
}

const selection = (unit: Unit, chosen: readonly Choice[]): readonly ControlAssignment[] => [
  {
    control: unit.controls[0] as number,
    set: 'selected',
    options: chosen.flatMap(({ positions }) => positions).sort((a, b) => a - b),
  },
];

const boxes = (choices: readonly Choice[], isChosen: (choice: Choice) => boolean): readonly ControlAssignment[] =>
  choices.flatMap((choice) =>
    choice.positions.map((control) => ({ control, set: 'checked' as const, checked: isChosen(choice) })),
  );

function notOffered(choices: readonly Choice[], unknown: readonly string[]): ConversionError {
  const offered = choices.map(({ value }) => value);
  const list = offered.length > 0 ? `it offers ${previewList(offered)}` : 'it offers nothing yet';
  return refuse('not-offered', `does not offer ${previewList(unknown)}: ${list}`);
}

/** A custom element's own schema is checked as far as its `type` and its `enum`. */
function convertCustom(control: ControlDescription, index: number, value: JsonValue): readonly ControlAssignment[] | ConversionError {
  const { type, enum: offered } = customSchema(control) ?? {};
  if (type !== undefined && ![type].flat().some((each) => isOfType(value, each))) {
    return refuse('wrong-type', `takes a value of type ${[type].flat().join(' or ')}`);
  }
  if (offered && !offered.some((each) => stringify(each) === stringify(value))) {
    return refuse('not-offered', `does not offer ${preview(value)}`);
  }
  return [{ control: index, set: 'custom', value }];
}

function isOfType(value: JsonValue, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null' || type === 'array') return type === (value === null ? 'null' : Array.isArray(value) && 'array');
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function convertFiles(control: ControlDescription, index: number, value: JsonValue): readonly ControlAssignment[] | ConversionError {
  const isList = control.attributes.multiple !== undefined && Array.isArray(value);
  const files = (isList ? (value as readonly JsonValue[]) : [value]).map(toFile);
  const known = files.filter((file) => file !== undefined);
  if (known.length < files.length) return refuse('wrong-type', 'takes {name, mediaType, content} with base64 content');
  return [{ control: index, set: 'files', files: known }];
}

function toFile(value: JsonValue): FileValue | undefined {
  const { name, mediaType = '', content } = Object(value) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '' || typeof mediaType !== 'string') return undefined;
  if (typeof content !== 'string' || !isBase64(content)) return undefined;
  return { name, mediaType, content };
}

/** https://www.rfc-editor.org/rfc/rfc4648#section-4 */
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[a-zA-Z0-9+/]*={0,2}$/.test(text);
