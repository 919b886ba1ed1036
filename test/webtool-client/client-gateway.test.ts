import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { createStorage } from 'unstorage';
import { connectWebtool } from '../../src/webtool-client/index.js';
import { LiveManifest } from '../../gateway/src/manifest.js';
import { writeRelease } from '../../gateway/src/releases/releases.js';
import { metadataOf } from '../support/gateway/releases.js';
import { failureOf, secret } from './client-server.js';
import { manifest, manifestOf, page, serveWebtool } from '../support/gateway/webtool-site.js';

describe('connectWebtool, with a gateway', () => {
  it('accepts the hash of a release', async (t) => {
    const { url } = await serveWebtool(t);
    const { hash } = await metadataOf(manifest);
    const webtool = await connectWebtool(url, { version: '1.0.0', hash });
    assert.deepEqual(
      webtool.actions.map(({ name, title, readOnly, consequential }) => [name, title, readOnly, consequential]),
      [
        ['search', 'Search', true, false],
        ['order', undefined, false, true],
        ['note', undefined, false, true],
        ['upload', undefined, false, true],
      ],
    );
  });

  it('submits a form with a call', async (t) => {
    const { url, site } = await serveWebtool(t);
    const webtool = await connectWebtool(url);
    const data = await webtool.call('search', { q: 'tea', count: 3 });
    assert.deepEqual(data, {
      status: 200,
      url: `${site.origin}/search?q=tea&count=3`,
      contentType: 'application/json',
      json: { method: 'GET', url: '/search?q=tea&count=3', body: '', cookie: null },
    });
  });

  it('rejects invalid input with all parameter errors and sends nothing', async (t) => {
    const { url, site } = await serveWebtool(t);
    const webtool = await connectWebtool(url);
    const error = await failureOf(webtool.call('search', { count: 'many', color: 'green' }), 'SCHEMA_ERROR');
    assert.equal(error.status, 422);
    assert.deepEqual(error.parameters.map(({ parameter }) => parameter).sort(), ['color', 'count', 'q']);
    for (const { message } of error.parameters) assert.ok(error.message.includes(message), error.message);
    assert.equal(site.requests.length, 0);
  });

  it('uses one session per connection', async (t) => {
    const { url, site } = await serveWebtool(t, {
      answering: (response, { headers }) => {
        response.setHeader('set-cookie', 'basket=1');
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(headers.cookie ?? null));
      },
    });
    const webtool = await connectWebtool(url);
    await webtool.call('search', { q: 'tea' });
    await webtool.call('search', { q: 'milk' });
    await (await connectWebtool(url)).call('search', { q: 'tea' });
    assert.deepEqual(
      site.requests.map(({ headers }) => headers.cookie),
      [undefined, 'basket=1', undefined],
    );
  });

  it('rejects an invalid configuration without quoting it', async (t) => {
    const { url } = await serveWebtool(t);
    const webtool = await connectWebtool(url, { config: { password: secret } });
    assert.equal((await failureOf(webtool.call('search', { q: 'tea' }), 'CONFIG_ERROR')).status, 422);
  });

  it('calls the pinned release after the site changed', async (t) => {
    const versions = createStorage();
    const live = new LiveManifest(manifest);
    const { url, site } = await serveWebtool(t, { manifest: live, versions });
    const metadata = await metadataOf(manifest);
    const { version, hash } = metadata;
    await writeRelease(versions, { version, hash, released: '2025-06-30T00:00:00Z', metadata, manifest });
    const webtool = await connectWebtool(url);
    assert.equal(webtool.hash, hash);
    live.update(manifestOf(page.replace('name=count', 'name=amount'), '2.0.0'));
    await webtool.call('search', { q: 'tea', count: 2 });
    assert.equal(site.requests.at(-1)?.url, '/search?q=tea&count=2');
    assert.equal((await connectWebtool(url, { version, hash })).hash, hash);
    const { message } = await failureOf(connectWebtool(url, { hash }), 'WEBTOOL_CHANGED');
    assert.match(message, /version "2\.0\.0", changed since they were pinned/);
    await failureOf(connectWebtool(url, { version: '3.0.0' }), 'WEBTOOL_NOT_FOUND');
  });

  it('rejects a call of a version that no longer exists', async (t) => {
    const live = new LiveManifest(manifest);
    const { url, site } = await serveWebtool(t, { manifest: live });
    const webtool = await connectWebtool(url);
    live.update(manifestOf(page, '2.0.0'));
    await failureOf(webtool.call('search', { q: 'tea' }), 'WEBTOOL_NOT_FOUND');
    assert.equal(site.requests.length, 0);
  });
});
