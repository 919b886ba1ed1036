import type { JsonSchema, JsonValue } from '../../../json-schema.js';
import { stringify } from '../../../json.js';
import type { ControlDescription, FormDescription, LabelText, Mutable } from '../../description.js';
import { temporalTypes } from '../../html/elements.js';
import type { TemporalType } from '../../html/microsyntaxes.js';
import { choicesOf, isOpenSelect, type Choice } from '../../parameters/choices.js';
import { customSchema } from '../../parameters/custom-schema.js';
import { defaultOf } from '../../parameters/defaults.js';
import { controlTexts, groupTexts, joinSentences, joinTexts } from '../../parameters/description-text.js';
import { controlsOf, type Parameter, type ControlGroup } from '../../parameters/parameters.js';
import type { ParameterSchema, SchemaWithHints } from '../synthesize.js';
import { numberSchema, temporalSchema, textSchema } from './value-schemas.js';
import { isOmissible, isRequired } from './required.js';

export function preciseSchema(form: FormDescription, { units }: Parameter): ParameterSchema {
  const schemas = units.map((unit) => unitSchema(form, unit));
  const { schema, hints } = schemas.length === 1 ? (schemas[0] as SchemaWithHints) : listSchema(schemas);
  const texts = units.flatMap((unit) => unitTexts(form, unit));
  const required = !units.every((unit) => isOmissible(form, unit));
  const value = units.length === 1 && !required ? defaultOf(form, units[0]) : undefined;
  const isLong = value !== undefined && stringify(value).length > maxDefaultLength;
  const description = joinSentences([...unique(texts.map(joinTexts)), ...hints, isLong ? defaultHint(value) : '']);
  const described: Mutable<JsonSchema> = { ...schema };
  if (value !== undefined && !isLong) described.default = value;
  if (description) described.description = description;
  return { schema: described, required, words: unique(texts.flat()) };
}

/** The maximum length of a default, in characters of JSON. For a longer default, the description states only its length. */
const maxDefaultLength = 202;

const defaultHint = (value: JsonValue): string =>
  `The page has a default of ${Array.isArray(value) ? `${value.length} values` : `${stringify(value).length - 2} characters`}.`;

/** A list with one value for each of several controls, in tree order. */
function listSchema(units: readonly SchemaWithHints[]): SchemaWithHints {
  const [first, ...others] = units.map(({ schema }) => schema) as [JsonSchema, ...JsonSchema[]];
  const text = stringify(first);
  const isUniform = others.every((other) => stringify(other) === text);
  const items: JsonSchema = isUniform ? { items: first } : { prefixItems: [first, ...others], items: false };
  return {
    schema: { type: 'array', ...items, minItems: units.length, maxItems: units.length },
    hints: [`One value for each of ${units.length} controls.`, ...unique(units.flatMap(({ hints }) => hints))],
  };
}

const unique = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)];

function unitTexts(form: FormDescription, unit: ControlGroup): readonly (readonly LabelText[])[] {
  const controls = controlsOf(form, unit);
  if (unit.kind === 'submitter') return [];
  if (unit.kind === 'radios' || unit.kind === 'checkboxes') return [groupTexts(form, controls)];
  return controls.map(controlTexts);
}

function unitSchema(form: FormDescription, unit: ControlGroup): SchemaWithHints {
  const [control] = controlsOf(form, unit) as [ControlDescription];
  const required = isRequired(form, unit);
  const choices = choicesOf(form, unit);
  switch (unit.kind) {
    case 'number':
      return numberSchema(control);
    case 'boolean':
      return plain({ type: 'boolean', ...(required && { const: true }) });
    case 'checkboxes':
      return plain({ ...listOf(choices), ...requiredMembers(form, unit) });
    case 'radios':
      return plain(oneOf(choices));
    case 'submitter':
      return { schema: oneOf(choices), hints: ['The button that submits the form.'] };
    case 'select-one':
      return isOpenSelect(control)
        ? open({ type: 'string', ...(required && choices.every(({ value }) => value) && { minLength: 1 }) }, choices)
        : plain(oneOf(choices));
    case 'select-multiple': {
      const least = required ? { minItems: 1 } : {};
      return isOpenSelect(control)
        ? open({ type: 'array', items: { type: 'string' }, uniqueItems: true, ...least }, choices)
        : plain({ ...listOf(choices), ...least });
    }
    case 'file':
      return fileSchema(control, required);
    case 'custom':
      return plain(customSchema(control) ?? {});
    default:
      return textualSchema(control, required);
  }
}

