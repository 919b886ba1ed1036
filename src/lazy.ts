/** Computes a value when it is first needed. */
export function lazy<Value>(compute: () => Value): () => Value {
  let known: readonly [Value] | undefined;
  return () => (known ??= [compute()])[0];
}

/** Computes a value once for each object, which must not change. */
export function oncePerObject<Key extends WeakKey, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, readonly [Value]>();
  return (key) => {
    const [value] = known.get(key) ?? [compute(key)];
    known.set(key, [value]);
    return value;
  };
}
