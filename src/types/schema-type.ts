import { isRecord, type JsonRecord } from '../json.js';
import { member } from '../site/json-record.js';
import { choicesOf, isOfType } from '../site/schema/values.js';
import { jsdoc, schemaWords } from './jsdoc.js';

/** More values than this are no union that a compiler, or a reader, can work with. */
const mostValues = 2000;
const deepest = 50;

/** How deep a type is in another one, and what its lines begin with. */
export interface Depth {
  readonly levels: number;
  readonly indent: string;
}

const inner = ({ levels, indent }: Depth): Depth => ({ levels: levels + 1, indent: `${indent}  ` });

/** The TypeScript type of the values that a schema takes, or of some more. */
export function typeOf(schema: unknown, depth: Depth): string {
  if (schema === false) return 'never';
  if (!isRecord(schema) || depth.levels > deepest) return 'unknown';
  const choices = [...(choicesOf(schema)?.values() ?? [])].map(({ value }) => value);
  const { type } = schema;
  if (choices.length > 0 && choices.length <= mostValues)
    return union(
      choices.filter((value) => type === undefined || isOfType(value, type)).map((value) => literal(value, depth)),
    );
  const types = (Array.isArray(type) ? (type as readonly unknown[]) : type === undefined ? [] : [type]).map((each) =>
    typeOfName(each, schema, depth),
  );
  if (types.length > 0) return union(types);
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray) as readonly unknown[] | undefined;
  // A schema without a type takes whatever its keywords do not speak of: `properties` let texts pass.
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

function arrayType(schema: JsonRecord, depth: Depth): string {
  const { prefixItems, items, minItems } = schema;
  const rest = typeOf(items ?? true, inner(depth));
  if (!Array.isArray(prefixItems) || prefixItems.length === 0) return listOf(rest);
  const least = typeof minItems === 'number' ? minItems : 0;
  const members = prefixItems.map((each, index) => {
    const type = typeOf(each, inner(depth));
    return index < least ? type : `(${type})?`;
  });
  return `readonly [${[...members, ...(rest === 'never' ? [] : [`...${listOf(rest)}`])].join(', ')}]`;
}

const listOf = (type: string): string => (/^\w+$/.test(type) ? `readonly ${type}[]` : `ReadonlyArray<${type}>`);

function objectType(schema: JsonRecord, depth: Depth): string {
  if (namesOf(schema).length > 0) return `{${membersOf(schema, depth)}}`;
  const others = otherNames(schema, inner(depth));
  return others === undefined ? '{}' : `{ readonly [name: string]: ${others} }`;
}

/** The names that an object has by its schema. */
function namesOf({ properties, required }: JsonRecord): readonly string[] {
  const named = isRecord(properties) ? Object.keys(properties) : [];
  const listed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return [...new Set([...named, ...listed])];
}

/** The members of an object, each on lines of its own; an empty text if there are none. */
export function membersOf(schema: JsonRecord, depth: Depth): string {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? (schema.required as readonly unknown[]) : []);
  const within = inner(depth);
  const lines = namesOf(schema).map((name) => {
    const each = member(properties, name) ?? true;
    const words = isRecord(each) ? [...schemaWords(each), manyValues(each)] : [];
    const mark = required.has(name) ? '' : '?';
    return `${jsdoc(words, within.indent)}${within.indent}readonly ${key(name)}${mark}: ${typeOf(each, within)};\n`;
  });
  const others = otherNames(schema, within);
  if (others !== undefined) lines.push(`${within.indent}readonly [name: string]: ${others};\n`);
  return lines.length === 0 ? '' : `\n${lines.join('')}${depth.indent}`;
}

/** The type of the members whose names a schema leaves open; undefined if it is closed. */
function otherNames(schema: JsonRecord, depth: Depth): string | undefined {
  const { additionalProperties = true, patternProperties } = schema;
  const hasPatterns = isRecord(patternProperties) && Object.keys(patternProperties).length > 0;
  if (additionalProperties === false && !hasPatterns) return undefined;
  // An index is of the named members too, and additionalProperties are not.
  return hasPatterns || namesOf(schema).length > 0 ? 'unknown' : typeOf(additionalProperties, depth);
}

function manyValues(schema: JsonRecord): string {
  const count = choicesOf(schema)?.size ?? 0;
  return count > mostValues ? `One of ${count} values, which are too many for a type.` : '';
}

/** A name as a property of a type. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** A text as a literal, in which nothing is invisible that matters. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) =>
    /[\p{L}\p{N}]/u.test(unit) ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function literal(value: unknown, depth: Depth): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'number';
  if (value === null || typeof value === 'boolean') return String(value);
  if (depth.levels > deepest) return 'unknown';
  if (Array.isArray(value)) return `readonly [${value.map((each) => literal(each, inner(depth))).join(', ')}]`;
  const members = Object.entries(Object(value) as JsonRecord);
  return `{ ${members.map(([name, each]) => `readonly ${key(name)}: ${literal(each, inner(depth))}; `).join('')}}`;
}
