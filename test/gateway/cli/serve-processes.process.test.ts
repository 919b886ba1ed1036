import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { RedisServer, skip } from '../../support/gateway/redis-server.js';
import { listen, makeFolder, manifestText, openShop, post, start } from '../../support/gateway/serve-process.js';

const textAt = async (url: string): Promise<string> => await (await fetch(url)).text();

describe('webmcp-gateway serve, as several processes', () => {
  it('returns the same metadata and continues the sessions of a shared Redis', { skip }, async () => {
    const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
    const { url: redis } = await RedisServer.start();
    const args = ['webmcp.json', '--base-url', site.origin, '--allow-private', '--sessions', redis];
    const gateways = await Promise.all([listen(args, { cwd }), listen(args, { cwd })]);
    const [one, other] = gateways;
    assert.equal(await textAt(one.url), await textAt(other.url));
    const order = { action: 'order', request: { what: 'tea' } };
    const first = await post(one.url, { ...order, sessionId: 'the-session-of-mine' });
    assert.deepEqual(first.body, (await post(other.url, { ...order, sessionId: 'the-session-of-another' })).body);
    const find = { action: 'find', request: { q: 'tea' }, sessionId: 'the-session-of-mine' };
    const calls = Array.from({ length: 100 }, (_, index) => post(gateways[index % 2]?.url ?? '', find));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)], [200]);
    const cookies = site.requests.slice(-100).map(({ headers }) => headers.cookie);
    assert.deepEqual([...new Set(cookies)], ['shown=COOKIE-VALUE-123']);
    assert.deepEqual(await Promise.all(gateways.map(({ stop }) => stop())), [0, 0]);
  });

  it('refuses the folder of another process, and opens it after that process was killed', async () => {
    const cwd = await makeFolder({ 'webmcp.json': manifestText() });
    const args = ['webmcp.json', '--base-url', 'https://shop.example', '--sessions', 'sessions', '--port', '0'];
    const first = await listen(args, { cwd });
    const second = start(args, { cwd });
    assert.equal(await second.exit, 2);
    assert.match(
      second.stderr(),
      new RegExp(
        `^webmcp-gateway: The folder .*/sessions/sessions is in use by the process ${first.child.pid}\\. Stop it, or `,
      ),
    );
    assert.equal(await first.stop('SIGKILL'), 'SIGKILL');
    const third = await listen(args, { cwd });
    assert.equal(await third.stop(), 0);
  });
});