const plain = (schema: JsonSchema): SchemaWithHints => ({ schema, hints: [] });

/** The schema of a select whose options are added by scripts, such as by a search or after a change of another control. */
function open(schema: JsonSchema, choices: readonly Choice[]): SchemaWithHints {
  const known = choices
    .filter(({ value }) => value !== '')
    .map(({ value, title }) => (title && title !== value ? `${value} (${title})` : value));
  const state = known.length > 0 ? `adds further options to ${known.slice(0, 10).join(', ')}` : 'adds the options';
  return {
    schema,
    hints: [`A script or a search of the page ${state}. Use the value of an option, or in the page its exact text.`],
  };
}

function textualSchema(control: ControlDescription, required: boolean): SchemaWithHints {
  const { type } = control;
  if (temporalTypes.has(type)) return temporalSchema(type as TemporalType, control, required);
  if (type === 'hidden') return plain({ type: 'string' });
  return type === 'color'
    ? { schema: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' }, hints: ['A colour as #rrggbb.'] }
    : textSchema(control, required);
}

/**
 * The offered values, with titles and descriptions where they differ from the values. Omits `type` beside `anyOf`,
 * because Gemini rejects schemas with both.
 */
function oneOf(choices: readonly Choice[]): JsonSchema {
  if (choices.every(({ value, title, description }) => !description && (!title || title === value))) {
    return { type: 'string', enum: choices.map(({ value }) => value) };
  }
  return {
    anyOf: choices.map(({ value, title, description }) => ({
      const: value,
      ...(title && { title }),
      ...(description && { description }),
    })),
  };
}

const listOf = (choices: readonly Choice[]): JsonSchema => ({
  type: 'array',
  items: oneOf(choices),
  uniqueItems: true,
});

function requiredMembers(form: FormDescription, unit: ControlGroup): JsonSchema {
  const values = unique(
    controlsOf(form, unit)
      .filter(({ attributes }) => attributes.required !== undefined)
      .map(({ attributes }): JsonValue => attributes.value ?? 'on'),
  );
  const [contains, ...others] = values.map((value): JsonSchema => ({ contains: { const: value } }));
  return others.length > 0 ? { allOf: [contains as JsonSchema, ...others] } : (contains ?? {});
}

function fileSchema({ attributes: { accept, multiple } }: ControlDescription, required: boolean): SchemaWithHints {
  const accepted = (accept ?? '').split(',').flatMap((each) => each.trim() || []);
  const [only, ...others] = accepted;
  const isType = only !== undefined && others.length === 0 && /^[^/*]+\/[^/*]+$/.test(only);
  const file: JsonSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      mediaType: { type: 'string' },
      content: {
        type: 'string',
        pattern: '^[a-zA-Z0-9+\\/]*={0,2}$',
        contentEncoding: 'base64',
        ...(isType && { contentMediaType: only }),
      },
    },
    required: ['name', 'content'],
    additionalProperties: false,
  };
  const hints = ['The content of a file is base64.', accepted.length > 0 ? `Accepts ${accepted.join(', ')}.` : ''];
  if (multiple === undefined) return { schema: file, hints };
  return { schema: { type: 'array', items: file, ...(required && { minItems: 1 }) }, hints };
}
