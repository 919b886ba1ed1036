import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Runs the steps after the current test, or, outside of a test, after the current suite or file. */
export function atEnd(steps: () => unknown): void {
  const register = TestRunner.getCurrentTest() ? onTestFinished : afterAll;
  register(async () => void (await steps()));
}
