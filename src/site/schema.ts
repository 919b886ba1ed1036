import { canonicalJson, isRecord, type JsonRecord } from '../json.js';

/** The keywords that do not affect validation. */
export const annotationKeywords = ['title', 'description', 'default', 'examples', '$comment', 'deprecated'] as const;

const isAnnotation = (keyword: string): boolean => (annotationKeywords as readonly string[]).includes(keyword);

type Normalize = (value: unknown) => unknown;

const normalizeList: Normalize = (value) => (Array.isArray(value) ? value.map(withoutAnnotations) : value);
const normalizeMembers: Normalize = (value) =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutAnnotations(each)]))
    : value;

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

/** Whether a member is a reference. A property with the name of such a keyword has a schema as its value. */
const isReference = (keyword: string, schema: JsonRecord): boolean =>
  references.test(keyword) && (keyword.startsWith('unevaluated') || typeof schema[keyword] === 'string');

/** The allowed values of a schema, by their canonical JSON. */
export type Choices = ReadonlyMap<string, Choice>;

export interface Choice {
  readonly value: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
}

/** The keywords that `choicesOf` covers completely. */
export const choiceKeywords = ({ anyOf }: JsonRecord): readonly string[] =>
  anyOf === undefined || constants(anyOf) ? ['const', 'enum', 'anyOf'] : ['const', 'enum'];

/** The values that `const`, `enum` and an `anyOf` of constants allow; undefined without such keywords. */
export function choicesOf(schema: JsonRecord): Choices | undefined {
  const lists = [
    Object.hasOwn(schema, 'const') ? [{ value: schema.const }] : undefined,
    Array.isArray(schema.enum) ? schema.enum.map((value: unknown) => ({ value })) : undefined,
    constants(schema.anyOf),
  ].filter((each) => each !== undefined);
  const [first, ...others] = lists.map(byKey).sort((a, b) => countTitles(b) - countTitles(a));
  if (!first) return undefined;
  return new Map([...first].filter(([key]) => others.every((other) => other.has(key))));
}

const byKey = (choices: readonly Choice[]): Choices =>
  new Map(choices.map((choice) => [canonicalJson(choice.value), choice]));

const countTitles = (choices: Choices): number =>
  [...choices.values()].filter(({ title }) => title !== undefined).length;

function constants(branches: unknown): readonly Choice[] | undefined {
  if (!Array.isArray(branches) || branches.length === 0 || !branches.every(isConstant)) return undefined;
  return branches.map(({ const: value, title, description }) => ({ value, title, description }));
}

const constantKeywords = new Set(['const', 'type', ...annotationKeywords]);

const isConstant = (branch: unknown): branch is JsonRecord =>
  isRecord(branch) &&
  Object.hasOwn(branch, 'const') &&
  Object.keys(branch).every((keyword) => constantKeywords.has(keyword)) &&
  (branch.type === undefined || isOfType(branch.const, branch.type));

export function isOfType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((each) => isOfType(value, each));
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  return type === 'object' ? isRecord(value) : typeof value === type;
}

interface Work {
  left: number;
}

/**
 * Whether a schema certainly accepts a value. Patterns of authors are not executed. Returns false when no work is left.
 */
export function surelyAccepts(schema: unknown, value: unknown, work: Work): boolean {
  if (!isRecord(schema)) return schema === true;
  return Object.entries(schema).every(([keyword, argument]) => {
    if (work.left-- <= 0) return false;
    return checks.get(keyword)?.(argument, value, work) ?? false;
  });
}

type Check = (argument: unknown, value: unknown, work: Work) => boolean;

/** Creates the check of a limit, which accepts values of other types. */
const limitCheck =
  <Value>(type: string, check: (limit: number, value: Value) => boolean): Check =>
  (limit, value) =>
    typeof limit === 'number' && (!isOfType(value, type) || check(limit, value as Value));

const countCodePoints = (text: string): number => [...text].length;

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b));

/** The pattern that the compiler adds to single-line strings. */
const singleLinePattern = '^[^\\n\\r]*$';

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...annotationKeywords.map((keyword) => [keyword, () => true] as const),
  ['type', (type, value) => isOfType(value, type)],
  ['const', isEqual],
  [
    'enum',
    (values, value, work) => Array.isArray(values) && values.some((each) => work.left-- > 0 && isEqual(each, value)),
  ],
  [
    'anyOf',
    (branches, value, work) => Array.isArray(branches) && branches.some((each) => surelyAccepts(each, value, work)),
  ],
  ['minimum', limitCheck<number>('number', (limit, value) => value >= limit)],
  ['maximum', limitCheck<number>('number', (limit, value) => value <= limit)],
  ['multipleOf', limitCheck<number>('number', (step, value) => Number.isInteger(value / step))],
  ['minLength', limitCheck<string>('string', (limit, value) => countCodePoints(value) >= limit)],
  ['maxLength', limitCheck<string>('string', (limit, value) => countCodePoints(value) <= limit)],
  [
    'pattern',
    (pattern, value) => pattern === singleLinePattern && (typeof value !== 'string' || !/[\n\r]/.test(value)),
  ],
]);
