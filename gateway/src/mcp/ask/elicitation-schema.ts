import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { JsonSchema } from 'webmcp-forms/headless';

export type PrimitiveSchema = ElicitRequestFormParams['requestedSchema']['properties'][string];

const formats: readonly unknown[] = ['email', 'uri', 'date', 'date-time'];

/** Clients show an option per line. */
const maxOptions = 200;

/**
 * Converts the schema of a parameter to one that a client can show to a person. Undefined if it has no such schema: only
 * texts, numbers, truth values and choices have one.
 * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export function elicitationSchemaOf(schema: JsonSchema): PrimitiveSchema | undefined {
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

/** Strict schemas have the type null for optional parameters. */
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
