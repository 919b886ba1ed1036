import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, test } from 'vitest';
import { openStore } from '../../demo/server/database.js';
import { skipWithout } from '../../tools/programs.mjs';
import { endWithTest } from '../support/processes.js';
import { until } from '../support/until.js';

const folder = mkdtempSync(join(tmpdir(), 'osteria-gateway-test-'));
const database = join(folder, 'osteria.sqlite');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whether any process of a group is running. */
function isRunning(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

interface Example {
  readonly site: string;
  readonly gateway: string;
  /** The call that the program prints as an example. */
  readonly call: { readonly action: string; readonly request: Readonly<Record<string, unknown>> };
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

async function start(file: string, env: Record<string, string> = {}): Promise<Example> {
  const program = fileURLToPath(new URL(`../../demo/gateway/${file}`, import.meta.url));
  const child = endWithTest(
    spawn(process.execPath, [program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, OSTERIA_DB: database, PORT: '0', ...env },
    }),
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  await said(child, () => text, /^Try .*\n/m);
  const find = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? assert.fail(text);
  return {
    site: find(/^Site +(http\S+\/)/m),
    gateway: find(/^Webtools +(http\S+)/m),
    call: JSON.parse(find(/^Try .* -d '(.*?)'/m)) as Example['call'],
    output: () => text,
    stop: () => stop(child),
  };
}

const said = (child: ChildProcess, text: () => string, pattern: RegExp): Promise<boolean> =>
  until(() => {
    assert.equal(child.exitCode ?? child.signalCode, null, text());
    return pattern.test(text());
  });

/** Asserts that no process that the program started is running. */
async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
  await until(() => !isRunning(child.pid ?? 0));
}

const metadataOf = async ({ gateway }: Example): Promise<string> => await (await fetch(gateway)).text();

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function post<Answer>(url: string, body: object): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as Answer;
}

interface Data {
  readonly status: number;
  readonly text?: string;
  readonly jsonLd?: readonly Readonly<Record<string, unknown>>[];
}

/** Books a table twice over Webtools, as the same guest. */
async function book({ gateway, call }: Example, email: string): Promise<readonly unknown[]> {
  const sessionId = randomUUID();
  const bookings: Data[] = [];
  for (const time of ['18:00', '20:30']) {
    const request = { ...call.request, time, name: 'Ada', email };
    bookings.push((await post<{ data: Data }>(gateway, { sessionId, action: 'book_table', request })).data);
  }
  assert.match(bookings[1]?.text ?? '', /All your bookings/);
  return bookings.map(({ jsonLd }) => jsonLd?.[0]?.['reservationId']);
}

function keptBookings(email: string): readonly unknown[] {
  const store = openStore(database);
  try {
    const kept = store.all('SELECT code, visitor FROM bookings WHERE email = ? ORDER BY time', email);
    assert.equal(new Set(kept.map(({ visitor }) => visitor)).size, 1);
    return kept.map(({ code }) => code);
  } finally {
    store.close();
  }
}

async function callOverMcp({ gateway, call }: Example): Promise<Data> {
  const params = { name: call.action, arguments: call.request };
  const answer = await post<{ result: { structuredContent: Data } }>(`${gateway}mcp`, {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  return answer.result.structuredContent;
}

/** Cancels over MCP. Requests may reach different processes, and Workers share no memory. */
async function cancelOverMcp({ gateway, call }: Example): Promise<void> {
  const send = (message: object): Promise<Response> =>
    fetch(`${gateway}mcp`, {
      ...{ method: 'POST', headers: { ...headers, 'mcp-session-id': session } },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const session = randomUUID();
  const params = { name: call.action, arguments: call.request };
  const sent = [
    send({ id: 'slow', method: 'tools/call', params }),
    send({ method: 'notifications/cancelled', params: { requestId: 'slow' } }),
    send({ id: 'next', method: 'tools/call', params }),
  ];
  const answers = await Promise.all(sent);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 202, 200],
  );
  assert.match((await answers[2]?.text()) ?? '', /"structuredContent"/);
}

const require = createRequire(import.meta.url);
const denoOf = (): string => (require('deno/install_api.cjs') as { runInstall(): string }).runInstall();
const workerdOf = (): string => (createRequire(require.resolve('miniflare'))('workerd') as { default: string }).default;

/** Whether a runtime is missing. On CI, it is always false, so that the test fails. */
function isMissing(program: () => string): boolean {
  if (process.env['CI'] === 'true') return false;
  try {
    return spawnSync(program(), ['--version']).status !== 0;
  } catch {
    return true;
  }
}

const runtimes = [
  { name: 'workerd', file: 'workers.mjs', skip: isMissing(workerdOf) },
  { name: 'Deno', file: 'deno.mjs', skip: isMissing(denoOf) },
  { name: 'two processes with Redis', file: 'two-processes.mjs', skip: skipWithout('redis') },
];

const node = await start('node.mjs');

async function checkExample(example: Example, email: string): Promise<void> {
  const metadata = await metadataOf(example);
  assert.equal(metadata, await metadataOf(node));
  assert.match(metadata, /"name":"osteria-lume".*"hash":"sha256-/);
  const booked = await book(example, email);
  assert.equal(booked.length, 2);
  assert.deepEqual(keptBookings(email), booked);
  assert.deepEqual(await callOverMcp(example), (await post<{ data: Data }>(example.gateway, example.call)).data);
  await cancelOverMcp(example);
}

test('the example for Node books tables of one guest in one session', async () => {
  await checkExample(node, 'node@example.com');
});

for (const { name, file, skip } of runtimes) {
  test(
    `the example for ${name} serves the same metadata as the example for Node, and books tables`,
    { skip },
    async () => {
      const example = await start(file, { SITE: node.site });
      await checkExample(example, `${file}@example.com`);
      if (file === 'two-processes.mjs') {
        const processes = [...example.output().matchAll(/^Process (\d+): book_table ok/gm)].map(([, pid]) => pid);
        assert.equal(new Set(processes).size, 2);
      }
      await example.stop();
    },
  );
}

test('an example leaves no process and no file behind when it ends', async () => {
  await node.stop();
});
