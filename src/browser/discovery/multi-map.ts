import { SafeMap, SafeSet } from '../../platform/collections.js';

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
