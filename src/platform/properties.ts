import { withoutPrototype } from './collections.js';
import { apply } from './primordials.js';

export type Method = (this: unknown, ...args: unknown[]) => unknown;

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
      return apply(get, this, []);
    },
    set [key](value: unknown) {
      if (set) apply(set, this, [value]);
    },
  };
  const descriptor = Object.getOwnPropertyDescriptor(pair, key) as PropertyDescriptor;
  if (!set) delete descriptor.set;
  return descriptor;
}

/** https://webidl.spec.whatwg.org/#define-the-operations */
export function operation(key: string, length: number, run: Method): PropertyDescriptor {
  // Like the operations of an interface, shorthand methods are not constructors.
  const holder = {
    [key](...args: unknown[]): unknown {
      return apply(run, this, args);
    },
  };
  const descriptor = Object.getOwnPropertyDescriptor(holder, key) as PropertyDescriptor;
  define(descriptor.value as object, 'length', { value: length, configurable: true });
  return descriptor;
}
