import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TestContext, afterEach, describe, it, vi } from 'vitest';
import { createStorage } from 'unstorage';
import { builtPath } from '../../support/processes.js';
import { createMcpHandler } from '../../../gateway/src/mcp/handler.js';
import { openStore } from '../../../gateway/src/node/stores.js';
import { createSessions, type SessionOptions } from '../../../gateway/src/stores/sessions.js';
import type { Storage } from '../../../gateway/src/stores/store.js';
import { failureOf } from '../../support/gateway/calls.js';
import { RedisServer, skip } from '../../support/gateway/redis-server.js';
import { echo, envelopeOf, manifest, post, serveWebtool, type Answering } from '../../support/gateway/webtool-site.js';

const site = 'https://shop.example/';
const day = 86_400;

async function makeFolder(t: TestContext): Promise<string> {
  const location = await mkdtemp(join(tmpdir(), 'webmcp-forms-limits-'));
  t.onTestFinished(() => rm(location, { recursive: true, force: true }));
  return location;
}

interface Save {
  readonly key?: string;
  readonly client?: string;
  readonly options?: SessionOptions;
}

async function saveCookie(storage: Storage, cookie: string, { key = 'key', client, options }: Save = {}) {
  const session = await createSessions(storage, day, options).open(key, client);
  await session.jar.setCookie(cookie, site);
  await session.save();
}

const cookiesOf = async (storage: Storage, { key = 'key', client, options }: Save = {}): Promise<string> =>
  (await createSessions(storage, day, options).open(key, client)).jar.getCookieString(site);

afterEach(() => void vi.useRealTimers());

describe('the lifetime of a session', () => {
  it('ends 30 days after its first call, however often it is used', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const storage = createStorage();
    await saveCookie(storage, 'a=1');
    for (let half = 1; half < 60; half++) {
      vi.advanceTimersByTime((day / 2) * 1000);
      assert.equal(await cookiesOf(storage), 'a=1', `after ${half / 2} days`);
      await saveCookie(storage, 'a=1');
    }
    vi.advanceTimersByTime((day / 2) * 1000);
    assert.equal(await cookiesOf(storage), '');
    await saveCookie(storage, 'b=2');
    assert.equal(await cookiesOf(storage), 'b=2');
  });

  it('ends for stored sessions when the option is lowered', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const storage = createStorage();
    await saveCookie(storage, 'a=1');
    vi.advanceTimersByTime(3600_000);
    assert.equal(await cookiesOf(storage, { options: { maxSeconds: 3601 } }), 'a=1');
    assert.equal(await cookiesOf(storage, { options: { maxSeconds: 3600 } }), '');
  });

  it('begins again after the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const storage = createStorage();
    await saveCookie(storage, 'a=1');
    vi.setSystemTime(Date.now() - 365 * day * 1000);
    await saveCookie(storage, 'b=2');
    vi.advanceTimersByTime((day + 1) * 1000);
    assert.equal(await cookiesOf(storage), '');
  });
});

