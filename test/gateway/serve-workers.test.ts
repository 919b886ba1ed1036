import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { listen, makeFolder, manifestText, openShop, post, type Run, type Shop } from './serve-process.js';

const find = { action: 'find', request: { q: 'tea' } };

/** A gateway of two processes, and one of one. */
async function gateways(...more: readonly string[]): Promise<{
  readonly two: Run & { readonly url: string };
  readonly one: string;
  readonly cookies: () => unknown[];
  readonly busy: Shop['busy'];
}> {
  const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
  const args = ['webmcp.json', '--base-url', site.origin, '--allow-private', '--sessions', 'kept', ...more];
  const two = await listen([...args, '--workers', '2'], { cwd });
  const { url: one } = await listen(args, { cwd });
  return { two, one, cookies: () => site.requests.map(({ headers }) => headers.cookie), busy: site.busy };
}

const textAt = async (url: string): Promise<string> => await (await fetch(url)).text();

describe('webmcp-gateway serve --workers', () => {
  it('answers as one process does, with the sessions of all', async () => {
    const { two, one, cookies } = await gateways();
    assert.equal(await textAt(two.url), await textAt(one));
    const order = { action: 'order', request: { what: 'tea' }, sessionId: 'mine' };
    const first = await post(two.url, order);
    assert.deepEqual(first.body, (await post(one, { ...order, sessionId: 'other' })).body);
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(two.url, { ...find, sessionId: 'mine' })));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.deepEqual([...new Set(cookies().slice(-100))], ['shown=COOKIE-VALUE-123']);
    const pids = two.lines().flatMap(({ msg, pid }) => (msg === 'call' ? [pid] : []));
    assert.equal(new Set(pids).size, 2);
    assert.equal(await two.stop(), 0);
  });

  it('counts the calls of all together', async () => {
    const { two } = await gateways('--rate-limit', '10/60');
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(two.url, find)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 10);
    assert.equal(answers.filter(({ status }) => status === 429).length, 20);
  });

  it('replaces a worker that ends, and lets calls that run end', async () => {
    const { two, busy } = await gateways();
    await Promise.all(Array.from({ length: 10 }, () => post(two.url, find)));
    const [victim] = two.lines().flatMap(({ msg, pid }) => (msg === 'call' ? [pid] : []));
    process.kill(victim as number, 'SIGKILL');
    await two.line('a worker ended: another one takes its place');
    for (let turn = 0, pids = new Set<number>(); pids.size < 3; turn++) {
      assert.ok(turn < 200, 'no other worker answers');
      await post(two.url, find, { connection: 'close' }); // each connection goes to another worker
      pids = new Set(two.lines().flatMap(({ msg, pid }) => (msg === 'call' ? [pid] : [])));
      await wait(50);
    }
    const running = post(two.url, { action: 'find', request: { q: 'slow' } });
    const answerSlow = await busy();
    const exit = two.stop('SIGINT');
    await two.line('ending', 1);
    answerSlow();
    assert.equal((await running).status, 200);
    assert.equal(await exit, 0);
  });
});
