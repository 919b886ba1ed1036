import type { JsonSchema, JsonValue } from '../../json-schema.js';
import { stringify } from '../../json.js';
import { stripEnds } from '../html/text.js';
import { joinSentences } from '../parameters/description-text.js';
import type { Parameter } from '../parameters/parameters.js';
import { preview } from '../preview.js';
import { precise } from './precise/precise.js';
import { limitHints } from '../parameters/limits.js';
import type { Profile, SchemaWithHints } from './synthesize.js';

/** Uses only the keywords that strict MCP clients and model APIs accept. Descriptions express the other keywords in words. */
export const portable: Profile = {
  ...precise,
  parameters: (form, sensitive) => rename(precise.parameters(form, sensitive)),
  schema(form, parameter) {
    const { schema, required, words } = precise.schema(form, parameter);
    const sentAs = parameter.sentAs === undefined ? [] : [`Sent as ${preview(parameter.sentAs)}.`];
    return { schema: withDescription(lower(schema), [...limitHints(form, parameter), ...sentAs]), required, words };
  },
};

/** Matches the property names that MCP clients accept. All other names are replaced, such as `__proto__`. */
export const portableName = /^(?!(?:__proto__|constructor)$)[a-zA-Z0-9_.-]{1,64}$/;

function rename(parameters: readonly Parameter[]): readonly Parameter[] {
  const taken = new Set(parameters.map(({ name }) => name).filter((name) => portableName.test(name)));
  const last = new Map<string, number>();
  return parameters.map((parameter) => {
    if (portableName.test(parameter.name)) return parameter;
    const name = numbered(slug(parameter.name), taken, last);
    taken.add(name);
    return { ...parameter, name, sentAs: parameter.name };
  });
}

/** Appends the lowest free number, from 2, to a name that is taken or not portable. Starts at the last number of that name. */
function numbered(name: string, taken: ReadonlySet<string>, last: Map<string, number>): string {
  let count = last.get(name) ?? 1;
  const candidate = (): string => (count === 1 ? name : `${name}_${count}`);
  while (taken.has(candidate()) || !portableName.test(candidate())) count++;
  last.set(name, count);
  return candidate();
}

/** Turns `a[b]` into `a.b`, `été` into `ete`, and other characters into underscores. */
function slug(name: string): string {
  const text = name
    .slice(0, 100)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\[([^[\]]*)\]/g, '.$1')
    .replace(/[^a-zA-Z0-9_.-]+/g, '_');
  return stripEnds(text, /[_.]/).slice(0, 58) || 'parameter';
}

const withDescription = ({ schema, hints }: SchemaWithHints, more: readonly string[]): JsonSchema => {
  const { description = '', ...rest } = schema;
  const text = joinSentences([description, ...hints, ...more]);
  return text ? { ...rest, description: text } : rest;
};

/** The keywords that are kept, besides the keywords of subschemas. */
export const portableKeywords = [
  'type',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'required',
  'additionalProperties',
  'default',
  'description',
] as const satisfies readonly (keyof JsonSchema)[];

/** Adds the type `string` to titled choices, whose `anyOf` has no type. */
function withType(schema: JsonSchema): JsonSchema {
  const isTitled = schema.anyOf?.every(({ const: value }) => typeof value === 'string');
  return isTitled ? { type: 'string', ...schema } : schema;
}

function lower(given: JsonSchema): SchemaWithHints {
  const schema = withType(given);
  const parts = [choices(schema), items(schema), properties(schema)];
  const own: Record<string, unknown> = {};
  for (const name of portableKeywords) if (schema[name] !== undefined) own[name] = schema[name];
  const lowered = Object.assign(own, ...parts.map((each) => each.schema)) as JsonSchema;
  return withStringEnum(lowered, [...parts.flatMap(({ hints }) => hints), ...droppedKeywordHints(schema)]);
}

/**
 * Replaces an enum with values other than strings by limits and a hint, because some clients reject it.
 * https://github.com/google-gemini/gemini-cli/issues/4127
 */
function withStringEnum(schema: JsonSchema, hints: readonly string[]): SchemaWithHints {
  const { enum: values = [], ...rest } = schema;
  if (values.every((value) => typeof value === 'string')) return { schema, hints };
  const [minimum, maximum] = [Math.min(...(values as number[])), Math.max(...(values as number[]))];
  const limits = typeof values[0] === 'number' && minimum <= maximum && { minimum, maximum };
  return { schema: { ...rest, ...limits }, hints: [`Allowed: ${values.map(inWords).join(', ')}.`, ...hints] };
}

function choices({ const: only, anyOf = [] }: JsonSchema): SchemaWithHints {
  if (only !== undefined) return { schema: { enum: [only] }, hints: [] };
  if (anyOf.length === 0 || anyOf.some((choice) => choice.const === undefined)) return { schema: {}, hints: [] };
  const titled = anyOf.flatMap(({ const: value, title, description }) => {
    const text = [title === value ? '' : title, description].filter(Boolean).join(' - ');
    return text ? `${inWords(value)} (${text})` : [];
  });
  return {
    schema: { enum: anyOf.flatMap(({ const: value }) => (value === undefined ? [] : value)) },
    hints: titled.length > 0 ? [`${titled.join(', ')}.`] : [],
  };
}

function items({ items: each, prefixItems = [] }: JsonSchema): SchemaWithHints {
  if (each) {
    const { schema, hints } = lower(each);
    return { schema: { items: schema }, hints };
  }
  if (prefixItems.length === 0) return { schema: {}, hints: [] };
  const lowered = prefixItems.map(lower);
  return {
    schema: { items: anyTypeOf(lowered.map(({ schema }) => schema)) },
    hints: lowered.map(({ schema, hints }, index) => joinSentences([`${index + 1}: ${stringify(schema)}`, ...hints])),
  };
}

/**
 * A schema for values of any of the schemas' types. Has a type where possible, because some clients reject schemas
 * without one.
 */
function anyTypeOf(schemas: readonly JsonSchema[]): JsonSchema {
  const types = [...new Set(schemas.map(({ type }) => type))];
  const anyOf = types.flatMap((type) => (type === undefined ? [] : { type }));
  if (anyOf.length < types.length) return {};
  return anyOf.length === 1 ? (anyOf[0] as JsonSchema) : { anyOf };
}

function properties({ properties: members }: JsonSchema): SchemaWithHints {
  if (!members) return { schema: {}, hints: [] };
  const lowered = Object.entries(members).map(([name, member]) => [name, withDescription(lower(member), [])]);
  return { schema: { properties: Object.fromEntries(lowered) as Record<string, JsonSchema> }, hints: [] };
}

/** Describes the dropped keywords in words. */
function droppedKeywordHints({
  multipleOf,
  not,
  uniqueItems,
  contains,
  allOf = [],
  examples = [],
}: JsonSchema): readonly string[] {
  const needed = [contains, ...allOf.map((each) => each.contains)].flatMap((each) => each?.const ?? []);
  return [
    multipleOf === undefined ? '' : `A multiple of ${multipleOf}.`,
    not?.multipleOf === undefined ? '' : `Not a multiple of ${not.multipleOf}.`,
    uniqueItems ? 'Unique values.' : '',
    needed.length > 0 ? `With ${needed.map(inWords).join(', ')}.` : '',
    examples.length > 0 ? `For example ${examples.slice(0, 10).map(inWords).join(', ')}.` : '',
  ].filter(Boolean);
}

const inWords = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value || '""' : stringify(value);
