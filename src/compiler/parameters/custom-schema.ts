import type { JsonSchema } from '../../json-schema.js';
import { isRecord, parseJson } from '../../json.js';
import type { ControlDescription } from '../description.js';

const known = new WeakMap<ControlDescription, JsonSchema | undefined>();

/** The schema that a custom element declares for its value; undefined if it is missing or invalid. */
export function customSchema(control: ControlDescription): JsonSchema | undefined {
  if (!known.has(control)) known.set(control, parseSchema(control.attributes.toolparamschema));
  return known.get(control);
}

function parseSchema(toolparamschema: string | undefined): JsonSchema | undefined {
  const schema = parseJson(toolparamschema ?? '');
  return isSchema(schema, 0) ? schema : undefined;
}

type Check = (value: unknown, depth: number) => boolean;

const maxDepth = 100;
const tupleDepth = 30;

/** Whether a value is a schema. Checks only the keywords that this package reads. */
const isSchema = (value: unknown, depth: number): value is JsonSchema =>
  isRecord(value) &&
  depth < maxDepth &&
  Object.entries(value).every(([keyword, member]) => shapes.get(keyword)?.(member, depth + 1) ?? true);

const list: Check = (value) => Array.isArray(value);
const text: Check = (value) => typeof value === 'string';
const schema: Check = (value, depth) => typeof value === 'boolean' || isSchema(value, depth);
const schemas: Check = (value, depth) => Array.isArray(value) && value.every((each) => schema(each, depth));
const namedSchemas: Check = (value, depth) => isRecord(value) && schemas(Object.values(value), depth);

/** https://json-schema.org/draft/2020-12/json-schema-core and json-schema-validation */
const shapes: ReadonlyMap<string, Check> = new Map([
  ['allOf', schemas],
  ['anyOf', schemas],
  // The description of a tuple contains the descriptions of nested tuples, so it grows with each level.
  ['prefixItems', (value, depth) => schemas(value, depth + tupleDepth)],
  ['items', schema],
  ['contains', schema],
  ['additionalProperties', schema],
  ['properties', namedSchemas],
  ['enum', list],
  ['examples', list],
  ['required', list],
  ['title', text],
  ['description', text],
]);
