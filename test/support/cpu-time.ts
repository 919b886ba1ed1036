import assert from 'node:assert/strict';

/**
 * Runs steps, and fails if they exceed the CPU time. Unlike a timeout, this limit does not depend on other processes of
 * the machine, and also applies to synchronous steps.
 */
export async function withinCpuSeconds<Value>(seconds: number, steps: () => Value): Promise<Awaited<Value>> {
  const start = process.cpuUsage();
  const value = await steps();
  const { user, system } = process.cpuUsage(start);
  const used = (user + system) / 1e6;
  assert.ok(used < seconds, `${used} s of CPU time instead of at most ${seconds} s`);
  return value;
}
