// @module-tag long
import assert from 'node:assert/strict';
import { queryObjects } from 'node:v8';
import { describe, it } from 'vitest';
import { Request as UndiciRequest } from 'undici';
import { createNodeFetch } from '../../../src/http/node-fetch.js';
import { GatewayError } from '../../../gateway/src/index.js';
import { call, pageOf } from '../../support/gateway/calls.js';
import { openSite } from '../../support/gateway/recording.js';

const codeOf = (error: unknown): unknown => (error instanceof GatewayError ? error.code : undefined);

describe('submitForm, called again and again', () => {
  it('releases the requests of calls whose responses break', async (t) => {
    const site = await openSite((_, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy());
    });
    t.onTestFinished(site.close);
    const html = pageOf('method=post action=/sent', '<input name=a value=1>');
    const fetch = createNodeFetch({ allowPrivateAddresses: true });
    for (let count = 0; count < 40; count++) {
      // The stack of the error must not be read: until then, V8 references the objects of its frames.
      const code = await call({ html, fetch, pageUrl: `${site.origin}/page` }).catch(codeOf);
      assert.equal(code, 'upstream-broken');
    }
    const kept = queryObjects(UndiciRequest, { format: 'count' });
    assert.ok(kept <= 10, `${kept} of 40 requests are still referenced`);
  });
});
