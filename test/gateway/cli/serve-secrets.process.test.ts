import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { listen, makeFolder, manifestText, openShop, post, replaceFile } from '../../support/gateway/serve-process.js';

const secrets = [
  'TOKEN-S3CRET-0123456789',
  'KEY-S3CRET-ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'HEADER-S3CRET',
  'VALUE-S3CRET',
  'URL-S3CRET',
  'CLIENT-S3CRET',
  'INPUT-S3CRET',
  'SESSION-SECRET-S3CRET',
  'COOKIE-VALUE-123',
  'HIDDEN-TOKEN-1',
  'QUERY-S3CRET',
  Buffer.from('me:URL-S3CRET').toString('base64'),
];

const config = JSON.stringify({
  headers: { 'x-key': 'HEADER-S3CRET' },
  values: { pay: { pw: 'VALUE-S3CRET' } },
});

describe('the log of webmcp-gateway serve', () => {
  it('has no secret after any kind of request', async () => {
    const site = await openShop();
    const manifest = JSON.stringify({ ...(JSON.parse(manifestText()) as object), name: 'plain-shop' });
    const cwd = await makeFolder({ 'webmcp.json': manifest, 'config.json': config });
    const base = site.origin.replace('//', '//me:URL-S3CRET@');
    const { url, stop, stderr, stdout, line } = await listen(
      [
        ...['webmcp.json', '--base-url', base, '--allow-private', '--config', 'config.json', '--client-secrets'],
        ...['--sessions', 'sessions', '--log-level', 'debug', '--rate-limit', '10/3600'],
      ],
      {
        cwd,
        env: {
          WEBMCP_FORMS_TOKEN: 'TOKEN-S3CRET-0123456789',
          WEBMCP_FORMS_SESSION_KEY: 'KEY-S3CRET-ABCDEFGHIJKLMNOPQRSTUVWXYZ plain',
        },
      },
    );
    const call = (body: object, headers = {}): ReturnType<typeof post> =>
      post(`${url}?q=QUERY-S3CRET`, body, {
        authorization: 'Bearer TOKEN-S3CRET-0123456789',
        cookie: 'a=CLIENT-S3CRET',
        ...headers,
      });
    const session = { sessionId: 'SESSION-SECRET-S3CRET' };
    assert.equal((await call({ ...session, action: 'pay', request: { what: 'INPUT-S3CRET' } })).status, 200);
    assert.equal((await call({ ...session, action: 'order', request: { what: 'INPUT-S3CRET' } })).status, 200);
    assert.equal((await call({ ...session, action: 'find', request: { other: 'INPUT-S3CRET' } })).status, 422);
    const invalidConfig = { values: { order: { 'CLIENT-S3CRET': 'CLIENT-S3CRET' } } };
    assert.equal((await call({ ...session, action: 'order', config: invalidConfig, request: {} })).status, 422);
    assert.equal((await call({ ...session, action: 'INPUT-S3CRET', request: {} })).status, 404);
    assert.equal((await call({}, { authorization: 'Bearer CLIENT-S3CRET' })).status, 401);
    await call({}, { host: 'INPUT-S3CRET.example' });
    await fetch(`${url}QUERY-S3CRET`, { headers: { authorization: 'Bearer TOKEN-S3CRET-0123456789' } });
    await fetch(url, {
      method: 'POST',
      headers: { authorization: 'Bearer TOKEN-S3CRET-0123456789' },
      body: 'INPUT-S3CRET',
    });
    const headers = { authorization: 'Bearer TOKEN-S3CRET-0123456789', 'content-type': 'application/json' };
    await fetch(`${url}mcp`, { method: 'POST', headers, body: '{"INPUT-S3CRET' });
    site.server.close();
    site.server.closeAllConnections();
    assert.equal((await call({ ...session, action: 'find', request: { q: 'INPUT-S3CRET' } })).status, 502);
    for (let turn = 0; turn < 5; turn++) await call({ action: 'find', request: { q: 'INPUT-S3CRET' } });
    await replaceFile(cwd, 'webmcp.json', '{"INPUT');
    await line('the manifest was not reloaded: the previous one is still served');
    assert.equal(await stop(), 0);
    assert.ok(site.requests.some(({ body }) => body.includes('VALUE-S3CRET')));
    assert.ok(site.requests.some(({ headers: sent }) => sent['x-key'] === 'HEADER-S3CRET'));
    const text = `${stderr()}${stdout()}`;
    assert.match(text, /"code":"rate-limit"/);
    assert.match(text, /"name":"plain-shop"/); // the word plain in the key is not a secret
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${text}`);
  });
});
