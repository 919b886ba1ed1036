import type { JsonSchema } from '../../../src/json-schema.js';
import { isExact, parseJson, type ParseResult } from '../view/json-text.js';

/** The members of a schema that a field depends on. Their types are unknown. */
type Keywords = Readonly<Partial<Record<keyof JsonSchema | 'oneOf', unknown>>>;

interface Option {
  readonly label: string;
  readonly value: unknown;
}

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

/** Longer lists are slow to render and hard to use. */
const maxOptions = 500;

const isObject = (value: unknown): value is Keywords => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const shortText = (value: unknown): string => (value === undefined ? '' : textOf(value).slice(0, 200));

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

const booleanOptions: readonly Option[] = [true, false].map((value) => ({ label: String(value), value }));

const isOffered = (options: readonly Option[] | undefined): options is readonly Option[] =>
  !!options && options.length > 0 && options.length <= maxOptions;

function kindOf(schema: unknown): Pick<Field, 'kind' | 'options'> {
  if (!isObject(schema)) return { kind: 'json', options: [] };
  const options = optionsOf(schema);
  if (isOffered(options)) return { kind: 'choice', options };
  const items = schema.type === 'array' && isObject(schema.items) ? optionsOf(schema.items) : undefined;
  if (isOffered(items)) return { kind: 'choices', options: items };
  if (schema.type === 'boolean') return { kind: 'choice', options: booleanOptions };
  if (schema.type === 'string') return { kind: 'text', options: [] };
  return { kind: schema.type === 'number' || schema.type === 'integer' ? 'number' : 'json', options: [] };
}

function fieldOf(name: string, schema: unknown, isRequired: boolean): Field {
  const { title, description, default: defaultValue, examples } = isObject(schema) ? schema : {};
  return {
    name,
    isRequired,
    ...kindOf(schema),
    label: typeof title === 'string' && title ? title.slice(0, 200) : name,
    description: typeof description === 'string' ? description : '',
    default: shortText(defaultValue),
    example: shortText(listOf(examples)?.[0]),
  };
}

export function fieldsOf(schemaText: string): readonly Field[] {
  const schema: unknown = schemaText ? JSON.parse(schemaText) : {};
  const { properties, required } = isObject(schema) ? schema : {};
  const names = new Set(listOf(required));
  return Object.entries(isObject(properties) ? properties : {}).map(([name, each]) =>
    fieldOf(name, each, names.has(name)),
  );
}

/** JSON text for a parameter, or the reason why the entered text is invalid. */
type Entered = { readonly json: string } | Exclude<ParseResult, { readonly value: unknown }>;

const json = (value: unknown): Entered => ({ json: JSON.stringify(value) });

function enteredNumber(text: string): Entered {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return json(text);
  return isExact(text) ? { json: text } : { inexact: { line: 1, number: text, other: String(Number(text)) } };
}

function enteredJson(text: string): Entered {
  const parsed = parseJson(text);
  return 'value' in parsed ? { json: text } : parsed;
}

/** @param texts - the text of the control, or the indices of the selected options */
function convertTexts({ kind, options }: Field, texts: readonly string[]): Entered | undefined {
  const entered = texts.filter((text) => text !== '');
  const [text] = entered;
  if (text === undefined) return undefined;
  if (kind === 'choices') return json(entered.map((index) => options[Number(index)]?.value));
  if (kind === 'choice') return json(options[Number(text)]?.value);
  if (kind === 'text') return json(text);
  return kind === 'number' ? enteredNumber(text.trim()) : enteredJson(text);
}

type FieldControl = HTMLInputElement | HTMLSelectElement;

const controlsIn = (form: HTMLFormElement, index: number): readonly FieldControl[] => [
  ...form.querySelectorAll<HTMLInputElement>(`[data-field="p${String(index)}"] :is(input, select, textarea)`),
];

const textsIn = (form: HTMLFormElement, index: number): readonly string[] =>
  controlsIn(form, index)
    .filter((control) => control.type !== 'checkbox' || control.checked)
    .map(({ value }) => value);

/** The entered value of a field; undefined if the field is empty. */
export const enteredIn = (form: HTMLFormElement, field: Field, index: number): Entered | undefined =>
  convertTexts(field, textsIn(form, index));

/** The selected values of a field, as JSON text. */
export interface Selection {
  readonly name: string;
  readonly values: readonly string[];
}

const valueAt = ({ options }: Field, index: string): string => JSON.stringify(options[Number(index)]?.value);

export const selectionsIn = (form: HTMLFormElement, fields: readonly Field[]): readonly Selection[] =>
  fields.flatMap((field, index) => {
    const selected = field.options.length > 0 ? textsIn(form, index).filter((text) => text !== '') : [];
    return selected.length > 0 ? [{ name: field.name, values: selected.map((each) => valueAt(field, each)) }] : [];
  });

/** Selects options by value. Returns false unless each value is still an option. */
export function restoreSelection(form: HTMLFormElement, fields: readonly Field[], selection: Selection): boolean {
  const { name, values } = selection;
  const position = fields.findIndex((field) => field.name === name);
  const field = fields[position];
  const isSelected = (index: string): boolean => index !== '' && !!field && values.includes(valueAt(field, index));
  for (const control of controlsIn(form, position)) {
    if (control instanceof HTMLSelectElement)
      control.value = Array.from(control.options, ({ value }) => value).find(isSelected) ?? '';
    else control.checked = isSelected(control.value);
  }
  return !!field && values.every((value) => field.options.some((option) => JSON.stringify(option.value) === value));
}
