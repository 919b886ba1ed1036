import assert from 'node:assert/strict';
import { it } from 'vitest';
import { until } from '../support/until.js';

it('until throws an error with the condition that is never fulfilled', async () => {
  await assert.rejects(
    until(() => false, 50),
    /Waited 0\.05 seconds in vain for \(\) => false/,
  );
});

it('until throws an error if the condition is never read', async () => {
  await assert.rejects(
    until(() => new Promise<boolean>(() => undefined), 50),
    /in vain/,
  );
});
