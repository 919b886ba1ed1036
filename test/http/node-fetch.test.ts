import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, it, type TestContext } from 'vitest';
import { createNodeFetch } from '../../src/http/node-fetch.js';
import { openSite, type Recorded } from '../support/gateway/recording.js';

const fetch = createNodeFetch({ allowPrivateAddresses: true });

async function open(t: TestContext, answer: (response: ServerResponse, request: Recorded) => unknown) {
  const site = await openSite((request, response) => void answer(response, request));
  t.onTestFinished(site.close);
  let connections = 0;
  site.server.on('connection', () => connections++);
  return { ...site, connections: () => connections };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? [error.message, error.cause instanceof Error ? error.cause.message : ''].join(': ') : '';

const failure = async (promise: Promise<unknown>): Promise<string> =>
  messageOf(await promise.catch((error: unknown) => error));

describe('the requests of createNodeFetch', () => {
  it('have the method, the headers and the body, and accept the codings of browsers', async (t) => {
    const { origin, requests } = await open(t, (response) => response.end());
    await fetch(`${origin}/a?b=c#d`, { method: 'POST', headers: { 'x-own': 'ö' }, body: 'é' });
    await fetch(`${origin}/empty`, { method: 'POST', body: new Uint8Array() });
    await fetch(`${origin}/query?#hash`, {});
    const [first, second, third] = requests; // their bodies are read as Latin-1
    assert.deepEqual([first?.method, first?.url, first?.body], ['POST', '/a?b=c', 'Ã©']);
    const { 'x-own': own, 'content-length': length, 'accept-encoding': codings } = first?.headers ?? {};
    assert.deepEqual([own, length, codings], ['ö', '2', 'gzip, deflate, br']);
    assert.equal(second?.headers['content-length'], '0');
    assert.equal(third?.url, '/query?');
  });

  it('are refused if fetch would follow redirects, or connect to the port of another protocol', async () => {
    assert.match(await failure(fetch('http://127.0.0.1/', { redirect: 'follow' })), /Use "manual"/);
    assert.match(await failure(fetch('http://127.0.0.1:25/', {})), /bad port/);
    assert.match(await failure(fetch('http://127.0.0.1/', { body: new FormData(), method: 'POST' })), /not a string/);
    assert.match(
      await failure(fetch('http://127.0.0.1/', { headers: { 'transfer-encoding': 'x' } })),
      /invalid transfer/,
    );
    assert.match(await failure(fetch('ftp://127.0.0.1/', {})), /\S/);
  });

  it('end with the reason of the signal before, during and after the response', async (t) => {
    const { origin, requests } = await open(t, (response, { url }) => url === '/body' && response.write('x'));
    const reason = new Error('The time is over.');
    await assert.rejects(fetch(origin, { signal: AbortSignal.abort(reason) }), reason);
    assert.deepEqual(requests, []);
    const during = new AbortController();
    const waiting = fetch(origin, { signal: during.signal });
    setTimeout(() => during.abort(reason), 20);
    await assert.rejects(waiting, reason);
    const connecting = createNodeFetch({ lookup: () => undefined, allowPrivateAddresses: true });
    await assert.rejects(connecting('http://site.example/', { signal: AbortSignal.timeout(20) }), {
      name: 'TimeoutError',
    });
    const after = new AbortController();
    const response = await fetch(`${origin}/body`, { signal: after.signal });
    setTimeout(() => after.abort(reason), 20);
    await assert.rejects(response.text(), reason);
  });
});

describe('the responses of createNodeFetch', () => {
  for (const status of [201, 204, 205, 304, 404, 421, 599, 600, 999])
    it(`have the status ${status}, whose request is sent once`, async (t) => {
      const { origin, requests } = await open(t, (response) => response.writeHead(status).end('x'));
      const response = await fetch(origin, {});
      const hasBody = ![204, 205, 304].includes(status);
      assert.deepEqual([response.status, await response.text(), requests.length], [status, hasBody ? 'x' : '', 1]);
    });

  it('have each header as the server has sent its bytes', async (t) => {
    const { origin } = await open(t, (response) => {
      const value = Buffer.from('/ö').toString('latin1');
      response
        .writeHead(
          302,
          [
            ['location', value],
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
          ].flat(),
        )
        .end();
    });
    const { headers } = await fetch(origin, {});
    assert.equal(Buffer.from(headers.get('location') ?? '', 'latin1').toString(), '/ö');
    assert.deepEqual(headers.getSetCookie(), ['a=1', 'b=2']);
  });

  it('ignore informational responses', async (t) => {
    const { origin } = await open(t, (response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      response.end('x');
    });
    const response = await fetch(origin, {});
    assert.deepEqual([response.status, await response.text()], [200, 'x']);
  });

  const text = 'Booked. '.repeat(1000);
  const twice = brotliCompressSync(gzipSync(text));
  const codings: Readonly<Record<string, readonly [string, Buffer]>> = {
    gzip: ['gzip', gzipSync(text)],
    'gzip without its end': ['X-Gzip', gzipSync(text).subarray(0, -8)],
    deflate: ['deflate', deflateSync(text)],
    brotli: ['br', brotliCompressSync(text)],
    'two codings': ['gzip, br', twice],
  };
  for (const [name, [coding, bytes]] of Object.entries(codings))
    it(`are decompressed: ${name}`, async (t) => {
      const { origin } = await open(t, (response) =>
        response.writeHead(200, { 'content-encoding': coding }).end(bytes),
      );
      assert.equal(await (await fetch(origin, {})).text(), text);
    });

  it('are returned unchanged if a coding is unknown, and fail if they are not compressed as declared', async (t) => {
    const { origin } = await open(t, (response, { url }) =>
      response.writeHead(200, { 'content-encoding': url === '/unknown' ? 'gzip, rot13' : 'gzip' }).end('not gzip'),
    );
    assert.equal(await (await fetch(`${origin}/unknown`, {})).text(), 'not gzip');
    const error: unknown = await (await fetch(origin, {})).text().catch((cause: unknown) => cause);
    assert.equal((error as { readonly code?: string }).code, 'Z_DATA_ERROR');
  });

  it('fail if the connection ends before the body', async (t) => {
    const { origin } = await open(t, (response) => {
      response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy());
    });
    assert.match(await failure((await fetch(origin, {})).text()), /^terminated: other side closed/);
  });

  it('make the server pause while nobody reads them', async (t) => {
    let sent = 0;
    const { origin } = await open(t, (response) => {
      const write = (): void => {
        while (sent < 100 && response.write(Buffer.alloc(1_000_000))) sent++;
      };
      response.on('drain', write);
      write();
    });
    const response = await fetch(origin, {});
    const reader = response.body?.getReader();
    await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok(sent < 50, `${sent} of 100 MB were sent`);
    await reader?.cancel();
  });
});

describe('a response that nobody reads', () => {
  it('leaves its connection for the next request if it is short', async (t) => {
    const { origin, connections } = await open(t, (response) => response.writeHead(302).end('Moved.'));
    for (let count = 0; count < 5; count++) {
      const response = await fetch(origin, {});
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(connections(), 1);
  });

  it('closes its connection if it is long, or does not end', { tags: 'long' }, async (t) => {
    const { origin, server } = await open(t, (response, { url }) => {
      response.write('x');
      const write = (): void => {
        while (url === '/long' && !response.destroyed && response.write(Buffer.alloc(100_000)));
      };
      response.on('drain', write);
      write();
    });
    for (const path of ['/long', '/endless']) {
      const opened = once(server, 'connection');
      const response = await fetch(`${origin}${path}`, {});
      const [socket] = (await opened) as [NodeJS.EventEmitter];
      const closed = new Promise((resolve) => socket.once('close', resolve));
      await response.body?.cancel();
      await closed;
    }
  });
});
