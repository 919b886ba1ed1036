import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it, type TestContext } from 'vitest';
import { LiveManifest } from '../../../gateway/src/manifest.js';
import { createMcpHandler, type McpHandlerOptions } from '../../../gateway/src/mcp/handler.js';
import type { GatewayEvent } from '../../../gateway/src/settings.js';
import { manifest, openShop } from '../../support/gateway/mcp-shop.js';

const version = '2026-07-28';
const meta = 'io.modelcontextprotocol';

interface Answer {
  readonly status: number;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly result?: Readonly<Record<string, unknown>>;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** A call of 2026-07-28. */
const callOf = (name: string, input: object = {}, more: object = {}, claimed: unknown = version) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name,
    arguments: input,
    _meta: { [`${meta}/protocolVersion`]: claimed, [`${meta}/clientCapabilities`]: {}, ...more },
  },
});

const requestOf = (body: unknown, headers: Headers = {}, signal?: AbortSignal): Request => {
  const { method, params } = body as { readonly method?: string; readonly params?: { readonly name?: string } };
  const all = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method,
    'mcp-name': params?.name,
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Request('http://gateway.example/mcp', {
    method: 'POST',
    headers: sent,
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
};

async function open(t: TestContext, options: Partial<McpHandlerOptions> = {}) {
  const site = await openShop(t);
  const live = new LiveManifest(manifest);
  const handle = createMcpHandler(live, { baseUrl: site.origin, allowPrivateAddresses: true, ...options });
  const post = async (body: unknown, headers?: Headers): Promise<Answer> => {
    const response = await handle(requestOf(body, headers));
    const text = await response.text();
    return { status: response.status, ...(text ? (JSON.parse(text) as object) : {}) };
  };
  return { site, live, handle, post };
}

describe('createMcpHandler, 2026-07-28', () => {
  it('answers server/discover, and calls without a handshake', async (t) => {
    const { post, site } = await open(t);
    const { result } = await post({ ...callOf(''), method: 'server/discover' }, { 'mcp-name': undefined });
    assert.deepEqual(result?.['supportedVersions'], [version]);
    assert.match(
      String(result?.['instructions']),
      /describes itself as "A shop that sells tea\."\. Calls do not share cookies/,
    );
    const answer = await post(callOf('search', { q: 'tea' }));
    assert.equal(answer.status, 200);
    assert.equal(answer.result?.['resultType'], 'complete');
    assert.equal(site.requests.at(-1)?.url, '/search?q=tea');
  });

  const good = callOf('search', { q: 'tea' });
  const legacy = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: good.params };
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const cases: readonly (readonly [string, unknown, Headers, number, number])[] = [
    [
      'an unknown version',
      callOf('search', {}, {}, '2099-01-01'),
      { 'mcp-protocol-version': '2099-01-01' },
      400,
      -32022,
    ],
    [
      'a version with initialize',
      callOf('search', {}, {}, '2025-11-25'),
      { 'mcp-protocol-version': '2025-11-25' },
      400,
      -32022,
    ],
    ['another version in the header', good, { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    ['no version in the header', good, { 'mcp-protocol-version': undefined }, 400, -32020],
    ['no version in _meta', { ...good, params: { name: 'search', arguments: { q: 'tea' } } }, {}, 400, -32602],
    ['a version that is not a string', callOf('search', {}, {}, 1), {}, 400, -32602],
    ['no capabilities', callOf('search', {}, { [`${meta}/clientCapabilities`]: undefined }), {}, 400, -32602],
    ['another method in Mcp-Method', good, { 'mcp-method': 'tools/list' }, 400, -32020],
    ['no Mcp-Method', good, { 'mcp-method': undefined }, 400, -32020],
    ['another tool in Mcp-Name', good, { 'mcp-name': 'order' }, 400, -32020],
    ['no Mcp-Name', good, { 'mcp-name': undefined }, 400, -32020],
    ['a broken Mcp-Name', good, { 'mcp-name': '=?base64?%?=' }, 400, -32020],
    ['a batch', [good], { 'mcp-method': undefined, 'mcp-name': undefined }, 400, -32600],
    ['a batch of two eras', [legacy, good], {}, 400, -32600],
    ['initialize', initialize, {}, 400, -32020],
    ['an unknown method', { ...good, method: 'tools/delete' }, {}, 404, -32601],
    ['a removed method', { ...good, method: 'ping' }, { 'mcp-name': undefined }, 404, -32601],
    ['an unknown tool', callOf('sarch'), {}, 200, -32602],
    ['a long ID', { ...good, id: 'x'.repeat(1001) }, {}, 400, -32600],
  ];
  for (const [name, body, headers, status, code] of cases) {
    it(`rejects a request with ${name}, and sends nothing to the site`, async (t) => {
      const events: GatewayEvent[] = [];
      const { post, site } = await open(t, { onEvent: (event) => events.push(event) });
      const { error, ...answer } = await post(body, headers);
      assert.deepEqual([answer.status, error?.code], [status, code], JSON.stringify(error));
      assert.deepEqual(site.requests, []);
      assert.equal(events.length, 1);
    });
  }

  it('names the supported versions to a client of an unknown one', async (t) => {
    const { post } = await open(t);
    const { error } = await post(callOf('x', {}, {}, '2099-01-01'), { 'mcp-protocol-version': '2099-01-01' });
    assert.deepEqual(error?.data, { supported: [version], requested: '2099-01-01' });
  });

  it('ignores Mcp-Session-Id, and does not return one', async (t) => {
    const { handle, site } = await open(t);
    const response = await handle(requestOf(good, { 'mcp-session-id': 'x' }));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('mcp-session-id'), null);
    assert.equal(site.requests.length, 1);
  });

  it('accepts parameters with names of Object.prototype', async (t) => {
    const { post } = await open(t);
    const input = JSON.parse('{"q":"tea","__proto__":{"then":"x"}}') as object;
    const { result } = await post(callOf('search', input));
    assert.match(JSON.stringify(result?.['content']), /no parameter ..__proto__/);
  });

  it('starts and continues a session that a client asks for in _meta', async (t) => {
    const { post } = await open(t);
    const member = 'webmcp-forms/session';
    const sessionOf = ({ result }: Answer): unknown => (result?.['_meta'] as Record<string, unknown>)[member];
    const id = sessionOf(await post(callOf('log-in', { user: 'ann' }, { [member]: 'new' })));
    const cookie = async (more: object): Promise<unknown> => {
      const { result } = await post(callOf('who-am-i', {}, more));
      return (result?.['structuredContent'] as { json: { cookie: unknown } }).json.cookie;
    };
    assert.equal(await cookie({ [member]: id }), 'user=ann');
    assert.equal(await cookie({ [member]: 'new' }), null);
    assert.equal(await cookie({}), null);
    for (const other of ['', 'x', 1, null]) {
      const { error } = await post(callOf('who-am-i', {}, { [member]: other }));
      assert.match(error?.message ?? '', /is not a session of this client\. Send "new" to start one\./);
    }
  });

  it('refuses the session of another client', async (t) => {
    const client = ({ headers }: Request): string => headers.get('x-client') ?? '';
    const { post } = await open(t, { client, sessionKeys: ['0123456789abcdef0123456789abcdef'] });
    const member = 'webmcp-forms/session';
    const { result } = await post(callOf('who-am-i', {}, { [member]: 'new' }), { 'x-client': 'ann' });
    const id = (result?.['_meta'] as Record<string, unknown>)[member];
    assert.ok((await post(callOf('who-am-i', {}, { [member]: id }), { 'x-client': 'ann' })).result);
    assert.equal((await post(callOf('who-am-i', {}, { [member]: id }), { 'x-client': 'bob' })).error?.code, -32602);
  });

  it('does not start a call of a disconnected client', async (t) => {
    const { handle, site } = await open(t);
    const { status } = await handle(requestOf(callOf('wait'), {}, AbortSignal.abort()));
    assert.equal(status, 499);
    assert.deepEqual(site.requests, []);
  });
});

describe('createMcpHandler, subscriptions of 2026-07-28', () => {
  const listeners = (live: LiveManifest): number => getEventListeners(live, 'change').length;
  const listen = {
    ...callOf(''),
    method: 'subscriptions/listen',
    params: { _meta: callOf('').params._meta, notifications: { toolsListChanged: true } },
  };

  async function opened(t: TestContext, options: Partial<McpHandlerOptions> = {}, signal?: AbortSignal) {
    const gateway = await open(t, { keepAlive: 0, ...options });
    const response = await gateway.handle(requestOf(listen, {}, signal));
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const read = async (): Promise<string | undefined> => {
      const { done, value } = await reader.read();
      return done ? undefined : new TextDecoder().decode(value);
    };
    assert.match((await read()) ?? '', /notifications\/subscriptions\/acknowledged/);
    return { ...gateway, reader, read };
  }

  it('are notified when the tools change, until the client disconnects', async (t) => {
    const { live, read, reader } = await opened(t);
    live.update(manifest);
    assert.match((await read()) ?? '', /"method":"notifications\/tools\/list_changed"/);
    await reader.cancel();
    assert.equal(listeners(live), 0);
  });

  it('end when the request is aborted', async (t) => {
    const controller = new AbortController();
    const { live, read } = await opened(t, {}, controller.signal);
    controller.abort();
    while ((await read()) !== undefined);
    assert.equal(listeners(live), 0);
  });

  it('are limited like other streams', async (t) => {
    const { handle, reader } = await opened(t, { maxStreams: 1 });
    const rejected = await handle(requestOf(listen));
    assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [503, '60']);
    await reader.cancel();
    const response = await handle(requestOf(listen));
    assert.equal(response.status, 200);
    await response.body?.cancel();
  });

  it('end with a result when the server stops', async (t) => {
    const controller = new AbortController();
    const { live, read, handle } = await opened(t, { signal: controller.signal });
    controller.abort();
    assert.match((await read()) ?? '', /"resultType":"complete"/);
    while ((await read()) !== undefined);
    assert.equal(listeners(live), 0);
    assert.equal((await handle(requestOf(listen))).status, 503);
  });

  it('are closed when the client does not read', async (t) => {
    const { live, read } = await opened(t);
    for (let at = 0; at <= 101; at++) live.update(manifest);
    let count = 0;
    while ((await read()) !== undefined) count++;
    assert.ok(count <= 102, String(count));
    assert.equal(listeners(live), 0);
  });
});
