import assert from 'node:assert/strict';

/**
 * Runs steps, and fails if they take more CPU time. Unlike a timeout, it does not depend on the other processes of the
 * machine, and it also fails steps that never await anything.
 */
export async function withinCpuSeconds<Value>(seconds: number, steps: () => Value): Promise<Awaited<Value>> {
  const start = process.cpuUsage();
  const value = await steps();
  const { user, system } = process.cpuUsage(start);
  const used = (user + system) / 1e6;
  assert.ok(used < seconds, `${used} s of CPU time instead of at most ${seconds} s`);
  return value;
}
