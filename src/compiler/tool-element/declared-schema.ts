import type { JsonValue } from '../../json-schema.js';
import { findJsonError, formatPosition } from '../json-error.js';

/** What the rules ask of elements, be they in a document or in its source text. */
export interface ElementReader<Element> {
  readonly children: (element: Element) => readonly Element[];
  readonly localName: (element: Element) => string;
  readonly attribute: (element: Element, name: string) => string | null;
  readonly text: (element: Element) => string;
}

/** A mistake in what a `<webmcp-tool>` declares. */
export interface DeclaredFinding {
  readonly code: 'invalid-param' | 'invalid-schema' | 'ignored-param';
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly parameter?: string;
}

/** Is told a mistake, and of which element. */
export type ReportFinding<Element> = (finding: DeclaredFinding, element: Element) => void;

type Schema = Record<string, JsonValue>;
type Told = (severity: DeclaredFinding['severity'], message: string) => void;

/** The parameter that is read: its attributes, and who is told its mistakes. */
interface Reading {
  readonly attribute: (name: string) => string | null;
  readonly tell: Told;
}

/** https://html.spec.whatwg.org/#valid-floating-point-number */
const number = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i;

function numberOf(text: string): number | undefined {
  const value = number.test(text.trim()) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

function integerOf(text: string): number | undefined {
  const value = numberOf(text);
  return Number.isInteger(value) ? value : undefined;
}

const booleans = new Map([
  ['true', true],
  ['false', false],
]);

/** How a value of each type is written. */
const types = new Map<string, (text: string) => JsonValue | undefined>([
  ['string', (text) => text],
  ['number', numberOf],
  ['integer', integerOf],
  ['boolean', (text) => booleans.get(text.trim().toLowerCase())],
  ['array', listOf],
]);

/** A JSON array; else what stands between commas, if there are any; else what stands between white space. */
function listOf(text: string): JsonValue[] | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) return parsed(trimmed) as JsonValue[] | undefined;
  const items = trimmed.split(trimmed.includes(',') ? ',' : /\s+/).map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/** The value of a JSON text; undefined if it is none. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The elements of a tool's parameters: its children. */
export const paramsOf = <Element>(reader: ElementReader<Element>, tool: Element): readonly Element[] =>
  reader.children(tool).filter((child) => reader.localName(child) === 'webmcp-param');

/** The parameters that have a name of their own. */
export function namedParams<Element>(
  reader: ElementReader<Element>,
  tool: Element,
  tell: ReportFinding<Element>,
): ReadonlyMap<string, Element> {
  const code = 'invalid-param';
  const severity = 'error';
  const named = new Map<string, Element>();
  for (const param of paramsOf(reader, tool)) {
    const name = reader.attribute(param, 'name') ?? '';
    if (name === '') tell({ code, severity, message: messages.nameless }, param);
    else if (!named.has(name)) named.set(name, param);
    else tell({ code, severity, message: messages.twice, parameter: name }, param);
  }
  return named;
}

const messages = {
  nameless: 'A <webmcp-param> has no name, so it is no parameter: add one.',
  twice: 'Several <webmcp-param> have this name, and only the first counts.',
};

/** The input schema that a tool declares: its script's, or what its parameters say. Undefined if it is wrong. */
export function declaredSchema<Element>(
  reader: ElementReader<Element>,
  tool: Element,
  tell: ReportFinding<Element>,
): object | undefined {
  const script = reader
    .children(tool)
    .find(
      (child) =>
        reader.localName(child) === 'script' && reader.attribute(child, 'type')?.trim() === 'application/schema+json',
    );
  if (script === undefined) return schemaOfParams(reader, tool, tell);
  ignoreParams(reader, tool, 'the <script>', tell);
  return schemaOfScript(reader.text(script), (message) =>
    tell({ code: 'invalid-schema', severity: 'error', message }, script),
  );
}

/** Tells that what is the whole schema keeps the parameters from counting, if there are any. */
export function ignoreParams<Element>(
  reader: ElementReader<Element>,
  tool: Element,
  winner: string,
  tell: ReportFinding<Element>,
): void {
  const [first] = paramsOf(reader, tool);
  const message = `The <webmcp-param> elements are ignored: ${winner} is the whole schema.`;
  if (first !== undefined) tell({ code: 'ignored-param', severity: 'warning', message }, first);
}

