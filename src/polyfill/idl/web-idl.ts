import { apply, getter, method } from '../../platform/primordials.js';
import type { Realm } from '../frames/realm.js';

const isAborted = getter<unknown, boolean>('AbortSignal', 'aborted');
const wellFormed: (text: string) => string = method('String', 'toWellFormed');

/** The realm and the operation of a conversion, for error messages. */
export interface Conversion {
  readonly realm: Realm;
  readonly operation: string;
}

/** Converts the argument or dictionary member with the name `key`. */
export type Convert<Value> = (value: unknown, key: string, conversion: Conversion) => Value;

export const typeError = ({ realm, operation }: Conversion, message: string): TypeError =>
  new realm.TypeError(`Failed to execute '${operation}' on 'ModelContext': ${message}`);

export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** https://webidl.spec.whatwg.org/#js-DOMString */
export const domString = (value: unknown): string => `${value as string}`;

/** https://webidl.spec.whatwg.org/#js-USVString */
export const usvString = (value: unknown): string => wellFormed(domString(value));

export const object: Convert<object> = (value, key, conversion) => {
  if (isObject(value)) return value;
  throw typeError(conversion, `'${key}' is not an object.`);
};

export const callback: Convert<() => unknown> = (value, key, conversion) => {
  if (typeof value === 'function') return value as () => unknown;
  throw typeError(conversion, `'${key}' is not a function.`);
};

export const abortSignal: Convert<AbortSignal> = (value, key, conversion) => {
  try {
    isAborted(value);
    return value as AbortSignal;
  } catch {
    throw typeError(conversion, `'${key}' is not an AbortSignal.`);
  }
};

/** https://webidl.spec.whatwg.org/#js-sequence */
export const sequence =
  <Item>(convert: Convert<Item>): Convert<Item[]> =>
  (value, key, conversion) => {
    const iterator: unknown = isObject(value) ? Reflect.get(value, Symbol.iterator) : undefined;
    if (typeof iterator !== 'function') throw typeError(conversion, `'${key}' is not a sequence.`);
    const items: Item[] = [];
    for (const item of { [Symbol.iterator]: () => apply(iterator as () => Iterator<unknown>, value, []) }) {
      items.push(convert(item, key, conversion));
    }
    return items;
  };

/** Reads the members of a dictionary. https://webidl.spec.whatwg.org/#js-dictionary */
export function dictionary(conversion: Conversion, value: unknown, name: string) {
  if (value !== undefined && value !== null && !isObject(value)) {
    throw typeError(conversion, `The provided value is not of type '${name}'.`);
  }
  const read = (key: string): unknown => (isObject(value) ? Reflect.get(value, key) : undefined);
  return {
    optional<Value>(key: string, convert: Convert<Value>): Value | undefined {
      const member = read(key);
      return member === undefined ? undefined : convert(member, key, conversion);
    },
    required<Value>(key: string, convert: Convert<Value>): Value {
      const member = read(key);
      if (member !== undefined) return convert(member, key, conversion);
      throw typeError(conversion, `Failed to read the '${key}' property from '${name}': Required member is undefined.`);
    },
  };
}
