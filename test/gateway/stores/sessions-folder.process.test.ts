import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { atEnd } from '../../support/at-end.js';
import { openStore } from '../../../gateway/src/node/stores.js';
import { removeExpiredSessions, createSessions, type Sessions } from '../../../gateway/src/stores/sessions.js';
import { atomicStoreOf } from '../../../gateway/src/stores/store.js';
import { failureOf } from '../../support/gateway/calls.js';

const site = 'https://shop.example/';

/** The disk of a busy machine is slow. */
const patient = { timeoutMs: 600_000 };

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-store-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a folder, runs steps with its sessions, and closes it. */
async function withSessions<Result>(location: string, steps: (sessions: Sessions) => Promise<Result>): Promise<Result> {
  const { storage, close } = await openStore(location, 'sessions');
  try {
    return await steps(createSessions(storage, 60, patient));
  } finally {
    await close();
  }
}

const cookiesOf = (location: string): Promise<string> =>
  withSessions(location, async (sessions) => (await sessions.open('key')).jar.getCookieString(site));

async function save(sessions: Sessions, cookie: string): Promise<void> {
  const session = await sessions.open('key');
  await session.jar.setCookie(cookie, site);
  await session.save();
}

const saveCookie = (location: string, cookie: string): Promise<void> =>
  withSessions(location, (sessions) => save(sessions, cookie));

describe('a store of sessions in a folder', () => {
  it('persists sessions across restarts, in files that only the owner can read', async () => {
    const location = join(await makeFolder(), 'a', 'b');
    await saveCookie(location, 'a=1');
    assert.equal(await cookiesOf(location), 'a=1');
    const [file = '', ...others] = await readdir(join(location, 'sessions'));
    assert.deepEqual(others, []);
    const paths = ['', 'sessions', join('sessions', file)];
    const modes = await Promise.all(paths.map(async (path) => (await stat(join(location, path))).mode));
    assert.deepEqual(
      modes.map((mode) => (mode & 0o777).toString(8)),
      ['700', '700', '600'],
    );
  });

  it('preserves the cookies of concurrent calls, also of several gateways of the process', async () => {
    const location = await makeFolder();
    const { storage, close } = await openStore(location, 'sessions');
    const gateways = [createSessions(storage, 60, patient), createSessions(storage, 60, patient)];
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    await Promise.all(numbers.map((n) => save(gateways[n % 2] as Sessions, `c${n}=1`)));
    await close();
    assert.equal((await cookiesOf(location)).split('; ').length, 60);
  });

  it('applies changes in order, also if an earlier one takes longer', async () => {
    const { storage, close } = await openStore(await makeFolder(), 'sessions');
    const store = atomicStoreOf(storage);
    const order: string[] = [];
    const change = (text: string, milliseconds: number): Promise<void> | undefined =>
      store?.update('item', async () => (await wait(milliseconds), order.push(text), text), 60);
    await Promise.all([change('late', 50), change('next', 0), storage.setItemRaw('item', 'last')]);
    assert.deepEqual(order, ['late', 'next']);
    assert.equal(await storage.getItemRaw('item'), 'last');
    await close();
  });

  it('replaces a damaged session', async () => {
    const location = await makeFolder();
    await saveCookie(location, 'a=1');
    const [name = ''] = await readdir(join(location, 'sessions'));
    const file = join(location, 'sessions', name);
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -5));
    assert.equal(await cookiesOf(location), '');
    await saveCookie(location, 'b=2');
    assert.equal(await cookiesOf(location), 'b=2');
    await rm(file);
    assert.equal(await cookiesOf(location), '');
    await saveCookie(location, 'c=3');
    assert.equal(await cookiesOf(location), 'c=3');
  });

  it('removes expired sessions', async () => {
    const location = await makeFolder();
    const { storage, close } = await openStore(location, 'sessions');
    const session = await createSessions(storage, -100, patient).open('old');
    await session.jar.setCookie('a=1', site);
    await session.save();
    await save(createSessions(storage, 60, patient), 'b=2');
    assert.equal(await removeExpiredSessions(storage), 1);
    await close();
    assert.equal(await cookiesOf(location), 'b=2');
  });

  it('reports a folder that cannot be read or written as unavailable', async () => {
    const location = await makeFolder();
    await saveCookie(location, 'a=1');
    const { storage, close } = await openStore(location, 'sessions');
    const session = await createSessions(storage, 60, patient).open('key');
    await session.jar.setCookie('b=2', site);
    const [name = ''] = await storage.getKeys();
    await rm(join(location, 'sessions'), { recursive: true });
    await writeFile(join(location, 'sessions'), ''); // unlike missing permissions, a file in its place also fails for root
    assert.match(name, /^[\da-f]{64}$/);
    await failureOf(createSessions(storage, 60).open('key'), 'store-unavailable');
    await failureOf(session.save(), 'store-unavailable');
    await close();
    const error = await failureOf(openStore(location, 'sessions'), 'store-unavailable');
    assert.match(error.message, /^The folder \/.*sessions cannot be opened: EEXIST\.$/);
  });

  it('rejects a folder without write permission', async (test) => {
    if (process.getuid?.() === 0) return test.skip('root has write permission');
    const location = await makeFolder();
    await chmod(location, 0o500);
    const error = await failureOf(openStore(location, 'sessions'), 'store-unavailable');
    assert.match(error.message, /EACCES/);
  });
});

describe('openStore', () => {
  it('reports the supported locations, without a password', async () => {
    for (const location of ['s3://u:S3CRET@bucket', 'https://u:S3CRET@shop.example', 'redis://', 'redis://u:S3CRET@']) {
      const error = await failureOf(openStore(location, 'sessions'), 'config-error');
      assert.match(error.message, /redis:\/\//);
    }
  });

  it('opens a store in memory', async () => {
    const { storage, close } = await openStore('memory', 'sessions');
    const sessions = createSessions(storage, 60);
    const session = await sessions.open('key');
    await session.jar.setCookie('a=1', site);
    await session.save();
    assert.equal(await (await sessions.open('key')).jar.getCookieString(site), 'a=1');
    await close();
  });
});
