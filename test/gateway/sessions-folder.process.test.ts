import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'vitest';
import { builtPath } from '../processes.js';
import { atEnd } from '../support/at-end.js';
import { openStore } from '../../gateway/src/node/stores.js';
import { removeExpiredSessions, createSessions, type Session } from '../../gateway/src/stores/sessions.js';
import { failureOf } from './calls.js';

const site = 'https://shop.example/';
const runProcess = (...argv: readonly string[]): Promise<unknown> =>
  promisify(execFile)(process.execPath, [builtPath('scripts/session'), ...argv]);

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-store-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const openSession = async (location: string): Promise<Session> =>
  createSessions((await openStore(location, 'sessions')).storage, 60).open('key');
const cookiesOf = async (location: string): Promise<string> => (await openSession(location)).jar.getCookieString(site);

async function saveCookie(location: string, cookie: string): Promise<void> {
  const session = await openSession(location);
  await session.jar.setCookie(cookie, site);
  await session.save();
}

describe('a store of sessions in a folder', () => {
  it('persists sessions across restarts, in files that only the owner can read', async () => {
    const location = join(await makeFolder(), 'a', 'b');
    await saveCookie(location, 'a=1');
    assert.equal(await cookiesOf(location), 'a=1');
    const [file = '', folder = '', ...others] = (await readdir(join(location, 'sessions'))).sort();
    assert.deepEqual(others, []);
    const [token = ''] = await readdir(join(location, 'sessions', folder));
    const paths = ['', 'sessions', join('sessions', folder), join('sessions', file), join('sessions', folder, token)];
    const modes = await Promise.all(paths.map(async (path) => (await stat(join(location, path))).mode));
    assert.deepEqual(
      modes.map((mode) => (mode & 0o777).toString(8)),
      ['700', '700', '700', '600', '600'],
    );
  });

  it('preserves the cookies of concurrent calls in several processes', async () => {
    const location = await makeFolder();
    await Promise.all(['a', 'b', 'c'].map((name) => runProcess(location, name, '20')));
    assert.equal((await cookiesOf(location)).split('; ').length, 60);
    assert.equal((await readdir(join(location, 'sessions'))).length, 2);
  });

  it('replaces a damaged session, and ignores a lock of an earlier version', async () => {
    const location = await makeFolder();
    await saveCookie(location, 'a=1');
    const [name = ''] = (await readdir(join(location, 'sessions'))).sort();
    const file = join(location, 'sessions', name);
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -5));
    assert.equal(await cookiesOf(location), '');
    await writeFile(join(location, 'sessions', `${name.slice(0, 64)}.lock`), '');
    await saveCookie(location, 'b=2');
    assert.equal(await cookiesOf(location), 'b=2');
    for (const each of (await readdir(join(location, 'sessions'))).filter((path) => path.includes('-'))) {
      await rm(join(location, 'sessions', each));
    }
    assert.equal(await cookiesOf(location), '');
    await saveCookie(location, 'c=3');
    assert.equal(await cookiesOf(location), 'c=3');
  });

  it('removes expired sessions', async () => {
    const location = await makeFolder();
    const { storage } = await openStore(location, 'sessions');
    const session = await createSessions(storage, -100).open('old');
    await session.jar.setCookie('a=1', site);
    await session.save();
    await saveCookie(location, 'b=2');
    assert.equal(await removeExpiredSessions(storage), 1);
    assert.equal(await cookiesOf(location), 'b=2');
  });

  it('reports a folder that cannot be read or written as unavailable', async () => {
    const location = await makeFolder();
    await saveCookie(location, 'a=1');
    const { storage } = await openStore(location, 'sessions');
    const session = await createSessions(storage, 60).open('key');
    await session.jar.setCookie('b=2', site);
    const { storage: before } = await openStore(location, 'sessions');
    const [name = ''] = await before.getKeys();
    await rm(join(location, 'sessions'), { recursive: true });
    await writeFile(join(location, 'sessions'), ''); // fails also for root
    assert.match(name, /^[\da-f]{64}$/);
    await failureOf(createSessions(storage, 60).open('key'), 'store-unavailable');
    await failureOf(session.save(), 'store-unavailable');
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
