import assert from 'node:assert/strict';
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { inspect, promisify } from 'node:util';
import { describe, it } from 'vitest';
import { Redis } from 'ioredis';
import type { Storage } from 'unstorage';
import { atEnd } from '../../support/at-end.js';
import { openRedis } from '../../../gateway/src/node/redis-store.js';
import { openStore, type OpenStore } from '../../../gateway/src/node/stores.js';
import { createSessions, type Sessions } from '../../../gateway/src/stores/sessions.js';
import { listReleases, readRelease, writeRelease } from '../../../gateway/src/releases/releases.js';
import { until } from '../../support/until.js';
import { builtPath, endWithTest } from '../../support/processes.js';
import { failureOf, secret } from '../../support/gateway/calls.js';
import { RedisServer, skip } from '../../support/gateway/redis-server.js';
import { releaseOf } from '../../support/gateway/releases.js';

const site = 'https://shop.example/';
const noTimeout = 600_000;
const runScript = async (file: string, ...argv: readonly string[]): Promise<string> => {
  return (await promisify(execFile)(process.execPath, [builtPath(`scripts/${file}`), ...argv])).stdout;
};

function startContenders(location: string, name: string, count: number): ChildProcess {
  return endWithTest(fork(builtPath('scripts/contender'), [location, name, String(count)], { execArgv: [] }));
}

async function open(location: string, base = 'sessions'): Promise<OpenStore> {
  const store = await openStore(location, base);
  atEnd(() => store.close());
  return store;
}

/** The sessions of a store, without a timeout of their own: only those of the store end its operations. */
const sessionsOf = ({ storage }: Pick<OpenStore, 'storage'>): Sessions =>
  createSessions(storage, 60, { timeoutMs: noTimeout });

async function saveCookie(store: Pick<OpenStore, 'storage'>, cookie: string): Promise<void> {
  const session = await sessionsOf(store).open('key');
  await session.jar.setCookie(cookie, site);
  await session.save();
}

const cookiesOf = async (store: Pick<OpenStore, 'storage'>): Promise<string> =>
  (await sessionsOf(store).open('key')).jar.getCookieString(site);

/** Opens a client for the commands of the test itself. */
async function clientOf(server: RedisServer): Promise<Redis> {
  const client = new Redis(server.url);
  client.on('error', () => undefined);
  atEnd(() => {
    client.disconnect();
  });
  await client.ping();
  return client;
}

/** Retries until the operation succeeds. */
const eventually = async <Value>(operation: () => Promise<Value>): Promise<Value> =>
  (
    await until(() =>
      operation().then(
        (value) => ({ value }),
        () => undefined,
      ),
    )
  ).value;

