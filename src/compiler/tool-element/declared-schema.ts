import type { JsonValue } from '../../json-schema.js';
import { isRecord, parseJson, stringify } from '../../json.js';
import { parseNumber } from '../html/microsyntaxes.js';
import { findJsonError, formatPosition } from '../json-error.js';

/** Access to elements in a live document or in source text. */
export interface ElementReader<Element> {
  readonly children: (element: Element) => readonly Element[];
  readonly localName: (element: Element) => string;
  readonly attribute: (element: Element, name: string) => string | null;
  readonly text: (element: Element) => string;
}

/** A mistake in the schema that a `<webmcp-tool>` declares. */
export interface DeclaredFinding {
  readonly code: 'invalid-param' | 'invalid-schema' | 'ignored-param';
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly parameter?: string;
}

type ReportFinding<Element> = (finding: DeclaredFinding, element: Element) => void;

type Schema = Record<string, JsonValue>;

interface Param {
  readonly attribute: (name: string) => string | null;
  readonly report: (severity: DeclaredFinding['severity'], message: string) => void;
}

/** Parses a value from text; `accepts` tests a value that is not a string. */
interface ValueType {
  readonly parse: (text: string) => JsonValue | undefined;
  readonly accepts: (value: JsonValue) => boolean;
}

const types: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ['string', { parse: (text) => text, accepts: () => false }],
  ['number', { parse: parseFloat, accepts: (value) => typeof value === 'number' }],
  ['integer', { parse: parseInteger, accepts: Number.isInteger }],
  ['boolean', { parse: parseBoolean, accepts: (value) => typeof value === 'boolean' }],
  ['array', { parse: parseList, accepts: () => true }],
]);

function parseFloat(text: string): number | undefined {
  return parseNumber(text.trim());
}

function parseInteger(text: string): number | undefined {
  const value = parseFloat(text);
  return Number.isInteger(value) ? value : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  const keyword = text.trim().toLowerCase();
  return keyword === 'true' || (keyword === 'false' ? false : undefined);
}

/** Parses a JSON array, or items separated by commas, or items separated by white space. */
function parseList(text: string): JsonValue[] | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) return parseJson(trimmed) as JsonValue[] | undefined;
  const items = trimmed.split(trimmed.includes(',') ? ',' : /\s+/).map((item) => item.trim());
  return items.filter((item) => item !== '');
}

const paramsOf = <Element>(reader: ElementReader<Element>, tool: Element): readonly Element[] =>
  reader.children(tool).filter((child) => reader.localName(child) === 'webmcp-param');

export function namedParams<Element>(
  reader: ElementReader<Element>,
  tool: Element,
  report: ReportFinding<Element>,
): ReadonlyMap<string, Element> {
  const finding = { code: 'invalid-param', severity: 'error' } as const;
  const named = new Map<string, Element>();
  for (const param of paramsOf(reader, tool)) {
    const name = reader.attribute(param, 'name') ?? '';
    if (name === '') report({ ...finding, message: messages.nameless }, param);
    else if (!named.has(name)) named.set(name, param);
    else report({ ...finding, message: messages.duplicate, parameter: name }, param);
  }
  return named;
}

const messages = {
  nameless: 'The <webmcp-param> has no name and is ignored. Add one.',
  duplicate: 'Another <webmcp-param> has the same name, so this one is ignored. Rename one of them.',
  notObject:
    'The <script type="application/schema+json"> is not an object, so the element is not a tool. Use a JSON Schema.',
};

/** The schema that a tool declares by its script or its parameters; undefined if it is invalid. */
export function declaredSchema<Element>(
  reader: ElementReader<Element>,
  tool: Element,
  report: ReportFinding<Element>,
): object | undefined {
  const isSchemaScript = (child: Element): boolean =>
    reader.localName(child) === 'script' && reader.attribute(child, 'type')?.trim() === 'application/schema+json';
  const script = reader.children(tool).find(isSchemaScript);
  if (script === undefined) return schemaOfParams(reader, tool, report);
  ignoreParams(reader, tool, 'the <script>', report);
  const text = reader.text(script);
  const schema = parseJson(text);
  if (isRecord(schema)) return schema;
  const message = schema === undefined ? invalidJson(text) : messages.notObject;
  report({ code: 'invalid-schema', severity: 'error', message }, script);
  return undefined;
}

