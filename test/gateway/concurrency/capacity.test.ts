// @module-tag long
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'vitest';
import { CallQueue } from '../../../gateway/src/concurrency/capacity.js';
import { createCapacity } from '../../../gateway/src/index.js';
import { openRateLimiter } from '../../../gateway/src/node/index.js';
import { until } from '../../support/until.js';
import type { Answered } from '../../support/gateway/serve-process.js';
import { failureOf } from '../../support/gateway/calls.js';
import { findCall, findOverMcp, openGateway, openSocket, send, type Received } from '../../support/gateway/served.js';

const limits = { calls: 2, clientCalls: 1, queuedCalls: 3, clientQueuedCalls: 2, queueMilliseconds: 60_000 };

/** Runs calls that end on request. */
function openQueue(t: TestContext, options: Partial<typeof limits> = {}) {
  const controller = new AbortController();
  t.onTestFinished(() => controller.abort());
  const queue = new CallQueue({ ...limits, ...options });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, client = name, signal = controller.signal): Promise<string> =>
    queue.run(
      () => {
        started.push(name);
        return new Promise((resolve) => ends.set(name, () => resolve(name)));
      },
      { client, signal },
    );
  const runUntilEnd = (name: string, client = name): void => void run(name, client).catch(() => undefined);
  const end = async (name: string, call: Promise<string>): Promise<void> => {
    ends.get(name)?.();
    assert.equal(await call, name);
  };
  return { queue, started, run, runUntilEnd, end };
}

describe('CallQueue', () => {
  it('runs as many calls as allowed, in all and of each client', async (t) => {
    const { queue, started, run, end } = openQueue(t);
    const [a1, a2, b1, c1] = [run('a1', 'a'), run('a2', 'a'), run('b1', 'b'), run('c1', 'c')];
    assert.deepEqual([started, queue.running, queue.waiting], [['a1', 'b1'], 2, 2]);
    await end('a1', a1);
    await end('b1', b1);
    assert.deepEqual(started, ['a1', 'b1', 'a2', 'c1']);
    await end('a2', a2);
    await end('c1', c1);
    assert.deepEqual([queue.running, queue.waiting], [0, 0]);
  });

  it('starts the call of the client with the fewest running calls first', async (t) => {
    const { started, run, end } = openQueue(t, { calls: 3, clientCalls: 3, queuedCalls: 9, clientQueuedCalls: 9 });
    const many = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => run(name, 'a'));
    const b1 = run('b1', 'b');
    await end('a1', many[0] as Promise<string>);
    assert.deepEqual(started, ['a1', 'a2', 'a3', 'b1']);
    await end('b1', b1);
    assert.deepEqual(started.slice(4), ['a4']);
    for (const [index, name] of ['a2', 'a3', 'a4', 'a5'].entries()) await end(name, many[index + 1] as Promise<string>);
  });

  it('refuses a call when its queue is full, in all and of each client', async (t) => {
    const { run, runUntilEnd, started } = openQueue(t);
    runUntilEnd('a1', 'a');
    runUntilEnd('b1', 'b');
    for (const name of ['a2', 'a3']) runUntilEnd(name, 'a');
    assert.match((await failureOf(run('a4', 'a'), 'overloaded')).message, /^This client has too many calls/);
    runUntilEnd('c1', 'c');
    assert.match((await failureOf(run('d1', 'd'), 'overloaded')).message, /^The gateway has too many calls/);
    assert.deepEqual(started, ['a1', 'b1']);
  });

  it('refuses a call that has waited too long, and frees its place', async (t) => {
    const { queue, run, end } = openQueue(t, { calls: 1, queueMilliseconds: 20 });
    const first = run('a');
    assert.match((await failureOf(run('b'), 'overloaded')).message, /^The call has waited for 0\.02 s/);
    assert.deepEqual([queue.running, queue.waiting], [1, 0]);
    await end('a', first);
    await end('c', run('c'));
  });

  it('removes a call that its client cancels', async (t) => {
    const { queue, run, runUntilEnd, started } = openQueue(t, { calls: 1 });
    runUntilEnd('a');
    const controller = new AbortController();
    const waiting = run('b', 'b', controller.signal);
    controller.abort();
    await failureOf(waiting, 'aborted');
    await failureOf(run('c', 'c', AbortSignal.abort()), 'aborted');
    assert.deepEqual([queue.waiting, started], [0, ['a']]);
  });

  it('applies only the limit on all calls to requests without a known client', async () => {
    const queue = new CallQueue(limits);
    const ends: (() => void)[] = [];
    const run = (): Promise<void> => queue.run(() => new Promise<void>((resolve) => ends.push(resolve)));
    const calls = [run(), run(), run()];
    assert.deepEqual([queue.running, queue.waiting], [2, 1]);
    for (let index = 0; index < 3; index++) {
      ends[index]?.();
      await calls[index];
    }
    assert.equal(queue.running, 0);
  });

  it('frees the place of a call that fails', async () => {
    const queue = new CallQueue({ ...limits, calls: 1 });
    await assert.rejects(queue.run(() => Promise.reject(new Error('failed'))));
    assert.equal(await queue.run(() => Promise.resolve('next')), 'next');
  });
});

