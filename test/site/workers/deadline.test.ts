import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { DeadlineError, runWithDeadline } from '../../../src/site/workers/deadline.js';

describe('runWithDeadline', () => {
  it('ends busy loops and regular expressions, and can be used again', () => {
    const busy: readonly (() => unknown)[] = [
      () => {
        for (;;);
      },
      () => /^(a+)+$/.test(`${'a'.repeat(50)}b`),
      () => {
        try {
          for (;;);
        } catch {
          return 'caught';
        }
      },
    ];
    for (const work of busy) {
      assert.throws(() => runWithDeadline(work, 50), DeadlineError);
      assert.equal(
        runWithDeadline(() => 'next', 60_000),
        'next',
      );
    }
  });

  it('returns the result of the work, and throws its error', () => {
    const error = new TypeError('x');
    assert.equal(
      runWithDeadline(() => undefined, 60_000),
      undefined,
    );
    assert.throws(
      () =>
        runWithDeadline(() => {
          throw error;
        }, 60_000),
      error,
    );
  });
});
