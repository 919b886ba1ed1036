import { isExact, parseJson, type Fault, type Inexact } from './json-text.js';

/** The keywords that a form is made by; a schema can hold anything in their place. */
type Keywords = Partial<
  Record<
    | 'type'
    | 'enum'
    | 'anyOf'
    | 'oneOf'
    | 'const'
    | 'title'
    | 'items'
    | 'description'
    | 'default'
    | 'examples'
    | 'properties'
    | 'required',
    unknown
  >
>;

export interface Option {
  readonly label: string;
  readonly value: unknown;
}

/** How a parameter is entered. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'choice' | 'choices' | 'json';
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly options: readonly Option[];
  readonly default: string;
  readonly example: string;
}

/** More options than these are no help, and slow. */
const mostOptions = 500;

const isObject = (value: unknown): value is Keywords => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const shortText = (value: unknown): string => (value === undefined ? '' : textOf(value).slice(0, 200));

/** The values that a schema names one by one. */
function optionsOf(schema: Keywords): readonly Option[] | undefined {
  const values = listOf(schema.enum);
  if (values?.every(isPrimitive)) return values.map((value) => ({ label: textOf(value), value }));
  const schemas = listOf(schema.anyOf) ?? listOf(schema.oneOf);
  const isConst = (each: unknown): each is Keywords => isObject(each) && 'const' in each && isPrimitive(each.const);
  if (!schemas?.every(isConst)) return undefined;
  return schemas.map(({ const: value, title }) => ({
    value,
    label: typeof title === 'string' ? title : textOf(value),
  }));
}

const flags: readonly Option[] = [true, false].map((value) => ({ label: String(value), value }));

function kindOf(schema: unknown): Pick<Field, 'kind' | 'options'> {
  if (!isObject(schema)) return { kind: 'json', options: [] };
  const single = optionsOf(schema);
  if (single && single.length > 0 && single.length <= mostOptions) return { kind: 'choice', options: single };
  const several = schema.type === 'array' && isObject(schema.items) ? optionsOf(schema.items) : undefined;
  if (several && several.length > 0 && several.length <= mostOptions) return { kind: 'choices', options: several };
  if (schema.type === 'boolean') return { kind: 'choice', options: flags };
  if (schema.type === 'string') return { kind: 'text', options: [] };
  return { kind: schema.type === 'number' || schema.type === 'integer' ? 'number' : 'json', options: [] };
}

function fieldOf(name: string, schema: unknown, isRequired: boolean): Field {
  const { title, description, default: preset, examples } = isObject(schema) ? schema : {};
  return {
    ...{ name, isRequired, ...kindOf(schema) },
    label: typeof title === 'string' && title ? title.slice(0, 200) : name,
    description: typeof description === 'string' ? description : '',
    default: shortText(preset),
    example: shortText(listOf(examples)?.[0]),
  };
}

/** The parameters of an input schema as JSON text. */
export function fieldsOf(schemaText: string): readonly Field[] {
  const schema: unknown = schemaText ? JSON.parse(schemaText) : {};
  const { properties, required } = isObject(schema) ? schema : {};
  const names = new Set(listOf(required));
  return Object.entries(isObject(properties) ? properties : {}).map(([name, each]) =>
    fieldOf(name, each, names.has(name)),
  );
}

/** What was entered for a parameter: nothing, JSON text, or text that is none. */
export type Entered = undefined | { readonly json: string } | { readonly fault: Fault } | { readonly inexact: Inexact };

const json = (value: unknown): Entered => ({ json: JSON.stringify(value) });

function enteredNumber(text: string): Entered {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return json(text);
  return isExact(text) ? { json: text } : { inexact: { line: 1, number: text, other: String(Number(text)) } };
}

function enteredJson(text: string): Entered {
  const parsed = parseJson(text);
  return 'value' in parsed ? { json: text } : parsed;
}

/** @param texts - the text of the control, or the indices of the options that are chosen */
export function enteredIn({ kind, options }: Field, texts: readonly string[]): Entered {
  const chosen = texts.filter((text) => text !== '');
  const [text] = chosen;
  if (text === undefined) return undefined;
  if (kind === 'choices') return json(chosen.map((index) => options[Number(index)]?.value));
  if (kind === 'choice') return json(options[Number(text)]?.value);
  if (kind === 'text') return json(text);
  return kind === 'number' ? enteredNumber(text.trim()) : enteredJson(text);
}
