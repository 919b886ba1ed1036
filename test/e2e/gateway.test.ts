import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { openStore, type Row } from '../../demo/server/database.js';
import type { WebtoolMetadata } from '../../gateway/src/index.js';
import { skipWithout } from '../../tools/programs.mjs';
import { endWithTest } from '../support/processes.js';
import { booking, openSite } from '../support/e2e/site.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const bin = join(root, 'gateway/dist/cli/bin.js');
const compiler = join(root, 'dist/cli/bin.js');
const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
const manifest = join(folder, 'webmcp.json');
const sessions = join(folder, 'sessions');
const site = await openSite();
const database = process.env.OSTERIA_DB ?? '';
await run(process.execPath, [
  compiler,
  'compile',
  '--manifest-version',
  '1.0.0',
  '--out',
  manifest,
  join(root, 'demo'),
]);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The bookings of a name. */
function bookings(name: string): readonly Row[] {
  const store = openStore(database);
  try {
    return store.all('SELECT guests, area, state FROM bookings WHERE name = ?', name);
  } finally {
    store.close();
  }
}

const serving = (): readonly string[] => ['serve', manifest, '--base-url', site, '--allow-private'];

interface Gateway {
  readonly process: ChildProcess;
  readonly url: string;
}

async function serve(...options: readonly string[]): Promise<Gateway> {
  const child = endWithTest(
    spawn(process.execPath, [bin, ...serving(), '--port', '0', ...options], { stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  let said = '';
  return await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The gateway has ended: ${said}`)));
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
      const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)?.[0];
      if (url !== undefined) resolve({ process: child, url });
    });
  });
}

async function stop({ process }: Gateway): Promise<void> {
  process.kill('SIGTERM');
  await once(process, 'exit');
}

interface Envelope {
  readonly status: string;
  readonly data?: { readonly jsonLd?: readonly { readonly reservationStatus: string }[] };
  readonly error?: { readonly parameters: readonly { readonly parameter: string }[] };
}

async function call(url: string, body: object): Promise<{ readonly status: number; readonly answer: Envelope }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: (await response.json()) as Envelope };
}

describe('the demo as a webtool', () => {
  it('books a table in the database of the site, and reports errors', async () => {
    const gateway = await serve();
    const { actions } = (await (await fetch(gateway.url)).json()) as WebtoolMetadata;
    assert.ok(actions.some(({ name }) => name === 'book_table'));
    const request = { ...booking(), name: 'By Webtool' };
    const refused = await call(gateway.url, { action: 'book_table', request: { ...request, guests: 13, email: 'x' } });
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.answer.error?.parameters.map(({ parameter }) => parameter).sort(), ['email', 'guests']);
    assert.deepEqual(bookings('By Webtool'), []);
    const { status, answer } = await call(gateway.url, { action: 'book_table', request });
    assert.equal(status, 200, JSON.stringify(answer));
    assert.match(answer.data?.jsonLd?.[0]?.reservationStatus ?? '', /ReservationConfirmed$/);
    assert.deepEqual(bookings('By Webtool'), [{ guests: 4, area: 'terrace', state: 'booked' }]);
    await stop(gateway);
  });

  it('restores a session after a restart', async () => {
    const options = ['--sessions', sessions];
    const book = (url: string, area: string): ReturnType<typeof call> =>
      call(url, {
        sessionId: 'the-session-of-ada',
        action: 'book_table',
        request: { ...booking(), name: 'Twice', area, time: area === 'counter' ? '18:00' : '21:00' },
      });
    const first = await serve(...options);
    const one = await book(first.url, 'counter');
    assert.equal(one.status, 200, JSON.stringify(one.answer));
    await stop(first);
    const second = await serve(...options);
    const { answer } = await book(second.url, 'terrace');
    assert.match(JSON.stringify(answer.data), /All your bookings|You have a booking for 4 guests/);
    await stop(second);
  });

  it('responds to curl', { skip: skipWithout('curl') }, async () => {
    const gateway = await serve();
    const data = JSON.stringify({ action: 'search_menu', request: {} });
    const { stdout } = await run('curl', ['-sS', gateway.url, '-H', 'content-type: application/json', '-d', data]);
    assert.equal((JSON.parse(stdout) as Envelope).status, 'ok');
    await stop(gateway);
  });
});

async function bookByMcp(client: Client, name: string): Promise<void> {
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === 'book_table' && tool.annotations?.destructiveHint));
  const refused = await client.callTool({ name: 'book_table', arguments: { ...booking(), name, guests: 13 } });
  assert.equal(refused.isError, true);
  assert.match(JSON.stringify(refused.content), /guests/);
  const { structuredContent, isError } = await client.callTool({
    name: 'book_table',
    arguments: { ...booking(), name, area: 'dining-room' },
  });
  assert.notEqual(isError, true, JSON.stringify(structuredContent));
  assert.deepEqual(bookings(name), [{ guests: 4, area: 'dining-room', state: 'booked' }]);
}

describe('the demo as an MCP server', () => {
  it('books a table over HTTP', async (t) => {
    const gateway = await serve();
    const client = new Client({ name: 'test', version: '1.0.0' });
    t.onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(new URL('mcp', gateway.url)));
    await bookByMcp(client, 'By MCP over HTTP');
    await client.close();
    await stop(gateway);
  });

  it('books a table over standard input and output', async (t) => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    t.onTestFinished(() => client.close());
    const args = [bin, ...serving(), '--mcp'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    await bookByMcp(client, 'By MCP on stdio');
  });
});
