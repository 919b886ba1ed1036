import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'vitest';
import { createMcpHandler, LiveManifest } from '../../../../gateway/src/index.js';
import { until } from '../../../support/until.js';
import { manifest } from '../../../support/gateway/mcp-shop.js';
import { openGateway, openSocket, send, type RawConnection } from '../../../support/gateway/served.js';

/** Opens a stream of MCP and resolves with its first line. */
async function openStream(port: number, address = '192.0.2.1'): Promise<RawConnection & { readonly status: string }> {
  const stream = openSocket(port);
  stream.socket.write(
    `GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nx-forwarded-for: ${address}\r\n\r\n`,
  );
  const [head] = (await once(stream.socket, 'data')) as [Buffer];
  return { ...stream, status: head.toString().slice(9, 12) };
}

describe('the streams of a gateway', () => {
  it('are limited for each client, so that one client cannot take all', async (t) => {
    const { port, lines } = await openGateway(t, { clientAddressHeader: 'x-forwarded-for' });
    const streams = await Promise.all(Array.from({ length: 60 }, () => openStream(port)));
    const open = streams.filter(({ status }) => status === '200');
    assert.deepEqual([open.length, streams.filter(({ status }) => status === '503').length], [50, 10]);
    const refused = lines().filter(({ msg }) => msg === 'refused');
    assert.deepEqual(
      [refused.length, refused[0]?.code, refused[0]?.client, refused[0]?.interface],
      [10, 'overloaded', '192.0.2.1', 'mcp'],
    );
    const other = await openStream(port, '192.0.2.2');
    assert.equal(other.status, '200');
    open[0]?.socket.destroy();
    const again = await until(async () => {
      const stream = await openStream(port);
      if (stream.status === '200') return stream;
      stream.socket.destroy();
      return undefined;
    });
    for (const { socket } of [...streams, other, again]) socket.destroy();
  });

  it('are closed if their client does not read their notifications', async () => {
    const live = new LiveManifest(manifest);
    const handle = createMcpHandler(live, { baseUrl: 'https://shop.example/', maxStreams: 1 });
    const request = (): Request => new Request('http://localhost/', { headers: { accept: 'text/event-stream' } });
    const stream = await handle(request());
    assert.equal((await handle(request())).status, 503);
    for (let count = 0; count < 200; count++) live.update(manifest);
    const next = await handle(request());
    assert.equal(next.status, 200);
    assert.ok((await stream.text()).split('\n\n').length <= 102);
    await next.body?.cancel();
  });
});

describe('a connection to a gateway', () => {
  const short = { headersTimeout: 301, requestTimeout: 600, idleTimeout: 900 };
  const post = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';

  /** Sends a piece again and again, until the connection is closed. */
  async function trickle({ socket, closed }: RawConnection, piece: string): Promise<string> {
    const timer = setInterval(() => socket.write(piece), 50);
    return await closed.finally(() => clearInterval(timer));
  }

  it('is closed if nothing is sent', async (t) => {
    const { port } = await openGateway(t, short);
    assert.match(await openSocket(port).closed, /^(HTTP\/1\.1 408 .*)?/);
  });

  it('is closed if its headers are too slow, and is logged', async (t) => {
    const { port, lines } = await openGateway(t, short);
    const slow = openSocket(port);
    slow.socket.write('GET / HTTP/1.1\r\n');
    assert.match(await trickle(slow, 'x: y\r\n'), /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.deepEqual(
      lines().map(({ msg, code, status, client }) => [msg, code, status, client]),
      [['refused', 'ERR_HTTP_REQUEST_TIMEOUT', 408, '127.0.0.1']],
    );
  });

  for (const [name, head, piece] of [
    ['with a length', `${post}content-length: 8000000\r\n\r\n`, 'x'],
    ['in chunks', `${post}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n'],
  ] as const) {
    it(`is closed if its body ${name} is too slow`, { tags: 'long' }, async (t) => {
      const { port, site } = await openGateway(t, short);
      const slow = openSocket(port);
      slow.socket.write(head);
      assert.match(await trickle(slow, piece), /^(HTTP\/1\.1 408 .*)?/);
      assert.deepEqual(site.requests, []);
    });
  }

  it('is closed if its responses are not read', { tags: 'long' }, async (t) => {
    const { port } = await openGateway(t, { ...short, manifest: { description: 'x'.repeat(500_000) } });
    const { socket, closed } = openSocket(port);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(60));
    const timer = setInterval(() => socket.write('x'), 50); // a paused socket detects only by writing that it is closed
    const text = await closed.finally(() => clearInterval(timer));
    assert.ok(text.length < 60 * 500_000);
  });

  it('is closed if its body has too many chunks', async (t) => {
    for (const path of ['/', '/mcp']) {
      const { port, lines } = await openGateway(t);
      const { socket, closed } = openSocket(port);
      socket.write(`${post.replace('/', path)}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(50_000)}`);
      assert.match(await closed, /^HTTP\/1\.1 413 [^]*REQUEST_TOO_LARGE[^]*more than 10000 chunks/);
      assert.equal(lines().at(-1)?.code, 'request-too-large');
    }
  });

  it('is refused beyond the maximum number', async (t) => {
    const { port, lines } = await openGateway(t, { maxConnections: 2 });
    const held = [openSocket(port), openSocket(port)];
    await Promise.all(held.map(({ socket }) => once(socket, 'connect')));
    await assert.rejects(send(port, {}));
    assert.deepEqual(
      lines().map(({ msg, code }) => [msg, code]),
      [['refused', 'too-many-connections']],
    );
    for (const { socket } of held) socket.destroy();
    await until(async () => (await send(port, {}).catch(() => undefined))?.status === 200);
  });

  it('is answered and logged if it does not send HTTP', async (t) => {
    const { port, lines } = await openGateway(t);
    for (const [text, status, code] of [
      ['\x16\x03\x01\x02\x00\x01', 400, 'HPE_INVALID_METHOD'],
      [`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'HPE_HEADER_OVERFLOW'],
      ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n', 400, ''],
    ] as const) {
      const { socket, closed } = openSocket(port);
      socket.write(text);
      assert.match(await closed, new RegExp(`^HTTP/1\\.1 ${status} `));
      const line = lines().at(-1);
      assert.deepEqual([line?.msg, line?.status], ['refused', status]);
      if (code !== '') assert.equal(line?.code, code);
    }
  });
});
