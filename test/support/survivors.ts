/** Exposed by a flag of Chromium. Other engines do not let a page collect garbage. */
const collect = (globalThis as { gc?: (options: object) => Promise<void> }).gc;
export const canCollect = collect !== undefined;

/**
 * The number of objects that survive repeated garbage collections. One collection may leave unreachable objects, because the
 * machine's stack may still refer to them.
 */
export async function survivors(references: readonly WeakRef<object>[]): Promise<number> {
  let count = references.length;
  for (let round = 0; round < 20 && count > 0; round++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    await collect?.({ type: 'major', execution: 'async' });
    count = references.filter((reference) => reference.deref()).length;
  }
  return count;
}