const invalidJson = (text: string): string =>
  `The <script type="application/schema+json"> is invalid JSON at ${formatPosition(text, findJsonError(text))}, so the element is not a tool. Correct it.`;

/** Reports that the `<webmcp-param>` elements are ignored, because another schema replaces them. */
export function ignoreParams<Element>(
  reader: ElementReader<Element>,
  tool: Element,
  schema: string,
  report: ReportFinding<Element>,
): void {
  const [first] = paramsOf(reader, tool);
  const message = `The <webmcp-param> elements are ignored, because ${schema} is the whole schema. Remove them.`;
  if (first !== undefined) report({ code: 'ignored-param', severity: 'warning', message }, first);
}

function schemaOfParams<Element>(
  reader: ElementReader<Element>,
  tool: Element,
  report: ReportFinding<Element>,
): Schema {
  const properties: [string, Schema][] = [];
  const required: string[] = [];
  for (const [name, element] of namedParams(reader, tool, report)) {
    const schema = schemaOfParam({
      attribute: (attribute) => reader.attribute(element, attribute),
      report: (severity, message) => report({ code: 'invalid-param', severity, message, parameter: name }, element),
    });
    if (schema) properties.push([name, schema]);
    if (schema && reader.attribute(element, 'required') !== null) required.push(name);
  }
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function schemaOfParam(param: Param): Schema | undefined {
  const type = param.attribute('type')?.trim().toLowerCase() || 'string';
  const valueType = types.get(type);
  if (!valueType) {
    const known = [...types.keys()].join(', ');
    param.report('error', `The type "${type}" is unknown, so the <webmcp-param> is ignored. Use one of ${known}.`);
    return undefined;
  }
  const isNumeric = type === 'number' || type === 'integer';
  const bound = (text: string): JsonValue | undefined => (isNumeric ? parseFloat(text) : undefined);
  const pattern = (text: string): string | undefined => (type === 'string' && isPattern(text) ? text : undefined);
  return {
    type,
    ...enumKeywords(param, type, valueType),
    ...keyword(param, 'minimum', bound, 'Use a number, and the type number or integer.'),
    ...keyword(param, 'maximum', bound, 'Use a number, and the type number or integer.'),
    ...keyword(
      param,
      'pattern',
      pattern,
      'Use a regular expression that is valid with the flag u, and the type string.',
    ),
    ...keyword(param, 'default', valueType.parse, `Use a value of the type ${type}.`),
    ...textKeyword(param, 'title'),
    ...textKeyword(param, 'description'),
  };
}

function keyword<Name extends string, Value extends JsonValue>(
  { attribute, report }: Param,
  name: Name,
  parse: (text: string) => Value | undefined,
  advice: string,
): { [Key in Name]?: Value } {
  const text = attribute(name);
  const value = text === null ? undefined : parse(text);
  if (text !== null && value === undefined) report('warning', `The ${name} is ignored. ${advice}`);
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}

function textKeyword({ attribute }: Param, name: string): Schema {
  const text = attribute(name);
  return text ? { [name]: text } : {};
}

function enumKeywords(param: Param, type: string, valueType: ValueType): Schema {
  const parse = (text: string): JsonValue[] | undefined => enumValues(text, type, valueType);
  const keywords = keyword(param, 'enum', parse, `List values of the type ${type}, as "a, b" or as a JSON array.`);
  if (type !== 'array') return keywords;
  return { items: keywords.enum ? { ...itemType(keywords.enum), ...keywords } : { type: 'string' } };
}

/** The distinct values. Undefined if the list is empty, a value has another type, or arrays are nested too deeply. */
function enumValues(text: string, type: string, { parse, accepts }: ValueType): JsonValue[] | undefined {
  const convert = (value: JsonValue): JsonValue | undefined => {
    if (typeof value === 'string' && type !== 'array') return parse(value);
    return accepts(value) ? value : undefined;
  };
  const values = parseList(text)?.map(convert) ?? [];
  if (values.length === 0 || values.includes(undefined)) return undefined;
  try {
    return [...new Map((values as JsonValue[]).map((value) => [stringify(value), value])).values()];
  } catch {
    return undefined;
  }
}

function itemType(values: readonly JsonValue[]): Schema {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  return type && type !== 'object' && others.length === 0 ? { type } : {};
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode;
  } catch {
    return false;
  }
}
