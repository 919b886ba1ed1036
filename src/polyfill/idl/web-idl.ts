import { apply, getter, method } from '../../platform/primordials.js';
import type { Realm } from '../frames/realm.js';

const isAborted = getter<AbortSignal, boolean>('AbortSignal', 'aborted');

const wellFormed: (text: string) => string = method('String', 'toWellFormed');

/** The realm and the operation of a conversion, for error messages. */
export interface Conversion {
  readonly realm: Realm;
  readonly operation: string;
}

export const typeError = ({ realm, operation }: Conversion, message: string): TypeError =>
  new realm.TypeError(`Failed to execute '${operation}' on 'ModelContext': ${message}`);

export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** https://webidl.spec.whatwg.org/#js-DOMString */
export const domString = (value: unknown): string => `${value as string}`;

/** https://webidl.spec.whatwg.org/#js-USVString */
export const usvString = (value: unknown): string => wellFormed(domString(value));

/** https://webidl.spec.whatwg.org/#js-dictionary */
export function dictionary(conversion: Conversion, value: unknown, name: string): object {
  if (value === undefined || value === null) return Object.create(null) as object;
  if (!isObject(value)) throw typeError(conversion, `The provided value is not of type '${name}'.`);
  return value;
}

/** Converts an optional member of a dictionary. */
export function optional<Value>(
  from: object,
  key: string,
  convert: (value: unknown, key: string) => Value,
): Value | undefined {
  const value: unknown = Reflect.get(from, key);
  return value === undefined ? undefined : convert(value, key);
}

export function required<Value>(
  conversion: Conversion,
  from: object,
  name: string,
  key: string,
  convert: (value: unknown, key: string) => Value,
): Value {
  const value: unknown = Reflect.get(from, key);
  if (value !== undefined) return convert(value, key);
  throw typeError(conversion, `Failed to read the '${key}' property from '${name}': Required member is undefined.`);
}

export function object(conversion: Conversion, value: unknown, key: string): object {
  if (isObject(value)) return value;
  throw typeError(conversion, `'${key}' is not an object.`);
}

export function callback(conversion: Conversion, value: unknown, key: string): () => unknown {
  if (typeof value === 'function') return value as () => unknown;
  throw typeError(conversion, `'${key}' is not a function.`);
}

export function abortSignal(conversion: Conversion, value: unknown, key: string): AbortSignal {
  try {
    isAborted(value as AbortSignal);
  } catch {
    throw typeError(conversion, `'${key}' is not an AbortSignal.`);
  }
  return value as AbortSignal;
}

/** https://webidl.spec.whatwg.org/#js-sequence */
export function sequence<Item>(
  conversion: Conversion,
  value: unknown,
  key: string,
  convert: (item: unknown) => Item,
): Item[] {
  const iterator: unknown = isObject(value) ? Reflect.get(value, Symbol.iterator) : undefined;
  if (typeof iterator !== 'function') throw typeError(conversion, `'${key}' is not a sequence.`);
  const items: Item[] = [];
  for (const item of { [Symbol.iterator]: () => apply(iterator as () => Iterator<unknown>, value, []) }) {
    items.push(convert(item));
  }
  return items;
}
