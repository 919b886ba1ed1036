import { canonical, isRecord, type JsonRecord } from '../../json.js';

/** The keywords that only say something to whoever reads the schema. */
export const wordKeywords = ['title', 'description', 'default', 'examples', '$comment', 'deprecated'] as const;

const isWords = (keyword: string): boolean => (wordKeywords as readonly string[]).includes(keyword);

type Shape = (value: unknown) => unknown;

const list: Shape = (value) => (Array.isArray(value) ? value.map(withoutWords) : value);
const named: Shape = (value) =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutWords(each)])) : value;

const shapes: ReadonlyMap<string, Shape> = new Map([
  ...['items', 'contains', 'not', 'additionalProperties', 'propertyNames', 'if', 'then', 'else'].map(
    (keyword) => [keyword, withoutWords] as const,
  ),
  ...['anyOf', 'allOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, list] as const),
  ...['properties', 'patternProperties', '$defs', 'dependentSchemas'].map((keyword) => [keyword, named] as const),
]);

function withoutWords(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !isWords(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, shapes.get(keyword)?.(value) ?? value]));
}

/** A text that schemas share which differ in nothing but words and the order of members. */
export const meaning = (schema: unknown): string => canonical(withoutWords(schema));

/** Whether a part of a schema can mean something else because another part changed. */
export function isEntangled(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(isEntangled);
  if (!isRecord(schema)) return false;
  return Object.entries(schema).some(([keyword, value]) => isLink(keyword, schema) || isEntangled(value));
}

const links = /^(?:\$(?:ref|dynamicRef|recursiveRef|id|anchor|dynamicAnchor)|id|unevaluated(?:Items|Properties))$/;

/** A property may have such a name, and is a schema then. */
const isLink = (keyword: string, schema: JsonRecord): boolean =>
  links.test(keyword) && (keyword.startsWith('unevaluated') || typeof schema[keyword] === 'string');
