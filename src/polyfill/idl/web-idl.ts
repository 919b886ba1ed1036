import { apply, getter, method } from '../../platform/primordials.js';
import { accessor, define, operation, type Method } from '../../platform/properties.js';
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

export interface Operation {
  readonly length: number;
  readonly run: Method;
}

export interface Attribute {
  readonly get: Method;
  readonly set?: Method;
}

interface InterfaceDefinition {
  readonly name: string;
  readonly parent?: { readonly prototype: object };
  /** The number of required arguments of the constructor, which throws unless there is a `construct`. */
  readonly length?: number;
  readonly construct?: (args: readonly unknown[], newTarget: () => unknown) => object;
  readonly operations?: Readonly<Record<string, Operation>>;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

/** Creates an interface object and its prototype object. https://webidl.spec.whatwg.org/#interface-object */
export function makeInterface<Interface>(realm: Realm, definition: InterfaceDefinition): Interface {
  const { name, parent, length = 0, construct, operations = {}, attributes = {} } = definition;
  const constructor = function (this: unknown, ...args: unknown[]): object {
    const newTarget = new.target as (() => unknown) | undefined;
    if (!construct || !newTarget) throw new realm.TypeError(`Failed to construct '${name}': Illegal constructor`);
    if (args.length < length)
      throw new realm.TypeError(`Failed to construct '${name}': ${argumentsMissing(length, args)}`);
    return construct(args, newTarget);
  };
  const prototype = Object.create(parent?.prototype ?? realm.Object.prototype) as object;
  if (parent) Object.setPrototypeOf(constructor, parent);
  define(constructor, 'prototype', { value: prototype, writable: false });
  define(prototype, 'constructor', { value: constructor, writable: true, configurable: true });
  define(prototype, Symbol.toStringTag, { value: name, configurable: true });
  for (const [key, { length: required, run }] of Object.entries(operations)) {
    define(prototype, key, operation(key, required, run));
  }
  for (const [key, attribute] of Object.entries(attributes)) define(prototype, key, accessor(key, attribute));
  define(constructor, 'name', { value: name, configurable: true });
  define(constructor, 'length', { value: length, configurable: true });
  return constructor as Interface;
}

export const argumentsMissing = (required: number, args: readonly unknown[]): string =>
  `${required} argument${required === 1 ? '' : 's'} required, but only ${args.length} present.`;