const codeOf = ({ text }: Received): unknown =>
  (JSON.parse(text) as { readonly error?: { readonly code?: unknown } }).error?.code;

const bodyOf = (sessionId: string, q: string): string => JSON.stringify({ sessionId, action: 'find', request: { q } });

describe('a gateway with many calls at the same time', () => {
  it('refuses calls that exceed its limits over Webtools and MCP, and does not send them to the site', async (t) => {
    const capacity = createCapacity({ calls: 1, queuedCalls: 1 });
    const { port, site, lines } = await openGateway(t, { capacity });
    const running = send(port, findCall({}, 'slow'));
    const answerSlow = await site.busy();
    const waiting = send(port, findOverMcp({}, 'waiting'));
    await until(() => capacity.calls.waiting > 0);
    const refused = await send(port, findCall({}, 'refused'));
    assert.deepEqual([refused.status, codeOf(refused), refused.headers['retry-after']], [503, 'OVERLOADED', '5']);
    const overMcp = await send(port, findOverMcp({}, 'refused'));
    assert.equal(overMcp.status, 200);
    assert.match(overMcp.text, /"text":"OVERLOADED: This client has too many calls.*"isError":true/);
    assert.deepEqual(
      lines().map(({ interface: kind, code, client }) => [kind, code, client]),
      [
        ['webtools', 'overloaded', '127.0.0.1'],
        ['mcp', 'overloaded', '127.0.0.1'],
      ],
    );
    answerSlow();
    assert.equal((await running).status, 200);
    assert.match((await waiting).text, /waiting/);
    assert.deepEqual(
      site.requests.map(({ url }) => url),
      ['/sent?q=slow', '/sent?q=waiting'],
    );
    assert.deepEqual([capacity.calls.running, capacity.calls.waiting, capacity.heldBytes], [0, 0, 0]);
  });

  it('handles a thousand concurrent calls', async (t) => {
    const { port } = await openGateway(t, { capacity: createCapacity({ queueMilliseconds: 600_000 }) });
    const calls = Array.from({ length: 1000 }, (_, index) => ({
      sessionId: `session-number-${index % 50}`,
      q: `q${index}`,
    }));
    const answers = await Promise.all(
      calls.map(async ({ sessionId, q }) => {
        const { status, text } = await send(port, { ...findCall(), body: bodyOf(sessionId, q) });
        return [status, (JSON.parse(text) as Answered['body']).data?.json?.url];
      }),
    );
    assert.deepEqual(
      answers,
      calls.map(({ q }) => [200, `/sent?q=${q}`]),
    );
  });

  it('removes a waiting call whose client disconnects', async (t) => {
    const capacity = createCapacity({ calls: 1 });
    const { port, site } = await openGateway(t, { capacity });
    const running = send(port, findCall({}, 'slow'));
    const answerSlow = await site.busy();
    const { socket } = openSocket(port);
    const body = JSON.stringify({ action: 'find', request: { q: 'gone' } });
    socket.write(
      `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await until(() => capacity.calls.waiting > 0);
    socket.destroy();
    await until(() => capacity.calls.waiting === 0);
    answerSlow();
    await running;
    assert.equal(site.requests.length, 1);
    assert.equal(capacity.heldBytes, 0);
  });

  it('limits the bytes of bodies in all and of each client, before it reads them', async (t) => {
    const capacity = createCapacity({ requestBytes: 1000, clientRequestBytes: 600 });
    const options = { capacity, clientAddressHeader: 'x-forwarded-for' };
    const { port } = await openGateway(t, options);
    const headOf = (address: string, length: number): string =>
      `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-forwarded-for: ${address}\r\ncontent-length: ${length}\r\n\r\n`;
    const held = openSocket(port);
    held.socket.write(headOf('192.0.2.1', 500));
    await until(() => capacity.heldBytes >= 500);
    const body = (length: number): string => JSON.stringify({ action: 'find', request: { q: 'x'.repeat(length) } });
    const statusOf = async (address: string, length: number): Promise<unknown> => {
      const received = await send(port, { ...findCall({ 'x-forwarded-for': address }), body: body(length) });
      return received.status === 200 ? 200 : codeOf(received);
    };
    assert.deepEqual(
      [await statusOf('192.0.2.1', 200), await statusOf('192.0.2.2', 200), await statusOf('192.0.2.2', 500)],
      ['OVERLOADED', 200, 'OVERLOADED'],
    );
    const chunked = openSocket(port);
    chunked.socket.write(
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-forwarded-for: 192.0.2.1\r\ntransfer-encoding: chunked\r\n\r\nc8\r\n',
    );
    chunked.socket.write(`${' '.repeat(200)}\r\n`);
    const [answer] = (await once(chunked.socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 503 [^]*OVERLOADED/);
    chunked.socket.destroy();
    held.socket.destroy();
    await until(() => capacity.heldBytes === 0);
    assert.equal(await statusOf('192.0.2.1', 200), 200);
  });
});

describe('a quota', () => {
  it('limits the calls of each client in its period, beside the rate limit', async (t) => {
    const rateLimiter = await openRateLimiter({ calls: 9, seconds: 60, name: 'shop' });
    const quota = await openRateLimiter({ calls: 2, seconds: 86_400, name: 'shop', kind: 'quota' });
    const { port, lines } = await openGateway(t, { rateLimiter, quota, clientAddressHeader: 'x-forwarded-for' });
    const callOf = (address: string): Promise<Received> => send(port, findCall({ 'x-forwarded-for': address }));
    const first = await callOf('192.0.2.1');
    assert.equal(first.headers['ratelimit-policy'], '"calls";q=9;w=60, "quota";q=2;w=86400');
    assert.equal((await callOf('192.0.2.1')).status, 200);
    const third = await callOf('192.0.2.1');
    assert.deepEqual([third.status, codeOf(third)], [429, 'QUOTA_EXCEEDED']);
    assert.ok(Number(third.headers['retry-after']) > 86_000);
    assert.equal((await callOf('192.0.2.2')).status, 200);
    assert.deepEqual(
      lines().map(({ msg, code }) => `${msg} ${String(code)}`),
      ['call ok', 'call ok', 'refused quota-exceeded', 'call ok'],
    );
  });
});

describe('a rate limiter that fails', () => {
  it('is replaced by a counter of the process, and is logged once', async (t) => {
    let isDown = true;
    let counted = 0;
    const rateLimiter = {
      ...{ calls: 2, seconds: 60, close: () => undefined },
      count: () => {
        if (isDown) return Promise.reject(new Error('S3CRET'));
        counted++;
        return Promise.resolve({ isAllowed: true, remaining: 1, seconds: 60 });
      },
    };
    const { port, lines } = await openGateway(t, { rateLimiter });
    const statuses = [];
    for (let index = 0; index < 4; index++) statuses.push((await send(port, findCall())).status);
    isDown = false;
    statuses.push((await send(port, findCall())).status);
    assert.deepEqual([statuses, counted], [[200, 200, 429, 429, 200], 1]);
    const about = lines().filter(({ msg }) => msg.includes('limiter'));
    assert.deepEqual(
      about.map(({ msg }) => msg),
      ['the rate limiter failed: this process counts alone', 'the rate limiter works again'],
    );
  });
});
