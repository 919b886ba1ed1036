/** Computes a value when it is first needed. */
export function lazy<Value>(compute: () => Value): () => Value {
  let known: readonly [Value] | undefined;
  return () => (known ??= [compute()])[0];
}
