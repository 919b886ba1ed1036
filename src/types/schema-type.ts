import type { JsonValue } from '../compiler/index.js';
import { preview } from '../compiler/preview.js';
import { isRecord, ownMember, type JsonRecord } from '../json.js';
import { oneLine } from '../site/printable.js';
import { choicesOf, isOfType } from '../site/schema.js';

/** The maximum number of values of an enum. Larger enums are emitted as their base type. */
const maxValues = 2000;
const maxLevels = 50;

/** The nesting level of a type, and the indentation of its lines. */
interface Depth {
  readonly levels: number;
  readonly indent: string;
}

const inner = ({ levels, indent }: Depth): Depth => ({ levels: levels + 1, indent: `${indent}  ` });

/** A TypeScript type that allows at least the values of a schema. */
export function typeOf(schema: unknown, depth: Depth): string {
  if (schema === false) return 'never';
  if (!isRecord(schema) || depth.levels > maxLevels) return 'unknown';
  const { type } = schema;
  const choices = [...(choicesOf(schema)?.values() ?? [])].map(({ value }) => value);
  if (choices.length > 0 && choices.length <= maxValues)
    return union(
      choices.filter((value) => type === undefined || isOfType(value, type)).map((value) => literal(value, depth)),
    );
  const names = new Set<unknown>(type === undefined ? [] : [type].flat());
  if (names.size > 0) return union(Array.from(names, (name) => typeOfName(name, schema, depth)));
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray) as readonly unknown[] | undefined;
  // Keywords of a type ignore values of other types: without `type`, `properties` accepts strings.
  return branches ? union(branches.map((each) => typeOf(each, inner(depth)))) : 'unknown';
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes('unknown')) return 'unknown';
  return distinct.length === 0 ? 'never' : distinct.join(' | ');
}

function typeOfName(name: unknown, schema: JsonRecord, depth: Depth): string {
  switch (name) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return name;
    case 'integer':
      return 'number';
    case 'array':
      return arrayType(schema, depth);
    case 'object':
      return objectType(schema, depth);
    default:
      return 'unknown';
  }
}

function arrayType({ prefixItems, items, minItems }: JsonRecord, depth: Depth): string {
  const rest = typeOf(items ?? true, inner(depth));
  if (!Array.isArray(prefixItems) || prefixItems.length === 0) return listType(rest);
  const requiredCount = typeof minItems === 'number' ? minItems : 0;
  const members = prefixItems.map((each, index) => {
    const type = typeOf(each, inner(depth));
    return index < requiredCount ? type : `(${type})?`;
  });
  return `readonly [${[...members, ...(rest === 'never' ? [] : [`...${listType(rest)}`])].join(', ')}]`;
}

const listType = (type: string): string => (/^\w+$/.test(type) ? `readonly ${type}[]` : `ReadonlyArray<${type}>`);

function objectType(schema: JsonRecord, depth: Depth): string {
  if (namesOf(schema).length > 0) return `{${membersOf(schema, depth)}}`;
  const others = typeOfOthers(schema, inner(depth));
  return others === undefined ? '{}' : `{ readonly [name: string]: ${others} }`;
}

function namesOf({ properties, required }: JsonRecord): readonly string[] {
  const named = isRecord(properties) ? Object.keys(properties) : [];
  const listed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return [...new Set([...named, ...listed])];
}

/** The members of an object, each on separate lines; empty for an object without members. */
export function membersOf(schema: JsonRecord, depth: Depth): string {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? (schema.required as readonly unknown[]) : []);
  const within = inner(depth);
  const lines = namesOf(schema).map((name) => {
    const each = ownMember(properties, name) ?? true;
    const texts = isRecord(each) ? [...schemaTexts(each), valueCountText(each)] : [];
    const mark = required.has(name) ? '' : '?';
    return `${jsdoc(texts, within.indent)}${within.indent}readonly ${key(name)}${mark}: ${typeOf(each, within)};\n`;
  });
  const others = typeOfOthers(schema, within);
  if (others !== undefined) lines.push(`${within.indent}readonly [name: string]: ${others};\n`);
  return lines.length === 0 ? '' : `\n${lines.join('')}${depth.indent}`;
}

/** The type of unnamed members; undefined if the schema forbids them. */
function typeOfOthers(schema: JsonRecord, depth: Depth): string | undefined {
  const { additionalProperties = true, patternProperties } = schema;
  const hasPatterns = isRecord(patternProperties) && Object.keys(patternProperties).length > 0;
  if (additionalProperties === false && !hasPatterns) return undefined;
  // Unlike additionalProperties, an index signature also applies to named members.
  return hasPatterns || namesOf(schema).length > 0 ? 'unknown' : typeOf(additionalProperties, depth);
}

function valueCountText(schema: JsonRecord): string {
  const count = choicesOf(schema)?.size ?? 0;
  return count > maxValues ? `One of ${count} values, which are too many for a type.` : '';
}

export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

/** A string literal without invisible characters. */
const quote = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) =>
    /[\p{L}\p{N}]/u.test(unit) ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function literal(value: unknown, depth: Depth): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'number';
  if (value === null || typeof value === 'boolean') return String(value);
  if (depth.levels > maxLevels) return 'unknown';
  if (Array.isArray(value)) return `readonly [${value.map((each) => literal(each, inner(depth))).join(', ')}]`;
  const members = Object.entries(Object(value) as JsonRecord);
  return `{ ${members.map(([name, each]) => `readonly ${key(name)}: ${literal(each, inner(depth))}; `).join('')}}`;
}

/** Creates a comment from strings of pages. Escapes them, so that they neither end the comment nor begin a JSDoc tag. */
export function jsdoc(texts: readonly string[], indent = ''): string {
  const lines = texts.map(escapeComment).filter(Boolean);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines.join('')} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join(`${indent} *\n`)}${indent} */\n`;
}

/** Invisible characters. Some of them reorder text, so that a comment could look like code. */
const invisible = /[\p{Cf}\p{Cs}]+/gu;

export const escapeComment = (text: string): string =>
  oneLine(text)
    .replace(invisible, ' ')
    .replaceAll('*/', '*\\/')
    .replace(/(^|[\s{*])@/g, '$1\\@');

const limitKeywords = ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'format'];

/** The descriptions in a parameter's schema, with the keywords that a type cannot express. */
function schemaTexts(schema: JsonRecord): readonly string[] {
  const limits = limitKeywords.flatMap((keyword) => {
    const value = ownMember(schema, keyword);
    return typeof value === 'number' || typeof value === 'string' ? `${keyword}: ${show(value)}` : [];
  });
  const defaultValue = ownMember(schema, 'default');
  return [
    textOf(ownMember(schema, 'title')),
    textOf(ownMember(schema, 'description')),
    limits.length > 0 ? `${limits.join(', ')}.` : '',
    defaultValue === undefined ? '' : `Default: ${show(defaultValue)}.`,
  ];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const show = (value: unknown): string => preview(value as JsonValue, 200);