describe('the sessions of a client', () => {
  it('are separate from the sessions of other clients, and of requests without a client, with the same key', async () => {
    const storage = createStorage();
    await saveCookie(storage, 'a=1', { client: 'one' });
    for (const client of ['two', '', undefined]) {
      assert.equal(await cookiesOf(storage, { ...(client !== undefined && { client }) }), '');
      await createSessions(storage, day).end('key', client);
    }
    assert.equal(await cookiesOf(storage, { client: 'one' }), 'a=1');
  });

  for (const [kind, openStorage] of [
    ['memory', async () => (await openStore('memory', 'sessions')).storage],
    ['a folder', async (t: TestContext) => (await openStore(await makeFolder(t), 'sessions')).storage],
    [
      'Redis',
      async (t: TestContext) => {
        const { storage, close } = await openStore((await RedisServer.start()).url, 'sessions');
        t.onTestFinished(close);
        return storage;
      },
    ],
  ] as const) {
    it(
      `are limited in ${kind}, and do not limit the sessions of other clients`,
      { skip: kind === 'Redis' && skip },
      async (t) => {
        const storage = await openStorage(t);
        const sessions = createSessions(storage, day, { maxSessions: 3, timeoutMs: 600_000 });
        const save = async (client: string, key: string): Promise<void> => {
          const session = await sessions.open(key, client);
          await session.jar.setCookie('a=1', site);
          await session.save();
        };
        for (const key of ['1', '2', '3']) await save('one', key);
        const { message } = await failureOf(save('one', '4'), 'session-limit');
        assert.match(message, /^The client has 3 sessions, which is the limit\. Use the same session again/);
        await save('one', '2');
        await save('two', '4');
        for (let client = 3; client < 11; client++) await save(`client ${client}`, '1');
        await save('two', '5');
        await save('two', '6');
        await save('last', '1');
        assert.match((await failureOf(save('last', '2'), 'session-limit')).message, /^The store has 15 sessions/);
        assert.equal((await storage.getKeys()).length, 15);
      },
    );
  }

  it('of clients without a token have only the limit of the store, and continue when it is reached', async () => {
    const sessions = createSessions(createStorage(), day, { maxSessions: 1 });
    const save = async (key: string, cookie: string): Promise<void> => {
      const session = await sessions.open(key);
      await session.jar.setCookie(cookie, site);
      await session.save();
    };
    for (const key of ['1', '2', '3', '4', '5']) await save(key, 'a=1');
    assert.match((await failureOf(save('6', 'a=1'), 'session-limit')).message, /^The store has 5 sessions/);
    await save('1', 'b=2');
    assert.equal(await (await sessions.open('1')).jar.getCookieString(site), 'a=1; b=2');
  });

  it('no longer count after they have ended', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const sessions = createSessions(createStorage(), day, { maxSessions: 1 });
    const save = async (key: string): Promise<void> => {
      const session = await sessions.open(key, 'one');
      await session.jar.setCookie('a=1', site);
      await session.save();
    };
    await save('1');
    await failureOf(save('2'), 'session-limit');
    await sessions.end('1', 'one');
    vi.advanceTimersByTime(2000);
    await save('2');
  });
});

/** Sets a cookie, and repeats the cookies of requests. */
const withCookie: Answering = (response, request) => {
  if (request.method === 'POST') response.setHeader('set-cookie', 'id=COOKIE');
  return echo(response, request);
};

const clientHeader = (request: Request): string | undefined => request.headers.get('x-client') ?? undefined;

describe('createGateway, with several clients', () => {
  it('does not let a client use the session of another client', async (t) => {
    const { url } = await serveWebtool(t, { answering: withCookie, client: clientHeader });
    const call = { action: 'note', request: { text: 'x' }, sessionId: crypto.randomUUID() };
    const cookieOf = async (client: string): Promise<unknown> => {
      const { data } = await envelopeOf(await post(url, call, { 'x-client': client }));
      return (data?.json as { readonly cookie?: unknown }).cookie;
    };
    assert.deepEqual([await cookieOf('one'), await cookieOf('two'), await cookieOf('one')], [null, null, 'id=COOKIE']);
  });

  it('answers a call beyond the limit of sessions with a warning', async (t) => {
    const { url } = await serveWebtool(t, { answering: withCookie, client: clientHeader, maxSessions: 1 });
    const call = (): Promise<Response> =>
      post(url, { action: 'note', request: { text: 'x' }, sessionId: crypto.randomUUID() }, { 'x-client': 'one' });
    assert.equal((await envelopeOf(await call())).warning, undefined);
    const { status, warning } = await envelopeOf(await call());
    assert.deepEqual([status, warning?.code], ['ok', 'SESSION_NOT_SAVED']);
    assert.match(warning?.message ?? '', /The client has 1 sessions, which is the limit/);
  });
});

const key = '3q2+7wC1vY4mT8sXbN0pLkJhGfDsAzQ5';
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

