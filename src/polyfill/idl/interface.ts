import { accessor, define, operation, type Method } from '../../platform/properties.js';
import type { Realm } from '../frames/realm.js';

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
