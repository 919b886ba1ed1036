/** Copies the methods of a class to a subclass, before a page patches them. */
function captureMethods(subclass: { readonly prototype: object }, base: { readonly prototype: object }): void {
  Object.defineProperties(subclass.prototype, Object.getOwnPropertyDescriptors(base.prototype));
}

export class SafeMap<Key, Value> extends Map<Key, Value> {}
export class SafeSet<Item> extends Set<Item> {}
export class SafeWeakMap<Key extends WeakKey, Value> extends WeakMap<Key, Value> {}

captureMethods(SafeMap, Map);
captureMethods(SafeSet, Set);
captureMethods(SafeWeakMap, WeakMap);

/** A map with a set of values for each key. */
export class MultiMap<Key, Value> {
  readonly #sets = new SafeMap<Key, Set<Value>>();

  keys(): readonly Key[] {
    return [...this.#sets.keys()];
  }

  get(key: Key): Iterable<Value> {
    return this.#sets.get(key) ?? [];
  }

  move(value: Value, from: Iterable<Key>, to: Iterable<Key>): void {
    for (const key of from) {
      const values = this.#sets.get(key);
      if (values?.delete(value) && values.size === 0) this.#sets.delete(key);
    }
    for (const key of to) {
      const values = this.#sets.get(key);
      if (values) values.add(value);
      else this.#sets.set(key, new SafeSet([value]));
    }
  }
}

/** Removes the prototype of an options object. The platform would also read options from a polluted `Object.prototype`. */
export const withoutPrototype = <Value extends object>(value: Value): Value =>
  Object.setPrototypeOf(value, null) as Value;
