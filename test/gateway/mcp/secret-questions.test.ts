import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { SecretQuestions } from '../../../gateway/src/mcp/ask/secrets/secret-questions.js';
import { until } from '../../support/until.js';

describe('SecretQuestions', () => {
  it('ends a question and forgets its answer when its time is over', async () => {
    const questions = new SecretQuestions(20);
    const about = { client: undefined, tool: '', place: '', lines: [], fields: [], accepts: () => true };
    let released = 0;
    const place = { url: new URL('https://tools.shop.example/mcp/'), release: () => released++ };
    const openOne = () =>
      questions.open({ ...about, isCurrent: () => Promise.resolve(true) }, undefined, () => Promise.resolve(place));
    const [first, second] = [await openOne(), await openOne()];
    assert.ok(questions.answer(second, { pin: 'correct-horse-7' }));
    await questions.settled(first, 600_000, new AbortController().signal);
    await questions.settled(second, 600_000, new AbortController().signal);
    await until(() => released === 2); // the second question begins later
    assert.deepEqual([questions.take(first), questions.take(second), released], ['expired', 'expired', 2]);
  });
});
