import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { test } from 'vitest';
import { openServer, startingListener, type Listener } from '../../tools/starting-page.mjs';
import { atEnd } from '../support/at-end.js';

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A server that starts until `finish` or `fail` is called. */
async function openStarting() {
  const { promise, ...settle } = deferred<Listener>();
  const server = await openServer(0);
  const listener = startingListener(promise, () => 'Building <all> ...');
  server.on('request', (request, response) => {
    const next = (error: unknown): unknown => response.writeHead(500).end(String(error));
    void listener(request, response, next);
  });
  atEnd(() => server.close());
  const get = (accept: string): Promise<Response> =>
    fetch(`http://localhost:${portOf(server)}/docs/`, { headers: { accept } });
  return { server, get, ...settle };
}

/** A promise, and the functions that settle it. */
function deferred<Value>() {
  let finish: ((value: Value) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const promise = new Promise<Value>((resolve, reject) => ([finish, fail] = [resolve, reject]));
  if (!finish || !fail) throw new Error('Promises call their executor at once.');
  return { promise, finish, fail };
}

const sayReady: Listener = (_request, response) => void response.end('Ready');

test('a page that is requested during the start shows the state, and then the page', async () => {
  const { get, finish } = await openStarting();
  const waiting = await get('text/html,*/*;q=0.8');
  assert.equal(waiting.status, 200);
  assert.equal(waiting.headers.get('cache-control'), 'no-store');
  assert.match(await waiting.text(), /role="status">Building &lt;all> \.\.\.</);
  finish(sayReady);
  assert.equal(await (await get('text/html')).text(), 'Ready');
});

test('a request of a program during the start waits for the response', async () => {
  const { get, finish } = await openStarting();
  const waiting = get('*/*');
  await get('text/html'); // the server has received the first request
  finish(sayReady);
  assert.equal(await (await waiting).text(), 'Ready');
});

test('every response contains the reason if the start fails', async () => {
  const { get, fail } = await openStarting();
  const waiting = get('*/*');
  await get('text/html');
  fail(new Error('It is broken.'));
  for (const response of [await waiting, await get('text/html')]) {
    assert.equal(response.status, 500);
    assert.match(await response.text(), /It is broken\./);
  }
});

test('a port in use is replaced by the next free one', async () => {
  const { server } = await openStarting();
  const second = await openServer(portOf(server));
  atEnd(() => second.close());
  assert.ok(portOf(second) > portOf(server));
});
