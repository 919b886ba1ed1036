import { Validator } from '@cfworker/json-schema';
import type { ControlDescription } from '../../compiler/description.js';
import type { ConstraintCode } from '../../compiler/input/parameter-error.js';
import { customSchema } from '../../compiler/parameters/custom-schema.js';
import { preview } from '../../compiler/preview.js';
import type { JsonValue } from '../../json-schema.js';
import { canonicalJson, isRecord, type JsonRecord } from '../../json.js';
import { searchPattern, type WorkBudget } from './pattern.js';

/**
 * Validates the value of a custom element against its declared schema. Keywords whose validation can take unbounded time
 * are ignored, except `pattern` and `uniqueItems` of the value itself.
 *
 * @throws {WorkExceededError} if the work exceeds the budget of the call
 */
export function checkCustomValue(
  control: ControlDescription,
  value: JsonValue,
  budget: WorkBudget,
): readonly [code: ConstraintCode, problem?: string] | undefined {
  const schema = customSchema(control) as JsonRecord | undefined;
  if (!schema) return undefined;
  const checkable = bounded(schema);
  budget.spend(sizeOf(checkable) * sizeOf(value));
  const { pattern } = schema;
  if (
    typeof value === 'string' &&
    typeof pattern === 'string' &&
    searchPattern(pattern, value, budget) === 'mismatch'
  ) {
    return ['pattern-mismatch'];
  }
  if (Array.isArray(value) && schema.uniqueItems === true && hasDuplicates(value as readonly JsonValue[])) {
    return ['custom-error', 'must not contain duplicates'];
  }
  const { valid, errors } = new Validator(checkable, '2020-12').validate(value);
  const error = errors.findLast(({ keyword }) => !applicators.has(keyword)) ?? errors[0];
  if (valid || !error) return undefined;
  if (error.instanceLocation === '#') return [codes[error.keyword] ?? 'custom-error'];
  const place = error.instanceLocation.slice(1);
  return [
    'custom-error',
    `is invalid at ${preview(place)}: ${preview(error.error, 200).slice(1, -1).replace(/\.$/, '')}`,
  ];
}

/** The number of parts of a value. A long string counts as several parts. Each part is checked once per part of the schema. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / 100;
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const [name, each] of Object.entries(value)) size += name.length / 100 + sizeOf(each);
  return size;
}

const codes: Readonly<Record<string, ConstraintCode>> = {
  minimum: 'range-underflow',
  exclusiveMinimum: 'range-underflow',
  maximum: 'range-overflow',
  exclusiveMaximum: 'range-overflow',
  multipleOf: 'step-mismatch',
  minLength: 'too-short',
  maxLength: 'too-long',
};

/** Keywords whose errors only repeat the errors of their subschemas. */
const applicators: ReadonlySet<string> = new Set(['properties', 'items', 'prefixItems', 'allOf', 'anyOf', 'false']);

const hasDuplicates = (items: readonly JsonValue[]): boolean =>
  new Set(items.map((item) => canonicalJson(item))).size < items.length;

/** The checked keywords. The time of their validation is bounded by the sizes of the schema and the value. */
const checked: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties', 'required'],
]);

/** A schema with only the checked keywords. It accepts every value that the original schema accepts. */
function bounded(schema: JsonRecord): JsonRecord {
  const kept = Object.entries(schema).filter(([keyword]) => checked.has(keyword));
  const { properties, items, prefixItems, allOf, anyOf, additionalProperties, patternProperties } = schema;
  const isClosed = additionalProperties !== undefined && patternProperties === undefined;
  return {
    ...Object.fromEntries(kept),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, boundedOrTrue(each)])),
    }),
    ...(items !== undefined && { items: boundedOrTrue(items) }),
    ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map(boundedOrTrue) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(boundedOrTrue) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(boundedOrTrue) }),
    ...(isClosed && { additionalProperties: boundedOrTrue(additionalProperties) }),
  };
}

const boundedOrTrue = (schema: unknown): JsonRecord | boolean =>
  isRecord(schema) ? bounded(schema) : schema !== false;
