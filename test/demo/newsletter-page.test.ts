import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { until } from '../support/until.js';

type Submit = (event: { preventDefault(): void; submitter: null }) => void;

test('the newsletter page reports a response that is not from the newsletter', async ({ onTestFinished }) => {
  onTestFinished(() => void vi.unstubAllGlobals());
  let submit: Submit = () => undefined;
  const form = { action: '/newsletter.html', addEventListener: (_: string, listener: Submit) => (submit = listener) };
  const answer = { textContent: '' };
  const fakes = {
    document: { querySelector: (selector: string) => (selector === '#newsletter-form' ? form : answer) },
    FormData: class {
      *[Symbol.iterator]() {
        yield ['email', 'ada@example.com'];
      }
    },
  };
  for (const [name, value] of Object.entries(fakes)) vi.stubGlobal(name, value);
  const page: string = '../../demo/newsletter.js'; // typed for browsers, which this test is not
  await import(page);
  for (const [status, body, said] of [
    [500, { error: 'Broken' }, /did not answer/],
    [413, { error: 'Too large' }, /did not answer/],
    [422, { problems: { email: 'Enter an address.' } }, /^Enter an address\.$/],
    [200, { message: 'Yes' }, /^Yes$/],
  ] as const) {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, { status })));
    answer.textContent = '';
    submit({ preventDefault: () => undefined, submitter: null });
    await until(() => answer.textContent !== '');
    assert.match(answer.textContent, said);
  }
});
