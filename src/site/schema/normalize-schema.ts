import { canonicalJson, isRecord, type JsonRecord } from '../../json.js';

/** The keywords that do not affect validation. */
export const annotationKeywords = ['title', 'description', 'default', 'examples', '$comment', 'deprecated'] as const;

const isAnnotation = (keyword: string): boolean => (annotationKeywords as readonly string[]).includes(keyword);

type Normalize = (value: unknown) => unknown;

const normalizeList: Normalize = (value) => (Array.isArray(value) ? value.map(withoutAnnotations) : value);
const normalizeMembers: Normalize = (value) =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutAnnotations(each)]))
    : value;

/** The keywords that contain schemas. */
const subschemas: ReadonlyMap<string, Normalize> = new Map([
  ...['items', 'contains', 'not', 'additionalProperties', 'propertyNames', 'if', 'then', 'else'].map(
    (keyword) => [keyword, withoutAnnotations] as const,
  ),
  ...['anyOf', 'allOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, normalizeList] as const),
  ...['properties', 'patternProperties', '$defs', 'dependentSchemas'].map(
    (keyword) => [keyword, normalizeMembers] as const,
  ),
]);

function withoutAnnotations(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, subschemas.get(keyword)?.(value) ?? value]));
}

/** Schemas that differ only in annotations and the order of members have the same text. */
export const normalizedText = (schema: unknown): string => canonicalJson(withoutAnnotations(schema));

/** Whether parts of a schema refer to each other, so that they cannot be compared separately. */
export function hasReferences(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasReferences);
  if (!isRecord(schema)) return false;
  return Object.entries(schema).some(([keyword, value]) => isReference(keyword, schema) || hasReferences(value));
}

const references = /^(?:\$(?:ref|dynamicRef|recursiveRef|id|anchor|dynamicAnchor)|id|unevaluated(?:Items|Properties))$/;

/** A property may have the name of such a keyword. Its value is then a schema. */
const isReference = (keyword: string, schema: JsonRecord): boolean =>
  references.test(keyword) && (keyword.startsWith('unevaluated') || typeof schema[keyword] === 'string');
