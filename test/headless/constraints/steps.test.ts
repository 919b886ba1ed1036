import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { call, failureOf, pageOf } from '../../support/gateway/calls.js';
import { openSite } from '../../support/gateway/recording.js';

describe('submitForm, for a number with a step', () => {
  it('accepts only the rounding errors of floats that Chromium accepts', async (t) => {
    const site = await openSite((_, response) => response.end('received'));
    t.onTestFinished(site.close);
    const html = pageOf('method=post action=/sent', '<input name=n type=number step=0.1 min=-1>');
    const send = (n: number): ReturnType<typeof call> => call({ html, pageUrl: `${site.origin}/page`, input: { n } });
    for (const number of [0.1 + 0.2, 0.3, -0.7999999999999999, 1.000000001]) {
      assert.equal((await send(number)).status, 200, String(number));
      assert.equal(site.requests.at(-1)?.body, `n=${number}`);
    }
    const count = site.requests.length;
    for (const number of [0.30000002, 0.35, 1.05])
      assert.match((await failureOf(send(number), 'schema-error')).message, /step/i);
    assert.equal(site.requests.length, count);
  });

  for (const [step, n, isAccepted] of [
    ['3e-15', 17, false],
    ['7', 6e16, false],
    ['7', 7e16, true],
    ['3', 1e300, true],
    ['0.3', 1e16, true],
  ] as const)
    it(`${isAccepted ? 'accepts' : 'refuses'} ${n} with the step ${step}, as Chromium does`, async (t) => {
      const site = await openSite((_, response) => response.end('received'));
      t.onTestFinished(site.close);
      const html = pageOf('method=post action=/sent', `<input name=n type=number step=${step}>`);
      const sent = call({ html, pageUrl: `${site.origin}/page`, input: { n } });
      if (isAccepted) assert.equal((await sent).status, 200);
      else assert.match((await failureOf(sent, 'schema-error')).message, /step/i);
    });
});
