import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'vitest';
import { Collector } from '../../support/cli/running.js';
import { LiveManifest, type GatewayEvent, type GatewayManifest } from '../../../gateway/src/index.js';
import { openRateLimiter, serve } from '../../../gateway/src/node/index.js';
import { createLog, urlCredentials } from '../../../gateway/src/node/log.js';
import { RedisServer, skip } from '../../support/gateway/redis-server.js';
import { manifestText, openShop, page, post } from '../../support/gateway/serve-process.js';

const manifest = JSON.parse(manifestText()) as GatewayManifest;
const find = { action: 'find', request: { q: 'tea' } };

describe('serve', () => {
  it('serves until its signal is aborted', async () => {
    const site = await openShop();
    const controller = new AbortController();
    const events: GatewayEvent[] = [];
    const live = new LiveManifest(manifest);
    const { url, closed } = await serve(live, {
      baseUrl: site.origin,
      allowPrivateAddresses: true,
      port: 0,
      signal: controller.signal,
      onEvent: (event) => events.push(event),
    });
    assert.equal((await post(url, find)).status, 200);
    assert.deepEqual(
      events.map(({ action, code }) => [action, code]),
      [['find', 'ok']],
    );
    live.update(JSON.parse(manifestText('2.0.0', page.replace('toolname=find', 'toolname=seek'))) as GatewayManifest);
    assert.equal((await post(url, find)).status, 404);
    controller.abort();
    await closed;
    await assert.rejects(post(url, find));
  });

  it('rejects when its port is in use or its options are invalid', async () => {
    const controller = new AbortController();
    const baseUrl = 'https://shop.example/';
    const { url, closed } = await serve(manifest, { baseUrl, port: 0, signal: controller.signal });
    await assert.rejects(serve(manifest, { baseUrl, port: Number(new URL(url).port) }), { code: 'EADDRINUSE' });
    await assert.rejects(serve(manifest, { baseUrl: 'shop', port: 0 }), { code: 'config-error' });
    controller.abort();
    await closed;
  });

  it('listens on IPv6', async () => {
    const controller = new AbortController();
    const options = { baseUrl: 'https://shop.example/', host: '::1', port: 0, signal: controller.signal };
    const { url, closed } = await serve(manifest, options);
    assert.match(url, /^http:\/\/\[::1\]:\d+\/$/);
    assert.equal((await fetch(`${url}healthz`)).status, 200);
    controller.abort();
    await closed;
  });

  it('closes connections that exceed the headers timeout', async () => {
    const controller = new AbortController();
    const { url, closed } = await serve(manifest, {
      baseUrl: 'http://shop.example/',
      port: 0,
      headersTimeout: 300,
      signal: controller.signal,
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n');
    const slow = setInterval(() => socket.write('x: y\r\n'), 50);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    await once(socket, 'close');
    clearInterval(slow);
    assert.match(text, /^HTTP\/1\.1 408 /);
    controller.abort();
    await closed;
  });

  it('shares rate limits in a Redis, and counts alone while it is unavailable', { skip }, async () => {
    const redis = await RedisServer.start('--requirepass', 'S3CRET');
    const options = { calls: 3, seconds: 60, name: 'shop', redis: redis.url.replace('//', '//:S3CRET@') };
    const [one, other] = [await openRateLimiter(options), await openRateLimiter(options)];
    const counts = [];
    for (const limiter of [one, other, one, other, one]) counts.push((await limiter.count('1.2.3.4')).isAllowed);
    assert.deepEqual(counts, [true, true, true, false, false]);
    await redis.kill();
    assert.equal((await one.count('1.2.3.4')).isAllowed, true);
    one.close();
    other.close();
  });
});

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  return assert.fail('nothing was thrown');
}

describe('createLog', () => {
  it('writes only the name, message and stack of an error, without secrets', () => {
    const stream = new Collector();
    const log = createLog({ level: 'info', stream, secrets: ['S3CRET', 'abc'] });
    const cause = new Error('CAUSE-S3CRET');
    const error = Object.assign(new TypeError('wrong: S3CRET', { cause }), { config: 'CONFIG', headers: ['HEADER'] });
    log.error({ error, reason: 'a S3CRET abc', list: ['S3CRET'], config: { a: 'CONFIG' } }, 'failed');
    const { error: fields, ...line } = JSON.parse(stream.text) as { readonly error: Readonly<Record<string, string>> };
    assert.deepEqual(Object.keys(fields), ['name', 'message', 'stack']);
    assert.equal(fields.message, 'wrong: [hidden]');
    assert.deepEqual(
      { ...line, pid: 0, time: '' },
      {
        level: 'error',
        time: '',
        pid: 0,
        reason: 'a [hidden] abc',
        list: ['[hidden]'],
        msg: 'failed',
      },
    );
    assert.doesNotMatch(stream.text, /S3CRET|CONFIG|HEADER|CAUSE/);
  });

  it('omits the message of an error that quotes its input', () => {
    const stream = new Collector();
    const log = createLog({ level: 'info', stream, secrets: [] });
    const parse = (): unknown => JSON.parse('{"a": hunter2}');
    for (const error of [thrownBy(parse), Object.assign(new Error('hunter2'), { name: 'ZodError' })]) {
      log.error({ error }, 'failed');
    }
    assert.match(stream.text, /"name":"SyntaxError","stack":"at /);
    assert.match(stream.text, /"name":"ZodError"/);
    assert.doesNotMatch(stream.text, /hunter2/);
  });

  it('urlCredentials returns encoded, decoded and basic credentials', () => {
    assert.deepEqual(urlCredentials('https://me:p%40ss@shop.example/'), ['p%40ss', 'p@ss', btoa('me:p@ss')]);
    assert.deepEqual(
      urlCredentials('https://shop.example/').filter((text) => text !== ''),
      [],
    );
    assert.deepEqual(urlCredentials('/folder'), []);
  });
});
