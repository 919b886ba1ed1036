import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { openStore } from '../../gateway/src/node/stores.js';
import { createSessions, removeExpiredSessions, type Session } from '../../gateway/src/stores/sessions.js';
import { builtPath, endWithTest } from '../processes.js';

const site = 'https://shop.example/';

async function makeFolder(t: TestContext): Promise<string> {
  const location = await mkdtemp(join(tmpdir(), 'webmcp-forms-crash-'));
  t.onTestFinished(() => rm(location, { recursive: true, force: true }));
  return location;
}

const openSession = async (location: string): Promise<Session> =>
  createSessions((await openStore(location, 'sessions')).storage, 3600).open('key');

const cookiesOf = async (location: string): Promise<string> => (await openSession(location)).jar.getCookieString(site);

async function saveCookie(location: string, cookie: string): Promise<void> {
  const session = await openSession(location);
  await session.jar.setCookie(cookie, site);
  await session.save();
}

function start(script: string, ...argv: readonly string[]): ChildProcess {
  return endWithTest(
    fork(builtPath(`scripts/${script}`), argv, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  );
}

/** The ID of the session with the key `key`. */
async function idIn(location: string): Promise<string> {
  const names = await readdir(join(location, 'sessions'));
  return names.map((name) => name.slice(0, 64)).find((name) => /^[\da-f]{64}$/.test(name)) ?? '';
}

/** What a crash of this version and of earlier ones has left long ago: drafts, versions and locks. */
async function addLeftovers(location: string): Promise<readonly string[]> {
  const [folder, id, token] = [join(location, 'sessions'), await idIn(location), crypto.randomUUID()];
  const names = [`${id}.${token}.draft`, `${id}.${token}`, `${id}.lock`].map((name) => join(folder, name));
  for (const path of names) await writeFile(path, '{"cookies":[{"key":"secret"}]}');
  const draftFolder = join(folder, `${id}.${crypto.randomUUID()}.draft`);
  await mkdir(draftFolder);
  await writeFile(join(draftFolder, token), '');
  const all = [...names, draftFolder];
  for (const path of all) await utimes(path, 0, 0);
  return all;
}

const contenders = 12;
const rounds = 60;

describe('a store of sessions in a folder, after a crash', () => {
  it(`loses no cookie of ${contenders} contenders in ${rounds} rounds`, async (t) => {
    const location = await makeFolder(t);
    await saveCookie(location, 'first=1');
    const children = ['a', 'b', 'c'].map((name) => start('contender', location, name, String(contenders / 3)));
    await Promise.all(children.map((child) => once(child, 'message')));
    const lost: string[] = [];
    for (let round = 1; round <= rounds; round++) {
      await addLeftovers(location);
      const answers = children.map((child) => once(child, 'message'));
      for (const child of children) child.send(round);
      await Promise.all(answers);
      const current = (await cookiesOf(location)).split('; ').filter((cookie) => cookie.endsWith(`=${round}`));
      if (current.length - Number(round === 1) !== contenders) lost.push(`${round}: ${current.join()}`);
    }
    assert.deepEqual(lost, []);
  });

  it('has every cookie that was saved by processes that were killed', async (t) => {
    const location = await makeFolder(t);
    let saved = 0;
    for (const milliseconds of [0, 3, 11, 26]) {
      const child = start('counting', location, String(saved));
      child.on('message', (value: number) => (saved = value));
      await once(child, 'message');
      await wait(milliseconds);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const value = Number((await cookiesOf(location)).replace('n=', ''));
      assert.ok(value === saved || value === saved + 1, `${value} instead of ${saved}`);
    }
    await saveCookie(location, 'n=after');
    assert.equal(await cookiesOf(location), 'n=after');
  });

  it('removes what crashes have left with the expired sessions, and nothing that is in use', async (t) => {
    const location = await makeFolder(t);
    const folder = join(location, 'sessions');
    await saveCookie(location, 'a=1');
    const inUse = await readdir(folder);
    const old = await addLeftovers(location);
    for (const name of inUse) await utimes(join(folder, name), 0, 0);
    const recent = [
      `${await idIn(location)}.${crypto.randomUUID()}`,
      `${await idIn(location)}.${crypto.randomUUID()}.draft`,
    ];
    for (const name of recent) await writeFile(join(folder, name), '');
    assert.equal((await readdir(folder)).length, inUse.length + old.length + recent.length);
    assert.equal(await removeExpiredSessions((await openStore(location, 'sessions')).storage), 0);
    assert.deepEqual((await readdir(folder)).sort(), [...inUse, ...recent].sort());
    assert.equal(await cookiesOf(location), 'a=1');
  });

  it('reads and changes a session that an earlier version has written', async (t) => {
    const location = await makeFolder(t);
    await saveCookie(location, 'a=1');
    const { storage } = await openStore(location, 'sessions');
    const id = await idIn(location);
    const { created: _, ...item } = (await storage.getItem<Record<string, unknown>>(id)) ?? {};
    await storage.removeItem(id);
    assert.deepEqual(await readdir(join(location, 'sessions')), []);
    await writeFile(join(location, 'sessions', id), JSON.stringify(item));
    assert.deepEqual(await storage.getKeys(), [id]);
    assert.equal(await cookiesOf(location), 'a=1');
    await saveCookie(location, 'b=2');
    assert.equal(await cookiesOf(location), 'a=1; b=2');
    assert.ok(!(await readdir(join(location, 'sessions'))).includes(id));
    await createSessions(storage, 3600).end('key');
    assert.deepEqual(await readdir(join(location, 'sessions')), []);
  });
});
