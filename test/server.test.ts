import assert from 'node:assert/strict';
import { test } from 'vitest';

// Server-side rendering imports what the page imports.
test('the polyfill can be imported and applied without a document, and does nothing', async () => {
  const { apply, isPolyfilled, isSupported } = await import('../src/polyfill/index.js');
  assert.equal(apply({ validate: 'ajv' }), undefined);
  assert.deepEqual([isSupported(), isPolyfilled()], [false, false]);
  await import('../src/auto.js');
  assert.equal('modelContext' in globalThis, false);
});
