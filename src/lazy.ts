/** Computes a value when it is first needed. */
export function lazy<Value>(compute: () => Value): () => Value {
  let known: readonly [Value] | undefined;
  return () => (known ??= [compute()])[0];
}

/** Computes a value once for each object. The objects must not change. */
export function oncePerObject<Key extends WeakKey, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, readonly [Value]>();
  return (key) => {
    const [value] = known.get(key) ?? [compute(key)];
    known.set(key, [value]);
    return value;
  };
}

const maxCached = 1000;

/** Caches results by string, because the controls of a page and the forms of a site share many strings. */
export function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    if (results.has(text)) return results.get(text) as Result;
    if (results.size >= maxCached) results.clear();
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}

const maxTextLength = 100;

/** Returns `pattern.test` with a cache for short strings, for patterns that are slower than a cache look-up. */
export function memoizeTest(pattern: RegExp): (text: string) => boolean {
  const known = memoize((text) => pattern.test(text));
  return (text) => (text.length > maxTextLength ? pattern.test(text) : known(text));
}