describe('a store of sessions in Redis', { skip }, () => {
  it('persists sessions across restarts, and expires them', async () => {
    const server = await RedisServer.start();
    await saveCookie(await open(server.url), 'a=1');
    assert.equal(await cookiesOf(await open(`${server.url}/0`)), 'a=1');
    assert.equal(await cookiesOf(await open(`${server.url}/1`)), '');
    const client = await clientOf(server);
    const [key = '', ...others] = await client.keys('*');
    assert.match(key, /^webmcp-forms:sessions:[\da-f]{64}$/);
    assert.deepEqual(others, []);
    const seconds = await client.ttl(key);
    assert.ok(seconds > 100 && seconds <= 120, String(seconds));
  });

  it('loses no cookie of 12 concurrent writers in 3 processes, in 60 rounds', async () => {
    const server = await RedisServer.start();
    const children = ['a', 'b', 'c'].map((name) => startContenders(server.url, name, 4));
    await Promise.all(children.map((child) => once(child, 'message')));
    const store = await open(server.url);
    const lost: string[] = [];
    for (let round = 1; round <= 60; round++) {
      const answers = children.map((child) => once(child, 'message'));
      for (const child of children) child.send(round);
      await Promise.all(answers);
      const current = (await cookiesOf(store)).split('; ').filter((cookie) => cookie.endsWith(`=${round}`));
      if (current.length !== 12) lost.push(`${round}: ${current.join()}`);
    }
    assert.deepEqual(lost, []);
  });

  it('replaces a damaged session', async () => {
    const server = await RedisServer.start();
    const store = await open(server.url);
    await saveCookie(store, 'a=1');
    const client = await clientOf(server);
    const [key = ''] = await client.keys('*');
    for (const damaged of ['', 'x', '{"expires":', '"x"', 'null']) {
      await client.set(key, damaged);
      assert.equal(await cookiesOf(store), '');
      await saveCookie(store, 'b=2');
      assert.equal(await cookiesOf(store), 'b=2');
    }
    await client.del(key);
    await client.rpush(key, 'a list');
    await failureOf(cookiesOf(store), 'store-unavailable');
  });

  it('fails at once while Redis is down, and recovers', async () => {
    const server = await RedisServer.start();
    const timeouts = { connectTimeout: noTimeout, commandTimeout: noTimeout, socketTimeout: noTimeout };
    const storage = await openRedis(new URL(server.url), 'webmcp-forms:sessions', timeouts);
    atEnd(() => storage.dispose());
    const store = { storage };
    await saveCookie(store, 'a=1');
    const session = await sessionsOf(store).open('key');
    await session.jar.setCookie('b=2', site);
    await server.kill();
    await failureOf(session.save(), 'store-unavailable');
    await failureOf(cookiesOf(store), 'store-unavailable');
    await server.start();
    await eventually(() => session.save());
    assert.equal(await eventually(() => cookiesOf(store)), 'a=1; b=2');
  });

  it('reports a Redis that does not respond as unavailable', async () => {
    const server = await RedisServer.start();
    const timeouts = { connectTimeout: 200, commandTimeout: 150, socketTimeout: 200 };
    const openShort = (): Promise<Storage> => openRedis(new URL(server.url), 'webmcp-forms:sessions', timeouts);
    const storage = await eventually(openShort);
    atEnd(() => storage.dispose());
    await eventually(() => saveCookie({ storage }, 'a=1'));
    server.freeze();
    const start = Date.now();
    await failureOf(cookiesOf({ storage }), 'store-unavailable');
    const error = await failureOf(openShort(), 'store-unavailable');
    assert.match(error.message, /^The store redis:\/\/127\.0\.0\.1:\d+ cannot be opened: it does not respond\.$/);
    assert.ok(Date.now() - start < 5000);
    server.thaw();
    assert.equal(await eventually(() => cookiesOf({ storage })), 'a=1');
  });

  it('reports why a Redis cannot be opened, without the password', async () => {
    const server = await RedisServer.start('--requirepass', secret);
    const at = (credentials: string): string => server.url.replace('//', `//${credentials}`);
    await saveCookie(await open(at(`:${secret}@`)), 'a=1');
    const messages = [
      [at(''), /: a password is required\.$/],
      [at(`:${secret}${secret}@`), /: the credentials are rejected\.$/],
      [
        `redis://u:${secret}@127.0.0.1:1`,
        /^The store redis:\/\/127\.0\.0\.1:1 cannot be opened: the connection is refused\.$/,
      ],
      [`rediss://u:${secret}@${server.url.slice('redis://'.length)}`, /cannot be opened/],
    ] as const;
    for (const [location, message] of messages) {
      const error = await failureOf(openStore(location, 'sessions'), 'store-unavailable');
      assert.match(error.message, message);
      assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), new RegExp(secret));
    }
  });

  it('does not write errors to the console', async () => {
    const server = await RedisServer.start();
    const script = `
      import { openStore } from ${JSON.stringify(new URL('../../../gateway/src/node/stores.ts', import.meta.url))};
      const { storage, close } = await openStore(process.argv[1], 'sessions');
      process.stdout.write('open');
      while (await storage.getItem('x').then(() => true, () => false)) await new Promise((resolve) => setTimeout(resolve, 20));
      await new Promise((resolve) => setTimeout(resolve, 500));
      await close();`;
    const argv = [
      '--conditions=@webmcp-forms/source',
      '--import',
      import.meta.resolve('tsx'),
      '--input-type=module',
      '-e',
      script,
      server.url,
    ];
    const running = promisify(execFile)(process.execPath, argv);
    await once(running.child.stdout as Readable, 'data');
    await server.kill();
    const { stderr } = await running;
    assert.equal(stderr, '');
  });
});

describe('a store of releases in Redis', { skip }, () => {
  it('accepts one of several concurrent releases of a version', async () => {
    const server = await RedisServer.start();
    const names = ['a', 'b', 'c', 'd'];
    const outcomes = await Promise.all(names.map((name) => runScript('release', server.url, name)));
    assert.deepEqual([...outcomes].sort(), ['config-error', 'config-error', 'config-error', 'written']);
    const { storage } = await open(server.url, 'releases');
    const release = await readRelease(storage, 'shop', '1.0.0');
    assert.equal(release?.metadata.actions[0]?.name, names[outcomes.indexOf('written')]);
    assert.equal(await writeRelease(storage, release as never), 'same');
    assert.deepEqual((await listReleases(storage, 'shop')).releases, [release]);
    assert.deepEqual(await (await clientOf(server)).keys('*'), ['webmcp-forms:releases:shop:1.0.0.json']);
  });

  it('preserves every character of names and schemas', async () => {
    const server = await RedisServer.start();
    const { storage } = await open(server.url, 'releases');
    for (const name of ['a:b', 'a/b', 'a*', 'a?', 'A', 'é', '\ud800', '__proto__', '']) {
      const release = await releaseOf({ name });
      assert.equal(await writeRelease(storage, release), 'written');
      assert.deepEqual(await readRelease(storage, name, '1.0.0'), release);
      assert.deepEqual((await listReleases(storage, name)).releases, [release]);
    }
  });
});
