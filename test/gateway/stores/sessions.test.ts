import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { afterEach, describe, it, vi } from 'vitest';
import fc from 'fast-check';
import { createStorage, prefixStorage, type Driver, type Storage } from 'unstorage';
import memoryDriver from 'unstorage/drivers/memory';
import { removeExpiredSessions, createSessions, type Session } from '../../../gateway/src/stores/sessions.js';
import { defaultTimeoutMs } from '../../../gateway/src/stores/store.js';
import { failureOf, secret } from '../../support/gateway/calls.js';

const site = 'https://shop.example/';
const memory = (): Storage => createStorage({ driver: memoryDriver() as Driver });

const setCookies = async ({ jar }: Session, ...headers: readonly string[]): Promise<void> => {
  for (const header of headers) await jar.setCookie(header, site, { ignoreError: true, loose: true });
};
const cookieHeader = ({ jar }: Session, url = site): Promise<string> => jar.getCookieString(url);
const cookiesOf = async (storage: Storage, key = 'key'): Promise<string> =>
  cookieHeader(await createSessions(storage, 60).open(key));
const saveCookies = async (storage: Storage, ...headers: readonly string[]): Promise<void> => {
  const session = await createSessions(storage, 60).open('key');
  await setCookies(session, ...headers);
  await session.save();
};

/** The only item of a storage. */
async function itemOf(storage: Storage): Promise<{ readonly id: string; readonly item: Record<string, unknown> }> {
  const [id = ''] = await storage.getKeys();
  return { id, item: (await storage.getItem<Record<string, unknown>>(id)) ?? {} };
}

afterEach(() => void vi.useRealTimers());

