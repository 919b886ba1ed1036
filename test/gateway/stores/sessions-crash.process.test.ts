import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { openStore } from '../../../gateway/src/node/stores.js';
import { createSessions, type Session } from '../../../gateway/src/stores/sessions.js';
import { builtPath, endWithTest } from '../../support/processes.js';
import { failureOf } from '../../support/gateway/calls.js';

const site = 'https://shop.example/';

async function makeFolder(t: TestContext): Promise<string> {
  const location = await mkdtemp(join(tmpdir(), 'webmcp-forms-crash-'));
  t.onTestFinished(() => rm(location, { recursive: true, force: true }));
  return location;
}

/** Opens a folder, runs steps with its session, and closes it. */
async function withSession<Result>(location: string, steps: (session: Session) => Promise<Result>): Promise<Result> {
  const { storage, close } = await openStore(location, 'sessions');
  try {
    return await steps(await createSessions(storage, 3600, { timeoutMs: 600_000 }).open('key'));
  } finally {
    await close();
  }
}

const cookiesOf = (location: string): Promise<string> =>
  withSession(location, (session) => session.jar.getCookieString(site));

const saveCookie = (location: string, cookie: string): Promise<void> =>
  withSession(location, async (session) => {
    await session.jar.setCookie(cookie, site);
    await session.save();
  });

function start(script: string, ...argv: readonly string[]): ChildProcess {
  return endWithTest(
    fork(builtPath(`scripts/${script}`), argv, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  );
}

/** Starts a process that has a folder open. */
async function startOwner(location: string): Promise<ChildProcess> {
  const child = start('counting', location, '0');
  await once(child, 'message');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const locks = async (location: string): Promise<readonly string[]> =>
  (await readdir(join(location, 'sessions'))).filter((name) => name.endsWith('.lock'));

describe('a store of sessions in a folder, with another process', () => {
  it('is refused while that process runs or is suspended, and is opened after it was killed', async (t) => {
    const location = await makeFolder(t);
    const owner = await startOwner(location);
    const message = `The folder ${location}/sessions is in use by the process ${owner.pid}. Stop it, or use a Redis, which several processes can share.`;
    for (const signal of ['SIGCONT', 'SIGSTOP'] as const) {
      owner.kill(signal);
      const error = await failureOf(openStore(location, 'sessions'), 'store-unavailable');
      assert.equal(error.message, message);
    }
    assert.equal((await locks(location)).length, 1);
    await kill(owner);
    assert.match(await cookiesOf(location), /^n=\d+$/);
    assert.deepEqual(await locks(location), []);
  });

  it('is refused to a second store of the same process, until the first one is closed', async (t) => {
    const location = await makeFolder(t);
    const { close } = await openStore(location, 'sessions');
    const error = await failureOf(openStore(location, 'sessions'), 'store-unavailable');
    assert.match(error.message, new RegExp(`is in use by the process ${process.pid}\\.`));
    await close();
    assert.equal(await cookiesOf(location), '');
  });

  it('is opened by at most one of several processes, also in a folder with a long path', async (t) => {
    for (const location of [await makeFolder(t), join(await makeFolder(t), 'long-'.repeat(40))]) {
      const stores = await Promise.allSettled(Array.from({ length: 8 }, () => openStore(location, 'sessions')));
      const opened = stores.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      assert.ok(opened.length <= 1, `${opened.length} stores`);
      await Promise.all(opened.map(({ close }) => close()));
      assert.deepEqual(await locks(location), []);
      await saveCookie(location, 'a=1');
      await (await openStore(location, 'sessions')).close();
      assert.equal(await cookiesOf(location), 'a=1');
    }
  });

  it('may be shared if it is opened for reading, or as shared', async (t) => {
    const location = await makeFolder(t);
    await saveCookie(location, 'a=1');
    const { close } = await openStore(location, 'sessions');
    for (const options of [{ isReadOnly: true }, { isShared: true }]) {
      const { storage } = await openStore(location, 'sessions', options);
      assert.equal((await storage.getKeys()).length, 1);
    }
    await close();
  });
});

describe('a store of sessions in a folder, after a crash', () => {
  it('has every cookie that was saved by processes that were killed', async (t) => {
    const location = await makeFolder(t);
    let saved = 0;
    for (const milliseconds of [0, 3, 11, 26]) {
      const child = start('counting', location, String(saved));
      child.on('message', (value: number) => (saved = value));
      await once(child, 'message');
      await wait(milliseconds);
      await kill(child);
      const value = Number((await cookiesOf(location)).replace('n=', ''));
      assert.ok(value === saved || value === saved + 1, `${value} instead of ${saved}`);
    }
    await saveCookie(location, 'n=after');
    assert.equal(await cookiesOf(location), 'n=after');
  });

  it('removes the files that crashes have left, and keeps the sessions, when it is opened', async (t) => {
    const location = await makeFolder(t);
    const folder = join(location, 'sessions');
    await saveCookie(location, 'a=1');
    const [id = '', ...others] = await readdir(folder);
    assert.deepEqual(others, []);
    for (const name of [`${id}.${crypto.randomUUID()}.draft`, '.1234567-0123abcd.lock'])
      await writeFile(join(folder, name), '{"cookies":[{"key":"secret"}]}');
    await kill(await startOwner(location));
    assert.match(await cookiesOf(location), /^a=1; n=\d+$/);
    assert.deepEqual(await readdir(folder), [id]);
  });

  it('lets Node.js resolve the links of packages, as of pnpm, after it is opened', async (t) => {
    const location = await realpath(await makeFolder(t));
    await writeFile(join(location, 'package.js'), '');
    await symlink('package.js', join(location, 'link.js'));
    const { resolve } = createRequire(import.meta.url);
    assert.equal(resolve(join(location, 'package.js')), join(location, 'package.js')); // Node.js caches the folder
    await kill(await startOwner(location));
    await cookiesOf(location);
    assert.equal(resolve(join(location, 'link.js')), join(location, 'package.js'));
  });
});
