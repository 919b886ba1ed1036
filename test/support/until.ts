/** Polls until a value is truthy, and returns it. The deadline of the test file ends it otherwise. */
export async function until<Value>(read: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  for (;;) {
    const value = await read();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
