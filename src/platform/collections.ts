import { method } from './primordials.js';

/** Gives a subclass the methods of its base as they are now, before a page patches them. */
function keepMethods(subclass: { readonly prototype: object }, base: { readonly prototype: object }): void {
  const methods: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(base.prototype);
  Reflect.deleteProperty(methods, 'constructor');
  Object.defineProperties(subclass.prototype, methods);
}

export class SafeMap<Key, Value> extends Map<Key, Value> {}
export class SafeSet<Item> extends Set<Item> {}
export class SafeWeakSet<Item extends WeakKey> extends WeakSet<Item> {}
export class SafeWeakMap<Key extends WeakKey, Value> extends WeakMap<Key, Value> {}

keepMethods(SafeMap, Map);
keepMethods(SafeSet, Set);
keepMethods(SafeWeakSet, WeakSet);
keepMethods(SafeWeakMap, WeakMap);

/** An object that inherits nothing: the platform reads options and descriptors through what a page may have polluted. */
export const withoutPrototype = <Value extends object>(value: Value): Value =>
  Object.setPrototypeOf(value, null) as Value;

const exec: (pattern: RegExp, text: string) => RegExpExecArray | null = method('RegExp', 'exec');
export const matches = (pattern: RegExp, text: string): boolean => exec(pattern, text) !== null;
