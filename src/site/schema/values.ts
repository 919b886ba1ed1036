import { isRecord, canonical, type JsonRecord } from '../../json.js';
import { wordKeywords } from './normalize-schema.js';

/** A schema's choices: the values that it lists, each with what it says of them. */
export type Choices = ReadonlyMap<string, Choice>;

export interface Choice {
  readonly value: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
}

/** The keywords of which `choicesOf` reads all that they say. */
export const choiceKeywords = ({ anyOf }: JsonRecord): readonly string[] =>
  anyOf === undefined || constants(anyOf) ? ['const', 'enum', 'anyOf'] : ['const', 'enum'];

/** The values that a schema lists by `const`, `enum` or an `anyOf` of constants; undefined if it lists none. */
export function choicesOf(schema: JsonRecord): Choices | undefined {
  const lists = [
    Object.hasOwn(schema, 'const') ? [{ value: schema.const }] : undefined,
    Array.isArray(schema.enum) ? schema.enum.map((value: unknown) => ({ value })) : undefined,
    constants(schema.anyOf),
  ].filter((each) => each !== undefined);
  const [first, ...others] = lists.map(keyed).sort((a, b) => said(b) - said(a));
  if (!first) return undefined;
  return new Map([...first].filter(([key]) => others.every((other) => other.has(key))));
}

const keyed = (choices: readonly Choice[]): Choices =>
  new Map(choices.map((choice) => [canonical(choice.value), choice]));

const said = (choices: Choices): number => [...choices.values()].filter(({ title }) => title !== undefined).length;

function constants(branches: unknown): readonly Choice[] | undefined {
  if (!Array.isArray(branches) || branches.length === 0 || !branches.every(isConstant)) return undefined;
  return branches.map(({ const: value, title, description }) => ({ value, title, description }));
}

const constantKeywords = new Set(['const', 'type', ...wordKeywords]);

const isConstant = (branch: unknown): branch is JsonRecord =>
  isRecord(branch) &&
  Object.hasOwn(branch, 'const') &&
  Object.keys(branch).every((keyword) => constantKeywords.has(keyword)) &&
  (branch.type === undefined || isOfType(branch.const, branch.type));

/** Whether a value is of a type, or of one of several. */
export function isOfType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((each) => isOfType(value, each));
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  return type === 'object' ? isRecord(value) : typeof value === type;
}

/** Whether a schema takes a value for sure: an author's pattern is never run. */
export function surelyTakes(schema: unknown, value: unknown): boolean {
  if (!isRecord(schema)) return schema === true;
  return Object.entries(schema).every(([keyword, says]) => checks.get(keyword)?.(says, value) ?? false);
}

type Check = (says: unknown, value: unknown) => boolean;

/** A check of values of one type that lets others pass. */
const checkOf =
  <Value>(type: string, check: (limit: number, value: Value) => boolean): Check =>
  (says, value) =>
    typeof says === 'number' && (!isOfType(value, type) || check(says, value as Value));

const length = (text: string): number => [...text].length;

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...wordKeywords.map((keyword) => [keyword, () => true] as const),
  ['type', (says, value) => isOfType(value, says)],
  ['const', (says, value) => canonical(says) === canonical(value)],
  ['enum', (says, value) => Array.isArray(says) && says.some((each) => canonical(each) === canonical(value))],
  ['anyOf', (says, value) => Array.isArray(says) && says.some((each) => surelyTakes(each, value))],
  ['minimum', checkOf<number>('number', (limit, value) => value >= limit)],
  ['maximum', checkOf<number>('number', (limit, value) => value <= limit)],
  ['multipleOf', checkOf<number>('number', (step, value) => Number.isInteger(value / step))],
  ['minLength', checkOf<string>('string', (limit, value) => length(value) >= limit)],
  ['maxLength', checkOf<string>('string', (limit, value) => length(value) <= limit)],
  // What the compiler says of every text that is one line.
  ['pattern', (says, value) => says === '^[^\\n\\r]*$' && (typeof value !== 'string' || !/[\n\r]/.test(value))],
]);