describe('createMcpHandler, with a session key', () => {
  const handlerOf = (sessionKeys: readonly string[] = [key]) =>
    createMcpHandler(manifest, { baseUrl: site, client: clientHeader, sessionKeys });
  const send = (handle: ReturnType<typeof handlerOf>, message: object, headers: Record<string, string>) => {
    const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    return handle(new Request('http://127.0.0.1/mcp', { method: 'POST', headers: all, body: JSON.stringify(message) }));
  };
  const start = async (handle: ReturnType<typeof handlerOf>, client: string): Promise<string> =>
    (await send(handle, initialize, { 'x-client': client })).headers.get('mcp-session-id') ?? '';

  it('accepts only the session IDs that it, or another process with the key, gave to the client', async () => {
    const handle = handlerOf();
    const id = await start(handle, 'one');
    const statusOf = async (of: typeof handle, sessionId: string, client = 'one'): Promise<number> =>
      (await send(of, ping, { 'mcp-session-id': sessionId, 'x-client': client })).status;
    assert.equal(await statusOf(handle, id), 200);
    assert.equal(await statusOf(handlerOf([`another-${key}`, key]), id), 200);
    assert.equal(await statusOf(handle, id, 'two'), 404);
    assert.equal(await statusOf(handlerOf([`another-${key}`]), id), 404);
    const [uuid = '', signature = ''] = id.split('.');
    const others = [
      uuid,
      crypto.randomUUID(),
      `${crypto.randomUUID()}.${signature}`,
      `${id}.`,
      `${id}A`,
      `${uuid}.`,
      'x',
    ];
    for (const other of others) assert.equal(await statusOf(handle, other), 404, other);
  });

  it('does not end the session of another client', async () => {
    const handle = handlerOf();
    const id = await start(handle, 'one');
    const request = new Request('http://127.0.0.1/mcp', {
      method: 'DELETE',
      headers: { 'mcp-session-id': id, 'x-client': 'two' },
    });
    assert.equal((await handle(request)).status, 404);
  });
});

describe('a folder of sessions', () => {
  it('that other users can access is closed to them, with a warning', async (t) => {
    const location = await makeFolder(t);
    const folder = join(location, 'sessions');
    await mkdir(folder);
    for (const mode of [0o755, 0o777, 0o710]) {
      await chmod(folder, mode);
      const { warnings, close } = await openStore(location, 'sessions');
      await close();
      assert.match(
        warnings.join(),
        new RegExp(`other users had access to the folder .*: its mode was ${mode.toString(8)}`),
      );
      assert.equal((await stat(folder)).mode & 0o777, 0o700);
    }
    const { warnings, close } = await openStore(location, 'sessions');
    await close();
    assert.deepEqual(warnings, []);
    await chmod(folder, 0o755);
    await openStore(location, 'sessions', { isShared: true });
    assert.equal((await stat(folder)).mode & 0o777, 0o755);
  });

  it('keeps its sessions when a save exceeds the space of the disk', async (t) => {
    const location = await makeFolder(t);
    const { storage, close } = await openStore(location, 'sessions');
    await saveCookie(storage, 'a=1');
    await close();
    const before = await readdir(join(location, 'sessions'));
    const argv = [builtPath('scripts/session'), location, 'b', '30'];
    // A process that exceeds its limit of file sizes gets EFBIG, as it gets ENOSPC on a full disk.
    const limited = promisify(execFile)('bash', [
      '-c',
      'trap "" XFSZ; ulimit -f 1; exec "$0" "$@"',
      process.execPath,
      ...argv,
    ]);
    await assert.rejects(limited, ({ stderr }: { readonly stderr: string }) => {
      assert.match(stderr, /store-unavailable/);
      assert.match(stderr, /EFBIG/);
      return true;
    });
    const { storage: after } = await openStore(location, 'sessions');
    assert.deepEqual(await after.getKeys(), before);
    assert.match(await cookiesOf(after), /^a=1/);
  });
});
