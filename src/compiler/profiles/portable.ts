import type { JsonSchema, JsonValue } from '../../json-schema.js';
import type { Parameter } from '../parameters.js';
import { unique } from '../submitters.js';
import { sentences } from '../words.js';
import { precise } from './precise.js';
import type { Said } from './precise-schema.js';
import type { Profile } from './profile.js';

/**
 * The keywords that strict MCP clients and model APIs take; what they cannot say moves into the descriptions.
 */
export const portable: Profile = {
  sensitive: 'exclude',
  root: { additionalProperties: false },
  parameters: (form, sensitive) => rename(precise.parameters(form, sensitive)),
  schema(form, parameter) {
    const { schema, required, words } = precise.schema(form, parameter);
    const sent = parameter.sentAs === undefined ? [] : [`Sent as ${parameter.sentAs}.`];
    return { schema: describe(lower(schema), sent), required, words };
  },
};

/** MCP clients want property names of these characters; names that have them stay as they are. */
const portableName = /^(?!__proto__$)[a-zA-Z0-9_.-]{1,64}$/;

function rename(parameters: readonly Parameter[]): readonly Parameter[] {
  const taken = parameters.map(({ name }) => name).filter((name) => portableName.test(name));
  return parameters.map((parameter) => {
    if (portableName.test(parameter.name)) return parameter;
    const name = unique(slug(parameter.name), taken);
    taken.push(name);
    return { ...parameter, name, sentAs: parameter.name };
  });
}

/** `a[b]` becomes `a.b`, `été` becomes `ete`, anything else an underscore. */
const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\[([^[\]]*)\]/g, '.$1')
    .replace(/[^a-zA-Z0-9_.-]+/g, '_')
    .replace(/^[_.]+|[_.]+$/g, '')
    .slice(0, 60) || 'parameter';

const describe = ({ schema, hints }: Said, more: readonly string[]): JsonSchema => {
  const { description = '', ...rest } = schema;
  const text = sentences([description, ...hints, ...more]);
  return text ? { ...rest, description: text } : rest;
};

/** The keywords that mean the same in every dialect. */
const kept = [
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

function lower(schema: JsonSchema): Said {
  const said = [choices(schema), items(schema), properties(schema)];
  const own = Object.fromEntries(kept.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])));
  return {
    schema: Object.assign(own, ...said.map((each) => each.schema)) as JsonSchema,
    hints: [...said.flatMap(({ hints }) => hints), ...lost(schema)],
  };
}

function choices({ const: only, anyOf = [] }: JsonSchema): Said {
  if (only !== undefined) return { schema: { enum: [only] }, hints: [] };
  const offered = anyOf.filter((choice) => choice.const !== undefined);
  if (offered.length === 0) return { schema: {}, hints: [] };
  const titled = offered.flatMap(({ const: value, title, description }) => {
    const text = [title === value ? '' : title, description].filter(Boolean).join(' - ');
    return text ? `${inWords(value)} (${text})` : [];
  });
  return {
    schema: { enum: offered.flatMap(({ const: value }) => (value === undefined ? [] : value)) },
    hints: titled.length > 0 ? [`${titled.join(', ')}.`] : [],
  };
}

function items({ items: each, prefixItems = [] }: JsonSchema): Said {
  if (each) {
    const { schema, hints } = lower(each);
    return { schema: { items: schema }, hints };
  }
  if (prefixItems.length === 0) return { schema: {}, hints: [] };
  const lowered = prefixItems.map(lower);
  const types = new Set(lowered.map(({ schema }) => schema.type));
  const [type] = types;
  return {
    schema: { items: types.size === 1 && type !== undefined ? { type } : {} },
    hints: lowered.map(({ schema, hints }, index) => sentences([`${index + 1}: ${JSON.stringify(schema)}`, ...hints])),
  };
}

function properties({ properties: members }: JsonSchema): Said {
  if (!members) return { schema: {}, hints: [] };
  const lowered = Object.entries(members).map(([name, member]) => [name, describe(lower(member), [])]);
  return { schema: { properties: Object.fromEntries(lowered) as Record<string, JsonSchema> }, hints: [] };
}

/** What the kept keywords do not say, in words. */
function lost({ multipleOf, uniqueItems, contains, allOf = [], examples = [] }: JsonSchema): readonly string[] {
  const needed = [contains, ...allOf.map((each) => each.contains)].flatMap((each) => each?.const ?? []);
  return [
    multipleOf === undefined ? '' : `A multiple of ${multipleOf}.`,
    uniqueItems ? 'No value twice.' : '',
    needed.length > 0 ? `With ${needed.map(inWords).join(', ')}.` : '',
    examples.length > 0 ? `For example ${examples.slice(0, 10).map(inWords).join(', ')}.` : '',
  ].filter(Boolean);
}

const inWords = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value || '""' : JSON.stringify(value);
