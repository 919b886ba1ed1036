/** The time after which a wait fails. It only ends tests that hang: no machine is this slow. */
const patienceMs = 240_000;

/** Polls until a value is truthy, and returns it. Throws an error with the condition after `limitMs`. */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  limitMs = patienceMs,
): Promise<NonNullable<Value>> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error(`Waited ${limitMs / 1000} seconds in vain for ${read.toString()}`));
    timer = setTimeout(fail, limitMs);
  });
  try {
    for (;;) {
      const value = await Promise.race([limit, read()]);
      if (value) return value;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    clearTimeout(timer);
  }
}
