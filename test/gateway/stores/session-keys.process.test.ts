import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'vitest';
import { createStorage } from 'unstorage';
import { openStore } from '../../../gateway/src/node/stores.js';
import { createSessionKeys } from '../../../gateway/src/stores/session-keys.js';
import { createSessions, removeExpiredSessions } from '../../../gateway/src/stores/sessions.js';
import type { Storage as SessionStorage } from '../../../gateway/src/stores/store.js';
import { failureOf } from '../../support/gateway/calls.js';
import { RedisServer, skip } from '../../support/gateway/redis-server.js';

const site = 'https://shop.example/';
const [first, second] = ['3q2+7wC1vY4mT8sXbN0pLkJhGfDsAzQ5', 'ZxCvBnMqWeRtYuIoPaSdFgHjKl012345'];

async function saveCookie(storage: SessionStorage, cookie: string, ...secrets: readonly string[]): Promise<void> {
  const keys = secrets.length > 0 ? createSessionKeys(secrets) : undefined;
  const session = await createSessions(storage, 60, { timeoutMs: 600_000, keys }).open('key');
  await session.jar.setCookie(cookie, site);
  await session.save();
}

async function cookiesOf(storage: SessionStorage, ...secrets: readonly string[]): Promise<string> {
  const keys = secrets.length > 0 ? createSessionKeys(secrets) : undefined;
  return (await createSessions(storage, 60, { timeoutMs: 600_000, keys }).open('key')).jar.getCookieString(site);
}

async function itemOf(storage: SessionStorage): Promise<readonly [string, Record<string, unknown>]> {
  const [id = ''] = await storage.getKeys();
  return [id, (await storage.getItem<Record<string, unknown>>(id)) ?? {}];
}

/** The stores of this package, and one without atomic operations. */
const stores: Readonly<Record<string, (t: TestContext) => Promise<SessionStorage>>> = {
  memory: async () => (await openStore('memory', 'sessions')).storage,
  'another driver': () => Promise.resolve(createStorage()),
  folder: async (t) => {
    const location = await mkdtemp(join(tmpdir(), 'webmcp-forms-keys-'));
    t.onTestFinished(() => rm(location, { recursive: true, force: true }));
    return (await openStore(location, 'sessions')).storage;
  },
  Redis: async (t) => {
    const { storage, close } = await openStore((await RedisServer.start()).url, 'sessions');
    t.onTestFinished(close);
    return storage;
  },
};

for (const [name, open] of Object.entries(stores)) {
  describe(`encrypted sessions in a store of the kind "${name}"`, { skip: name === 'Redis' && skip }, () => {
    it('contain no cookie, and are read and changed with their key', async (t) => {
      const storage = await open(t);
      await saveCookie(storage, 'a=VALUE', first);
      const [id, item] = await itemOf(storage);
      assert.deepEqual(Object.keys(item), ['expires', 'created', 'encrypted']);
      assert.doesNotMatch(JSON.stringify(item), /VALUE|shop/);
      assert.equal(await cookiesOf(storage, first), 'a=VALUE');
      await saveCookie(storage, 'b=2', first);
      assert.equal(await cookiesOf(storage, first), 'a=VALUE; b=2');
      assert.notEqual((await storage.getItem<{ encrypted?: string }>(id))?.encrypted, item['encrypted']);
    });

    it('are read with an older key, and encrypted with the first one when they change', async (t) => {
      const storage = await open(t);
      await saveCookie(storage, 'a=1', first);
      await saveCookie(storage, 'b=2', second, first);
      assert.equal(await cookiesOf(storage, second), 'a=1; b=2');
      await failureOf(cookiesOf(storage, first), 'store-unavailable');
    });

    it('are reported and not replaced if the key is wrong or missing', async (t) => {
      const storage = await open(t);
      await saveCookie(storage, 'a=1', first);
      const session = await createSessions(storage, 60, { timeoutMs: 600_000, keys: createSessionKeys([first]) }).open(
        'key',
      );
      const wrong = await failureOf(cookiesOf(storage, second), 'store-unavailable');
      assert.match(wrong.message, /encrypted with another key\. Add it to WEBMCP_FORMS_SESSION_KEY/);
      assert.match((await failureOf(cookiesOf(storage), 'store-unavailable')).message, /the key is missing/);
      await failureOf(saveCookie(storage, 'b=2', second), 'store-unavailable');
      assert.equal(await removeExpiredSessions(storage), 0);
      await session.save();
      assert.equal(await cookiesOf(storage, first), 'a=1');
    });
  });
}

describe('encrypted sessions', () => {
  it('are new sessions if the item, its ID or its times were changed', async () => {
    const storage = createStorage();
    await saveCookie(storage, 'a=1', first);
    const [id, item] = await itemOf(storage);
    const encrypted = String(item['encrypted']);
    const [key, nonce, data = ''] = encrypted.split('.');
    const other = data.startsWith('A') ? 'B' : 'A';
    for (const change of [
      { expires: Number(item['expires']) + 1 },
      { created: Number(item['created']) + 1 },
      { encrypted: [key, nonce, other + data.slice(1)].join('.') },
      { encrypted: [key, nonce, ''].join('.') },
      { encrypted: '' },
      { encrypted: 1 },
      { encrypted: null },
    ]) {
      await storage.setItem(id, { ...item, ...change });
      assert.equal(await cookiesOf(storage, first), '', JSON.stringify(change));
    }
    await storage.clear();
    const sessions = createSessions(storage, 60, { timeoutMs: 600_000, keys: createSessionKeys([first]) });
    const session = await sessions.open('another key');
    await session.jar.setCookie('b=2', site);
    await session.save();
    const [otherId] = await itemOf(storage);
    await storage.setItem(otherId, item);
    assert.equal(await (await sessions.open('another key')).jar.getCookieString(site), '');
  });

  it('accept sessions that are not encrypted only with "plain" after the keys', async () => {
    const storage = createStorage();
    await saveCookie(storage, 'a=1');
    const error = await failureOf(cookiesOf(storage, first), 'store-unavailable');
    assert.match(error.message, /not encrypted\. Add plain after the keys/);
    assert.equal(await cookiesOf(storage, first, 'plain'), 'a=1');
    await saveCookie(storage, 'b=2', first, 'plain');
    assert.equal(await cookiesOf(storage, first), 'a=1; b=2');
  });

  it('require keys that are long and random', async () => {
    for (const secrets of [[], [''], ['short'], [first.slice(1)], ['a'.repeat(64)], ['plain'], ['plain', first]]) {
      const create = (): Promise<unknown> => new Promise((resolve) => resolve(createSessionKeys(secrets)));
      const { message } = await failureOf(create(), 'config-error');
      assert.match(message, /^The key of sessions is invalid: .*openssl rand -base64 32/);
      for (const secret of secrets.filter((each) => each.length > 5)) assert.ok(!message.includes(secret), message);
    }
  });
});
