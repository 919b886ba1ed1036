import { waitUntil as waitUntilSoon } from '@open-wc/testing';

/** Waits for a condition almost as long as a test may take, so that slow machines do not reach the timeout. */
export const waitUntil = (isSo: () => unknown, message?: string): Promise<void> =>
  waitUntilSoon(isSo, message, { interval: 10, timeout: 100_000 });
