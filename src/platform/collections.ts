/** Copies the methods of a class to a subclass, before a page patches them. */
function captureMethods(subclass: { readonly prototype: object }, base: { readonly prototype: object }): void {
  const methods: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(base.prototype);
  Reflect.deleteProperty(methods, 'constructor');
  Object.defineProperties(subclass.prototype, methods);
}

export class SafeMap<Key, Value> extends Map<Key, Value> {}
export class SafeSet<Item> extends Set<Item> {}
export class SafeWeakMap<Key extends WeakKey, Value> extends WeakMap<Key, Value> {}

captureMethods(SafeMap, Map);
captureMethods(SafeSet, Set);
captureMethods(SafeWeakMap, WeakMap);

/** Removes the prototype, because the platform would read options from a polluted `Object.prototype` too. */
export const withoutPrototype = <Value extends object>(value: Value): Value =>
  Object.setPrototypeOf(value, null) as Value;
