import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { listen, makeFolder, manifestText, openShop, post } from './serve-process.js';

const textAt = async (url: string): Promise<string> => await (await fetch(url)).text();

describe('webmcp-gateway serve, as several processes', () => {
  it('returns the same metadata and continues the sessions of a shared folder', async () => {
    const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
    const args = ['webmcp.json', '--base-url', site.origin, '--allow-private', '--sessions', 'sessions'];
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
});
