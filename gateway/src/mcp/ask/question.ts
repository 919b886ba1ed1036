import type { ElicitRequestFormParams, ElicitRequestURLParams } from '@modelcontextprotocol/server';
import {
  displayUrl,
  type InputError,
  isRecord,
  type JsonRecord,
  type JsonSchema,
  type JsonValue,
  pageUrl,
  preview,
  previewList,
} from 'webmcp-forms/headless';
import type { Settings } from '../../settings.js';
import type { Action } from '../../webtools/actions.js';
import type { SecretField } from './secrets/secret-fields.js';

export type FormParams = ElicitRequestFormParams;

/** The maximum number of values to ask for in one question. */
const maxFields = 20;

/**
 * The question for the required values that are missing in the input. Undefined if no value or too many are missing, if
 * the input has invalid values, which the model can correct, or if clients cannot show a field for a value.
 */
export function valuesQuestion(
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  action: Action,
  errors: readonly InputError[],
  { input, given }: { readonly input: JsonRecord; readonly given: JsonRecord },
): FormParams | undefined {
  const names = [...new Set(errors.map(({ parameter }) => parameter))];
  const isAsked = (name: string): boolean => Object.hasOwn(given, name) || (input[name] ?? null) === null;
  const schemas = names.map((name) => [name, schemaOf(action, name)] as const);
  if (names.length === 0 || names.length > maxFields || !names.every(isAsked)) return undefined;
  const properties = schemas.filter((entry): entry is [string, PrimitiveSchema] => entry[1] !== undefined);
  if (properties.length < names.length) return undefined;
  const corrections = errors.filter(({ parameter }) => Object.hasOwn(given, parameter)).map(({ message }) => message);
  const message = [
    `${titleOf(action)} on ${placeOf(baseUrl, action)} needs values that only you know.`,
    ...corrections,
  ];
  return {
    mode: 'form',
    message: message.join('\n'),
    requestedSchema: { type: 'object', properties: Object.fromEntries(properties), required: names },
  };
}

function schemaOf({ requestSchema }: Action, name: string): PrimitiveSchema | undefined {
  const schema = propertiesOf(requestSchema).find(([each]) => each === name)?.[1];
  return schema && elicitationSchemaOf(schema);
}

export const sentLines = (action: Action, input: JsonRecord): readonly string[] =>
  propertiesOf(action.requestSchema).flatMap(([name, schema]) => {
    const value = (input[name] ?? schema.default ?? null) as JsonValue;
    return value === null ? [] : [`${preview(name)}: ${preview(value, maxValueLength)}`];
  });

/** Asks a person to confirm a submission. The message lists all values of the form. */
export function confirmQuestion({ baseUrl }: Pick<Settings, 'baseUrl'>, action: Action, input: JsonRecord): FormParams {
  const lines = sentLines(action, input);
  const heading = `${titleOf(action)} sends this to ${placeOf(baseUrl, action)}:`;
  return {
    mode: 'form',
    message: [heading, ...(lines.length > 0 ? lines : ['(no values)'])].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: { send: { type: 'boolean', title: 'Send', description: 'Whether to send the form.' } },
      required: ['send'],
    },
  };
}

const maxValueLength = 1000;

export type UrlParams = Omit<ElicitRequestURLParams, 'elicitationId'>;

/** Asks a person to open a page of the gateway, on which the person types secrets. */
export const secretsQuestion = (
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  action: Action,
  fields: readonly SecretField[],
  url: string,
): UrlParams => ({
  mode: 'url',
  url,
  message:
    `${titleOf(action)} on ${placeOf(baseUrl, action)} needs ${previewList(fields.map(({ label }) => label))}, which no assistant ` +
    'may see. Open this page of the gateway yourself, and type it there.',
});

const propertiesOf = ({ properties = {} }: JsonSchema): readonly (readonly [string, JsonSchema])[] =>
  Object.entries(properties);

export const titleOf = ({ title, name }: Action): string => preview(title ?? name);

export const placeOf = (baseUrl: URL, { page }: Pick<Action, 'page'>): string => displayUrl(pageUrl(baseUrl, page));

export function answeredValues(content: unknown, names: readonly string[]): JsonRecord {
  if (!isRecord(content)) return {};
  return Object.fromEntries(Object.entries(content).filter(([name]) => names.includes(name)));
}

type PrimitiveSchema = ElicitRequestFormParams['requestedSchema']['properties'][string];

const formats: readonly unknown[] = ['email', 'uri', 'date', 'date-time'];

/** The maximum number of options of a field. Clients show one option per line. */
const maxOptions = 200;

/**
 * Converts the schema of a parameter to one that a client can show to a person. Undefined unless the parameter is a
 * string, a number, a boolean, or a choice from at most `maxOptions` strings.
 * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
function elicitationSchemaOf(schema: JsonSchema): PrimitiveSchema | undefined {
  const { description } = schema;
  const converted = convert(schema, typeOf(schema));
  return converted && ({ ...converted, ...(description !== undefined && { description }) } as PrimitiveSchema);
}

function convert(schema: JsonSchema, type: string | undefined): object | undefined {
  switch (type) {
    case 'string':
      return schema.enum
        ? choiceOf(schema.enum)
        : { type, ...pick(schema, ['minLength', 'maxLength']), ...formatOf(schema) };
    case 'number':
    case 'integer':
      return { type, ...pick(schema, ['minimum', 'maximum']) };
    case 'boolean':
      return { type };
    case 'array':
      return choicesOf(schema);
    default:
      return undefined;
  }
}

/** Ignores the type null, which strict schemas add to optional parameters. */
function typeOf({ type }: JsonSchema): string | undefined {
  const types: readonly string[] = [type ?? []].flat();
  return types.filter((each) => each !== 'null')[0];
}

const formatOf = ({ format }: JsonSchema): object => (formats.includes(format) ? { format } : {});

function choiceOf(values: readonly unknown[]): object | undefined {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length > 0 && texts.length <= maxOptions ? { type: 'string', enum: texts } : undefined;
}

function choicesOf(schema: JsonSchema): object | undefined {
  const { items } = schema;
  const choice = typeof items === 'object' && items.enum ? choiceOf(items.enum) : undefined;
  return choice && { type: 'array', items: choice, ...pick(schema, ['minItems', 'maxItems']) };
}

const pick = (schema: JsonSchema, names: readonly (keyof JsonSchema)[]): object =>
  Object.fromEntries(names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])));