function schemaOfScript(text: string, tell: (message: string) => void): object | undefined {
  const value = parsed(text);
  if (isRecord(value)) return value;
  const reason =
    value === undefined
      ? `is no JSON: it ends to be at ${formatPosition(text, findJsonError(text))}`
      : 'holds no object: a schema is to be one';
  return void tell(`The <script type="application/schema+json"> ${reason}. There is no tool until then.`);
}

export const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function schemaOfParams<Element>(reader: ElementReader<Element>, tool: Element, tell: ReportFinding<Element>): Schema {
  const named = [...namedParams(reader, tool, tell)].flatMap(([parameter, param]) => {
    const schema = schemaOfParam({
      attribute: (name) => reader.attribute(param, name),
      tell: (severity, message) => tell({ code: 'invalid-param', severity, message, parameter }, param),
    });
    return schema ? ([[parameter, schema, reader.attribute(param, 'required') !== null]] as const) : [];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, schema]) => [name, schema])),
    required: named.filter(([, , isRequired]) => isRequired).map(([name]) => name),
  };
}

function schemaOfParam(reading: Reading): Schema | undefined {
  const type = reading.attribute('type')?.trim().toLowerCase() || 'string';
  if (!types.has(type)) {
    const known = [...types.keys()].join(', ');
    reading.tell('error', `The type "${type}" is unknown, so this is no parameter: use one of ${known}.`);
    return undefined;
  }
  return {
    type,
    ...keywords(reading, type),
    ...textOf(reading, 'title'),
    ...textOf(reading, 'description'),
  };
}

function textOf({ attribute }: Reading, name: string): Schema {
  const text = attribute(name);
  return text ? { [name]: text } : {};
}

const keywords = (reading: Reading, type: string): Schema => ({
  ...enumOf(reading, type),
  ...boundOf(reading, 'minimum', type),
  ...boundOf(reading, 'maximum', type),
  ...patternOf(reading, type),
  ...defaultOf(reading, type),
});

function enumOf({ attribute, tell }: Reading, type: string): Schema {
  const text = attribute('enum');
  const values = text === null ? undefined : valuesOf(text, type);
  if (text !== null && !values)
    tell('warning', `The enum is ignored: it is to list values of the type ${type}, as "a, b" or as a JSON array.`);
  if (type === 'array') return { items: values ? { ...itemType(values), enum: values } : { type: 'string' } };
  return values ? { enum: values } : {};
}

/** Distinct values of a type; undefined if there are none, or one of another type. */
function valuesOf(text: string, type: string): JsonValue[] | undefined {
  const list = listOf(text);
  const convert = (value: JsonValue): JsonValue | undefined =>
    type === 'array' || typeof value !== 'string' ? checked(value, type) : types.get(type)?.(value);
  const values = list?.map(convert) ?? [];
  return values.length > 0 && values.every((value) => value !== undefined) ? distinct(values) : undefined;
}

/** Undefined for lists that are nested deeper than can be written. */
function distinct(values: readonly JsonValue[]): JsonValue[] | undefined {
  try {
    return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  } catch {
    return undefined;
  }
}

const checks = new Map<string, (value: JsonValue) => boolean>([
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['array', () => true],
]);

const checked = (value: JsonValue, type: string): JsonValue | undefined =>
  checks.get(type)?.(value) ? value : undefined;

function itemType(values: readonly JsonValue[]): Schema {
  const [first = null] = values;
  const isSame = values.every((value) => typeof value === typeof first);
  return isSame && ['string', 'number', 'boolean'].includes(typeof first) ? { type: typeof first } : {};
}

function boundOf({ attribute, tell }: Reading, name: string, type: string): Schema {
  const text = attribute(name);
  if (text === null) return {};
  const value = type === 'number' || type === 'integer' ? numberOf(text) : undefined;
  if (value !== undefined) return { [name]: value };
  tell('warning', `The ${name} is ignored: it is to be a number, of a parameter of the type number or integer.`);
  return {};
}

function patternOf({ attribute, tell }: Reading, type: string): Schema {
  const pattern = attribute('pattern');
  if (pattern === null) return {};
  if (type === 'string' && isPattern(pattern)) return { pattern };
  tell('warning', 'The pattern is ignored: it is to be a regular expression with the flag u, of a string.');
  return {};
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode;
  } catch {
    return false;
  }
}

function defaultOf({ attribute, tell }: Reading, type: string): Schema {
  const text = attribute('default');
  if (text === null) return {};
  const value = types.get(type)?.(text);
  if (value !== undefined) return { default: value };
  tell('warning', `The default is ignored: it is no value of the type ${type}.`);
  return {};
}
