import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'vitest';
import type { Collector } from '../../support/cli/running.js';
import {
  listen,
  makeFolder,
  manifestText,
  openShop,
  post,
  serveInProcess,
  start,
  type Run,
  type Shop,
} from '../../support/gateway/serve-process.js';
import { until } from '../../support/until.js';

const gateway = async (...more: readonly string[]): Promise<Run & Pick<Shop, 'busy'> & { readonly url: string }> => {
  const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
  const run = await listen(['webmcp.json', '--base-url', site.origin, '--allow-private', ...more], { cwd });
  return { ...run, busy: site.busy };
};

/** The status of a GET request on a keep-alive connection. */
const statusOn = (agent: Agent, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end();
  });

const textOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });

/** The URL in the log of a server in this process. */
const urlIn = (stderr: Collector): Promise<string> => until(() => /"url":"([^"]+)"/.exec(stderr.text)?.[1]);

/** A grace period that ends after every test. */
const noTimeout = 3_600_000;

const call = (q: string): object => ({ action: 'find', request: { q } });

describe('webmcp-gateway serve, when it is stopped', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`completes running calls and accepts no new ones after ${signal}`, async () => {
      const { url, busy, stop, line, lines } = await gateway();
      const running = post(url, call('slow'));
      const answerSlow = await busy();
      const exit = stop(signal);
      assert.equal((await line('stopping')).running, 1);
      await assert.rejects(post(url, call('x')), /fetch failed/);
      answerSlow();
      const { status, body, headers } = await running;
      assert.deepEqual([status, body.data?.json], [200, { slow: true }]);
      assert.equal(headers.get('connection'), 'close');
      assert.equal(await exit, 0);
      assert.equal(lines().at(-1)?.msg, 'stopped');
    });
  }

  it('closes idle connections and MCP streams at once', async () => {
    const { stderr, stopped } = await serveInProcess(noTimeout);
    const url = await urlIn(stderr);
    const agent = new Agent({ keepAlive: true });
    assert.equal(await statusOn(agent, url), 200);
    const stream = await fetch(`${url}mcp`, { headers: { accept: 'text/event-stream' } });
    assert.equal(stream.status, 200);
    process.emit('SIGTERM');
    await stopped;
    await stream.text().catch(() => undefined);
    agent.destroy();
  });

  it('rejects requests on open connections with 503', async () => {
    const { url, busy, stop, line } = await gateway();
    const socketOf = async (): Promise<Socket> => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    };
    const [one, other] = [await socketOf(), await socketOf()];
    const running = post(url, call('slow'));
    const answerSlow = await busy();
    const exit = stop();
    await line('stopping');
    const [health, metadata] = [textOf(one), textOf(other)];
    one.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    other.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.match(await health, /^HTTP\/1.1 503 [^]*connection: close[^]*shutting-down/i);
    assert.match(await metadata, /^HTTP\/1.1 503 [^]*connection: close[^]*SHUTTING_DOWN/i);
    answerSlow();
    assert.equal((await running).status, 200);
    assert.equal(await exit, 0);
  });

  it('aborts a call that exceeds the grace period', async () => {
    const { site, stderr, stopped } = await serveInProcess(200);
    const url = await urlIn(stderr);
    const running = post(url, call('hang'));
    await site.busy();
    process.emit('SIGTERM');
    const { status, body } = await running;
    assert.deepEqual([status, body.error?.code], [503, 'SHUTTING_DOWN']);
    await stopped;
  });

  it('stops when the shell of npx exits without forwarding the signal', async () => {
    const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
    const args = ['--port', '0', '--base-url', site.origin, '--allow-private', 'webmcp.json'];
    const run = start(args, { cwd, env: { npm_lifecycle_event: 'npx' }, shell: true });
    await run.line('listening');
    run.child.kill('SIGTERM');
    await run.line('stopped');
  });

  it('exits at once after a second signal', async () => {
    const { url, busy, stop, line } = await gateway();
    const running = post(url, call('hang')).catch((error: unknown) => error);
    await busy();
    const exit = stop();
    await line('stopping');
    await wait(800); // a signal within this time counts as a duplicate of the first
    assert.equal(await stop(), 143); // the exit code would be 0 after the grace period
    assert.equal(await exit, 143);
    assert.ok((await running) instanceof Error);
  });
});
