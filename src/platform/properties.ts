import { withoutPrototype } from './collections.js';

export type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Defines a property; what a page puts on Object.prototype is no part of the descriptor. */
export function define(target: object, key: PropertyKey, descriptor: PropertyDescriptor): void {
  Object.defineProperty(target, key, withoutPrototype(descriptor));
}

/** https://webidl.spec.whatwg.org/#define-the-attributes */
export function accessor(
  key: string,
  { get, set }: { readonly get: Method; readonly set?: Method },
): PropertyDescriptor {
  const pair = {
    get [key](): unknown {
      return Reflect.apply(get, this, []);
    },
    set [key](value: unknown) {
      if (set) Reflect.apply(set, this, [value]);
    },
  };
  const descriptor = Object.getOwnPropertyDescriptor(pair, key) as PropertyDescriptor;
  if (!set) delete descriptor.set;
  return descriptor;
}

/**
 * A method with a name and a length: as methods are, it is no constructor, and has a `this`.
 * https://webidl.spec.whatwg.org/#define-the-operations
 */
export function operation(key: string, length: number, run: Method): PropertyDescriptor {
  const holder = {
    [key](...args: unknown[]): unknown {
      return Reflect.apply(run, this, args);
    },
  };
  const descriptor = Object.getOwnPropertyDescriptor(holder, key) as PropertyDescriptor;
  define(descriptor.value as object, 'length', { value: length, configurable: true });
  return descriptor;
}