describe('createSessions', () => {
  it('stores the cookies of each session separately', async () => {
    const storage = memory();
    await saveCookies(storage, 'id=1; HttpOnly; Secure', 'seen=yes; Path=/a');
    assert.equal(await cookiesOf(storage), 'id=1');
    const session = await createSessions(storage, 60).open('key');
    assert.equal(await cookieHeader(session, `${site}a/b`), 'seen=yes; id=1');
    assert.equal(await cookieHeader(session, 'http://shop.example/'), '');
    assert.equal(await cookieHeader(session, 'https://other.example/'), '');
    assert.equal(await cookiesOf(storage, 'another key'), '');
  });

  it('stores only a digest of the key', async () => {
    const storage = memory();
    const session = await createSessions(storage, 60).open(secret);
    await setCookies(session, 'a=1');
    await session.save();
    const { id, item } = await itemOf(storage);
    assert.match(id, /^[0-9a-f]{64}$/);
    assert.doesNotMatch(JSON.stringify(item), new RegExp(secret));
  });

  it('writes nothing without cookies', async () => {
    const storage = memory();
    await saveCookies(storage);
    await saveCookies(storage, 'a=1; Max-Age=0');
    assert.deepEqual(await storage.getKeys(), []);
  });

  it('removes a cookie that a concurrent call has read', async () => {
    const storage = memory();
    await saveCookies(storage, 'a=1', 'b=2');
    const [first, second] = [
      await createSessions(storage, 60).open('key'),
      await createSessions(storage, 60).open('key'),
    ];
    await setCookies(first, 'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT');
    await setCookies(second, 'c=3');
    await Promise.all([first.save(), second.save()]);
    assert.equal(await cookiesOf(storage), 'b=2; c=3');
  });

  it('counts Max-Age from the response, not from the last request', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const storage = memory();
    await saveCookies(storage, 'short=1; Max-Age=30', 'long=1; Max-Age=1000');
    vi.advanceTimersByTime(20_000);
    assert.equal(await cookiesOf(storage), 'short=1; long=1');
    await saveCookies(storage);
    vi.advanceTimersByTime(20_000);
    assert.equal(await cookiesOf(storage), 'long=1');
    const { item } = await itemOf(storage);
    assert.ok(!JSON.stringify(item).includes('maxAge'));
  });

  it('limits the lifetime of cookies as browsers do', async () => {
    const storage = memory();
    await saveCookies(storage, `a=1; Max-Age=${'9'.repeat(15)}`, `b=1; Expires=Fri, 01 Jan 9999 00:00:00 GMT`);
    const { item } = await itemOf(storage);
    const year = new Date(Date.now() + 401 * 86_400_000).toISOString();
    for (const { expires } of item['cookies'] as { expires: string }[]) assert.ok(expires < year, expires);
  });

  it('starts a new session after the lifetime', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const storage = memory();
    await saveCookies(storage, 'a=1');
    vi.advanceTimersByTime(59_000);
    assert.equal(await cookiesOf(storage), 'a=1');
    vi.advanceTimersByTime(2000);
    assert.equal(await cookiesOf(storage), '');
    await saveCookies(storage, 'b=2');
    assert.equal(await cookiesOf(storage), 'b=2');
  });

  it('extends the lifetime with each call', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const storage = memory();
    await saveCookies(storage, 'a=1');
    for (let times = 0; times < 5; times++) {
      vi.advanceTimersByTime(50_000);
      await saveCookies(storage);
      assert.equal(await cookiesOf(storage), 'a=1');
    }
  });

  it('does not restore a session that was ended during a call', async () => {
    const storage = memory();
    await saveCookies(storage, 'a=1');
    const sessions = createSessions(storage, 60);
    const session = await sessions.open('key');
    await setCookies(session, 'b=2');
    await sessions.end('key');
    await session.save();
    assert.equal(await cookiesOf(storage), '');
    assert.deepEqual(await storage.getKeys(), []);
  });

  it('replaces a damaged session', async () => {
    const storage = memory();
    await saveCookies(storage, 'a=1');
    const { id, item } = await itemOf(storage);
    const [cookie] = item['cookies'] as Record<string, unknown>[];
    const many = Array.from({ length: 1000 }, () => cookie);
    const wrong = (change: object): object => ({ ...item, cookies: [{ ...cookie, ...change }] });
    const items: readonly unknown[] = [
      ...['', 'x', '{', '[]', '{"cookies":[]}', 'null', '7', '{"expires":9e99}', '[['.repeat(10_000)],
      ...[
        { ...item, expires: '9999' },
        { ...item, cookies: {} },
        { ...item, cookies: [1] },
        { ...item, cookies: many },
      ],
      ...[{ domain: null }, { path: 1 }, { hostOnly: 'x' }, { expires: 'never' }, { creation: 'x' }].map(wrong),
      ...[{ value: 'a\r\nx: y' }, { key: 'a\u0000' }, { value: 'a\u007f' }, { value: '\u20ac' }].map(wrong),
      { ...item, cookies: Array.from({ length: 9 }, (_, n) => ({ ...cookie, key: `c${n}`, value: 'x'.repeat(4000) })) },
      ...[{ value: 'x'.repeat(5000) }, { path: `/${'x'.repeat(5000)}` }, { maxAge: 9 }, { extensions: ['x'] }].map(
        wrong,
      ),
    ];
    for (const damaged of items) {
      await storage.setItem(id, damaged as object);
      assert.equal(await cookiesOf(storage), '', JSON.stringify(damaged).slice(0, 100));
      await saveCookies(storage, 'b=2');
      assert.equal(await cookiesOf(storage), 'b=2', JSON.stringify(damaged).slice(0, 100));
    }
  });

  it('limits the size of a session', async () => {
    const storage = memory();
    const huge = 'x'.repeat(4096);
    await saveCookies(storage, 'first=1', `huge=${huge}`, `${huge}=1`, `a=1; Path=/${huge}`, `b=1; ${huge}`);
    assert.equal(await cookiesOf(storage), 'first=1; b=1');
    assert.ok(JSON.stringify(await itemOf(storage)).length < 1000);
    const fill = async (value: string): Promise<readonly string[]> => {
      await saveCookies(storage, ...Array.from({ length: 1000 }, (_, n) => `c${n}=${value}`));
      return (await cookiesOf(storage)).split('; ').map((cookie) => cookie.replace(/=.*/, ''));
    };
    const last = (length: number): readonly string[] => Array.from({ length }, (_, n) => `c${1000 - length + n}`);
    assert.deepEqual(await fill('"'.repeat(150)), last(180));
    assert.deepEqual(await fill('"'.repeat(4000)), last(8));
  });

  it('rejects cookies that a header cannot contain', async () => {
    const storage = memory();
    await saveCookies(storage, 'a=1', 'b=\u20ac', '\u20ac=c', 'd=\u00e9');
    assert.equal(await cookiesOf(storage), 'a=1; d=\u00e9');
  });

  it('reports a failing store as unavailable, without the messages of the store', async () => {
    const failing = (driver: Partial<Driver>): Storage => {
      const fail = (): never => {
        throw Object.assign(new Error(`ERR with args beginning with ${secret}`), { command: { args: [secret] } });
      };
      return createStorage({
        driver: { ...(memoryDriver() as Driver), getItem: fail, setItem: fail, removeItem: fail, ...driver },
      });
    };
    const message = 'The store of sessions is unavailable.';
    assert.equal((await failureOf(createSessions(failing({}), 60).open(secret), 'store-unavailable')).message, message);
    await failureOf(createSessions(failing({}), 60).end(secret), 'store-unavailable');
    const session = await createSessions(failing({ getItem: () => null }), 60).open(secret);
    await setCookies(session, `a=${secret}`);
    const error = await failureOf(session.save(), 'store-unavailable');
    assert.equal(inspect(error.cause).split('\n')[0], 'Error: ERR');
  });

  it('fails after the timeout of the store, and recovers', async () => {
    let isHanging = true;
    const real = memoryDriver() as Driver;
    const hangs = async (): Promise<void> => {
      if (isHanging) await new Promise(() => undefined);
    };
    const driver: Driver = {
      ...real,
      getItem: async (key) => (await hangs(), real.getItem(key)),
      setItem: async (key, value, options) => (await hangs(), real.setItem?.(key, value, options)),
    };
    const sessions = createSessions(createStorage({ driver }), 60, { timeoutMs: 50 });
    await failureOf(sessions.open('key'), 'store-unavailable');
    isHanging = false;
    const [first, second] = [await sessions.open('key'), await sessions.open('key')];
    await setCookies(first, 'a=1');
    await setCookies(second, 'b=2');
    isHanging = true;
    const start = Date.now();
    await Promise.all([first, second].map((session) => failureOf(session.save(), 'store-unavailable')));
    assert.ok(Date.now() - start < defaultTimeoutMs);
    isHanging = false;
    await first.save();
    await second.save();
    assert.match(await cookieHeader(await sessions.open('key')), /^(?:a=1; b=2|b=2; a=1)$/);
  });

  it('preserves the changes of concurrent calls', { tags: 'long' }, async () => {
    const call = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__', 'constructor'),
      isRemoved: fc.boolean(),
      delay: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(call, { selector: ({ name }) => name }), async (calls) => {
        const storage = slow(memory());
        await saveCookies(storage, 'a=old', 'b=old');
        const sessions = await Promise.all(calls.map(() => createSessions(storage, 60).open('key')));
        await Promise.all(
          calls.map(async ({ name, isRemoved, delay }, index) => {
            await new Promise((resolve) => setTimeout(resolve, delay));
            await setCookies(sessions[index] as Session, `${name}=new${isRemoved ? '; Max-Age=0' : ''}`);
            await sessions[index]?.save();
          }),
        );
        const expected = new Map([
          ['a', 'old'],
          ['b', 'old'],
        ]);
        for (const { name, isRemoved } of calls)
          if (isRemoved) expected.delete(name);
          else expected.set(name, 'new');
        const stored = (await cookiesOf(storage))
          .split('; ')
          .filter((text) => text !== '')
          .sort();
        assert.deepEqual(stored, [...expected].map(([name, value]) => `${name}=${value}`).sort());
      }),
      { numRuns: 100 },
    );
  });

  it('supports a storage with a prefix', async () => {
    const storage = memory();
    await saveCookies(prefixStorage(storage, 'gateway:a'), 'a=1');
    assert.equal(await cookiesOf(prefixStorage(storage, 'gateway:a')), 'a=1');
    assert.equal(await cookiesOf(prefixStorage(storage, 'gateway:b')), '');
  });

  it('removes expired and damaged sessions', async () => {
    const storage = memory();
    await saveCookies(storage, 'a=1');
    const { item } = await itemOf(storage);
    const old = 'f'.repeat(64);
    await storage.setItem(old, { ...item, expires: Date.now() - 100_000 });
    await storage.setItem('e'.repeat(64), 'damaged');
    await storage.setItem('another item', 'x');
    assert.equal(await removeExpiredSessions(storage), 2);
    assert.equal(await cookiesOf(storage), 'a=1');
    assert.equal(await storage.hasItem('another item'), true);
  });
});

/** Delays a storage at random, so that calls interleave. */
const slow = (storage: Storage): Storage => {
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * 2));
  return {
    ...storage,
    getItem: async (key: string) => (await pause(), storage.getItem(key)),
    setItem: async (key: string, value: object) => (await pause(), storage.setItem(key, value)),
  } as Storage;
};
