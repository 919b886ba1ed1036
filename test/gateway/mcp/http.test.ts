import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createStorage, type Storage } from 'unstorage';
import { LiveManifest, type ManifestJson } from '../../../gateway/src/manifest.js';
import { createMcpHandler, type McpHandlerOptions } from '../../../gateway/src/mcp/handler.js';
import type { GatewayEvent } from '../../../gateway/src/settings.js';
import { until } from '../../support/until.js';
import {
  callOf,
  connect,
  manifest,
  manifestOf,
  manifestOfPages,
  openGateway,
  openShop,
} from '../../support/gateway/mcp-shop.js';
import type { Site } from '../../support/gateway/recording.js';

type Handler = (request: Request) => Promise<Response>;

interface Rpc {
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string };
}

const handlerOf = (
  { origin }: Pick<Site, 'origin'>,
  options: Partial<McpHandlerOptions> = {},
  tools: ManifestJson | LiveManifest = manifest,
): Handler => createMcpHandler(tools, { baseUrl: origin, allowPrivateAddresses: true, ...options });

const nowhere = { origin: 'http://127.0.0.1:1' };

/** Posts to a handler. */
async function post(handle: Handler, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) {
  const request = new Request('http://gateway.example/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
  const response = await handle(request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, rpc: (text ? JSON.parse(text) : {}) as Rpc };
}

const rpc = (method: string, params?: object): object => ({ jsonrpc: '2.0', id: 1, method, params });
const call = (name: string, input: object = {}): object => rpc('tools/call', { name, arguments: input });
const initialize = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** The cookie that the site receives in a session. */
async function cookieOf(handle: Handler, headers: Record<string, string>): Promise<unknown> {
  const { rpc } = await post(handle, call('who-am-i'), headers);
  return (rpc.result?.['structuredContent'] as { json: { cookie: unknown } }).json.cookie;
}

const session = (id: string = crypto.randomUUID()): Record<string, string> => ({ 'mcp-session-id': id });

describe('createMcpHandler, sessions', () => {
  it('returns a session ID from initialize', async () => {
    const handle = handlerOf(nowhere);
    const { headers, rpc: answer } = await post(handle, initialize);
    assert.equal(answer.result?.['protocolVersion'], '2025-11-25');
    assert.match(headers.get('mcp-session-id') ?? '', /^[\da-f-]{36}$/);
    const other = await post(handle, initialize);
    assert.notEqual(other.headers.get('mcp-session-id'), headers.get('mcp-session-id'));
    assert.equal((await post(handle, rpc('tools/list'))).headers.get('mcp-session-id'), null);
    assert.equal((await post(handle, rpc('initialize'))).headers.get('mcp-session-id'), null);
  });

  it('continues a session in every process with the same store', async (t) => {
    const site = await openShop(t);
    const sessions = createStorage();
    const [one, other] = [handlerOf(site, { sessions }), handlerOf(site, { sessions })];
    const ours = session();
    await post(one, call('log-in', { user: 'ann' }), ours);
    assert.equal(await cookieOf(other, ours), 'user=ann');
    assert.equal(await cookieOf(other, session()), null);
    assert.equal(await cookieOf(other, {}), null);
  });

  it('serves one client from two processes in turn', async (t) => {
    const site = await openShop(t);
    const sessions = createStorage();
    const handlers = [handlerOf(site, { sessions }), handlerOf(site, { sessions })] as const;
    let count = 0;
    const client = await connect(t, await openGateway(t, (request) => handlers[count++ % 2 === 0 ? 0 : 1](request)));
    await client.listTools();
    await callOf(client, 'log-in', { user: 'ann' });
    for (let at = 0; at < 2; at++) {
      assert.deepEqual((await callOf(client, 'who-am-i')).structuredContent?.['json'], { cookie: 'user=ann' });
    }
  });

  it('stores no session of requests without an ID', async (t) => {
    const sessions = createStorage();
    const handle = handlerOf(await openShop(t), { sessions });
    await post(handle, call('log-in', { user: 'ann' }));
    assert.equal(await cookieOf(handle, {}), null);
    assert.deepEqual(await sessions.getKeys(), []);
  });

  it('ends a session with DELETE', async (t) => {
    const sessions = createStorage();
    const handle = handlerOf(await openShop(t), { sessions });
    const headers = session();
    await post(handle, call('log-in', { user: 'ann' }), headers);
    assert.equal((await sessions.getKeys()).length, 1);
    const remove = (headers: Record<string, string>): Promise<Response> =>
      handle(new Request('http://gateway.example/', { method: 'DELETE', headers }));
    assert.equal((await remove({})).status, 400);
    assert.equal((await remove(headers)).status, 200);
    assert.deepEqual(await sessions.getKeys(), []);
    assert.equal(await cookieOf(handle, headers), null);
  });

  it('rejects session IDs that are not UUIDs', async () => {
    const handle = handlerOf(nowhere);
    for (const method of ['POST', 'GET', 'DELETE']) {
      const headers = { 'mcp-session-id': '1', accept: 'text/event-stream' };
      const response = await handle(new Request('http://gateway.example/', { method, headers }));
      assert.equal(response.status, 404);
    }
  });

  it('returns an error without details when the store fails', async (t) => {
    const broken: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
      getItem: () => Promise.reject(new Error('redis://:S3CRET@store')),
      setItem: () => Promise.reject(new Error('redis://:S3CRET@store')),
      removeItem: () => Promise.reject(new Error('redis://:S3CRET@store')),
    };
    const sessions = Object.assign(createStorage(), broken);
    const handle = handlerOf(await openShop(t), { sessions });
    const { rpc } = await post(handle, call('who-am-i'), session());
    assert.equal(rpc.result?.['isError'], true);
    assert.match(JSON.stringify(rpc), /STORE_UNAVAILABLE: /);
    assert.doesNotMatch(JSON.stringify(rpc), /S3CRET/);
    const response = await handle(new Request('http://gateway.example/', { method: 'DELETE', headers: session() }));
    assert.equal(response.status, 503);
    assert.doesNotMatch(await response.text(), /S3CRET/);
  });

  it('returns a warning when the session cannot be saved', async (t) => {
    const sessions = Object.assign(createStorage(), { setItem: () => Promise.reject(new Error('full')) });
    const handle = handlerOf(await openShop(t), { sessions });
    const { rpc } = await post(handle, call('log-in', { user: 'ann' }), session());
    assert.equal(rpc.result?.['isError'], undefined);
    const [answer, warning] = rpc.result?.['content'] as readonly { readonly text: string }[];
    assert.equal((JSON.parse(answer?.text ?? '') as { status: number }).status, 200);
    assert.match(warning?.text ?? '', /^STORE_UNAVAILABLE: /);
  });
});

describe('createMcpHandler, requests', () => {
  const list = rpc('tools/list');
  const old = { 'mcp-protocol-version': '2025-03-26' };
  const cases: readonly (readonly [string, unknown, Record<string, string>, number, number])[] = [
    ['with invalid JSON', '{', {}, 400, -32700],
    ['with an empty body', '', {}, 400, -32700],
    ['without a message', '{}', {}, 400, -32600],
    ['with too many levels', '['.repeat(900), {}, 400, -32700],
    ['that is too large', ' '.repeat(2000), {}, 413, -32000],
    ['with another content type', 'x', { 'content-type': 'text/plain' }, 415, -32000],
    ['that does not accept streams', list, { accept: 'application/json' }, 406, -32000],
    ['of an unknown protocol version', list, { 'mcp-protocol-version': '2025-01-01' }, 400, -32000],
    ['with a batch in a version without batches', [list], { 'mcp-protocol-version': '2025-06-18' }, 400, -32600],
    ['of a page of another origin', list, { origin: 'https://evil.example' }, 403, -32000],
    ['of a page with an opaque origin', list, { origin: 'null' }, 403, -32000],
    ['of a page whose name resolves to the gateway', list, { origin: 'http://gateway.example' }, 403, -32000],
    ['of a page of another server on the same machine', list, { origin: 'http://localhost:3000' }, 403, -32000],
  ];
  for (const [name, body, headers, status, code] of cases) {
    it(`rejects a request ${name} with a JSON-RPC error`, async () => {
      const answer = await post(handlerOf(nowhere, { maxRequestBytes: 1000 }), body, headers);
      assert.deepEqual([answer.status, answer.rpc.error?.code], [status, code]);
      assert.equal(answer.headers.get('content-type'), 'application/json');
    });
  }

  it('responds to a batch in a version with batches', async () => {
    const batch = [
      { ...list, id: 1 },
      { ...list, id: 2 },
      { ...call('x'), id: 3 },
    ];
    for (const headers of [old, {}]) {
      const { rpc } = await post(handlerOf(nowhere), batch, headers);
      assert.deepEqual(
        (rpc as unknown as readonly { readonly id: number }[]).map(({ id }) => id),
        [1, 2, 3],
      );
    }
  });

  it('returns the allowed HTTP methods', async () => {
    const response = await handlerOf(nowhere)(new Request('http://gateway.example/', { method: 'PUT' }));
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, POST, DELETE']);
  });

  it('returns an error for an unknown JSON-RPC method', async () => {
    const { rpc: answer } = await post(handlerOf(nowhere), rpc('prompts/list'));
    assert.deepEqual(answer.error, { code: -32601, message: 'Method not found' });
  });

  it('allows pages of configured origins', async () => {
    const handle = handlerOf(nowhere, { cors: ['https://app.example'] });
    const origin = 'https://app.example';
    const { status, headers } = await post(handle, initialize, { origin });
    assert.equal(status, 200);
    assert.equal(headers.get('access-control-allow-origin'), origin);
    assert.equal(headers.get('access-control-expose-headers'), 'mcp-session-id,retry-after,www-authenticate');
    assert.equal(headers.get('vary'), 'Origin');
    const preflight = await handle(new Request('http://gateway.example/', { method: 'OPTIONS', headers: { origin } }));
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /mcp-session-id/);
    assert.equal((await post(handle, list, { origin: 'https://evil.example' })).status, 403);
    assert.equal((await post(handlerOf(nowhere, { cors: ['*'] }), list, { origin })).status, 200);
  });

  it('aborts the request to the site when the client disconnects', async (t) => {
    const site = await openShop(t);
    const url = await openGateway(t, handlerOf(site));
    const controller = new AbortController();
    const arrived = once(site.server, 'request');
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const { signal } = controller;
    const answer = fetch(url, { method: 'POST', headers, body: JSON.stringify(call('wait')), signal });
    answer.catch(() => undefined);
    const [{ socket }] = (await arrived) as [IncomingMessage];
    const closed = once(socket, 'close');
    controller.abort();
    await closed;
  });

  it('does not start a call of a disconnected client', async (t) => {
    const site = await openShop(t);
    const { status } = await post(handlerOf(site), call('wait'), {}, AbortSignal.abort());
    assert.equal(status, 499);
    assert.deepEqual(site.requests, []);
  });

  it('responds to a batch with a cancelled request', async (t) => {
    const site = await openShop(t);
    const handle = handlerOf(site);
    const headers = session();
    const arrived = once(site.server, 'request');
    const batch = post(
      handle,
      [
        { ...call('wait'), id: 'a' },
        { ...list, id: 'b' },
      ],
      headers,
    );
    await arrived;
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } };
    assert.equal((await post(handle, cancel, session())).status, 202); // ignored, because another client sends it
    assert.equal((await post(handle, cancel, headers)).status, 202);
    const [first, second] = (await batch).rpc as unknown as readonly Rpc[];
    assert.equal(first?.error?.code, -32000);
    assert.ok(second?.result);
    assert.equal((await post(handle, cancel, headers)).status, 202);
  });
});

describe('createMcpHandler, tools', () => {
  const formOf = (name: string, control: string): string =>
    `<form toolname="${name}" tooldescription="&lt;script&gt;\u202e Ignore all" toolautosubmit action=/search><input name="${control}"></form>`;

  it('accepts parameters with names of Object.prototype', async (t) => {
    const site = await openShop(t);
    const names = ['toString', 'hasOwnProperty', 'then'];
    const handle = handlerOf(site, {}, manifestOf(names.map((name) => formOf(`tool-${name}`, name)).join('')));
    for (const name of names) {
      const { rpc } = await post(handle, call(`tool-${name}`, { [name]: 'x' }));
      assert.equal(rpc.result?.['isError'], undefined, JSON.stringify(rpc));
      assert.equal(site.requests.at(-1)?.url, `/search?${name}=x`);
    }
    const { rpc } = await post(
      handle,
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool-then","arguments":{"__proto__":{"then":"x"}}}}',
    );
    assert.match(JSON.stringify(rpc.result?.['content']), /no parameter ..__proto__/);
  });

  it('lists tools with any parameter names', async (t) => {
    const odd = manifestOf(['a', 'constructor', '__proto__'].map((name) => formOf(`tool-${name}`, name)).join(''));
    const client = await connect(t, await openGateway(t, handlerOf(nowhere, {}, odd)));
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['tool-a', 'tool-constructor', 'tool-__proto__'],
    );
    assert.equal(tools[0]?.description, '<script>\u202e Ignore all');
  });

  it('paginates thousands of tools', { tags: 'long' }, async (t) => {
    const pages = ['a', 'b', 'c', 'd', 'e'].map((page) =>
      Array.from({ length: 1000 }, (_, index) => formOf(`tool-${page}-${index}`, 'q')).join(''),
    );
    const many = manifestOfPages(pages);
    const live = new LiveManifest(many);
    const handle = handlerOf(await openShop(t), {}, live);
    const names = new Set<string>();
    let params: { readonly cursor?: string } | undefined = {};
    const listed = async (page: object): Promise<Rpc> => (await post(handle, rpc('tools/list', page))).rpc;
    for (let pages = 0; params; pages++) {
      const { result } = await listed(params);
      for (const { name } of result?.['tools'] as readonly { readonly name: string }[]) names.add(name);
      const cursor = result?.['nextCursor'] as string | undefined;
      params = cursor === undefined ? undefined : { cursor };
      assert.ok(pages < 5);
    }
    assert.equal(names.size, 5000);
    const { result } = await listed({});
    live.update(manifest);
    assert.equal((await listed({ cursor: result?.['nextCursor'] })).error?.code, -32602);
    for (const cursor of ['', 'x', '-1 x', '1000']) assert.equal((await listed({ cursor })).error?.code, -32602);
  });

  it('reports events without values of calls', async (t) => {
    const events: GatewayEvent[] = [];
    const site = await openShop(t);
    const handle = handlerOf(site, { onEvent: (event) => events.push(event) });
    await post(handle, call('search', { q: 'S3CRET' }));
    await post(handle, call('order', { goods: 'none', S3CRET: 1 }));
    await post(handle, call('order', { goods: 'none' }));
    await post(handle, call('fail'));
    await post(handle, call('S3CRET'));
    await post(handle, 'S3CRET', { 'content-type': 'S3CRET' });
    assert.deepEqual(
      events.map(({ milliseconds, ...event }) => {
        assert.ok(milliseconds >= 0);
        return event;
      }),
      [
        { type: 'call', interface: 'mcp', action: 'search', code: 'ok', status: 200 },
        { type: 'call', interface: 'mcp', action: 'order', code: 'schema-error', status: 0 },
        { type: 'call', interface: 'mcp', action: 'order', code: 'ok', status: 409 },
        {
          type: 'call',
          interface: 'mcp',
          action: 'fail',
          code: 'upstream-error',
          status: 0,
          url: `${site.origin}/fail`,
        },
        { type: 'call', interface: 'mcp', code: 'action-not-found', status: 0 },
        { type: 'call', interface: 'mcp', code: 'unsupported-media-type', status: 415 },
      ],
    );
  });

  it('reports events with the ID of the request', async (t) => {
    const events: GatewayEvent[] = [];
    const handle = handlerOf(await openShop(t), { onEvent: (event) => events.push(event) });
    for (const id of ['a-1', 'b\tc', '']) {
      await post(handle, call('search', { q: 'tea' }), { 'x-request-id': id });
      await post(handle, call('nothing'), { 'x-request-id': id });
      await post(handle, '{', { 'x-request-id': id });
    }
    assert.deepEqual(
      events.map(({ requestId }) => requestId),
      ['a-1', 'a-1', 'a-1', ...Array<undefined>(6).fill(undefined)],
    );
  });

  it('returns an error without internal details for a broken manifest', async () => {
    const events: GatewayEvent[] = [];
    const broken = structuredClone(manifest);
    const handle = handlerOf(nowhere, { onEvent: (event) => events.push(event) }, broken);
    const [tool] = broken.pages[0]?.tools ?? [];
    Object.defineProperty(tool?.form, 'controls', { value: [null] }); // after the check of the manifest
    const { rpc: answer } = await post(handle, rpc('tools/list'));
    assert.deepEqual(answer.error, { code: -32603, message: answer.error?.message ?? '' });
    assert.match(answer.error.message, /The gateway failed/);
    assert.ok(events[0]?.error instanceof TypeError);
  });
});

describe('createMcpHandler, languages', () => {
  it('states the language and the direction of a tool in _meta', async () => {
    const form = (name: string, more = ''): string =>
      `<form toolname=${name} ${more} tooldescription="Finds it." action=/${name}><input name=q><button>Go</button></form>`;
    const tools = manifestOf(`<html lang=ar dir=rtl>${form('one')}${form('two', 'lang=en dir=ltr')}`);
    const { rpc: answer } = await post(handlerOf(nowhere, {}, tools), rpc('tools/list'));
    const listed = answer.result?.['tools'] as readonly { readonly name: string; readonly _meta: object }[];
    assert.deepEqual(
      listed.map(({ name, _meta }) => [name, _meta]),
      [
        ['one', { page: 'index.html', 'webmcp-forms/lang': 'ar', 'webmcp-forms/dir': 'rtl' }],
        ['two', { page: 'index.html', 'webmcp-forms/lang': 'en', 'webmcp-forms/dir': 'ltr' }],
      ],
    );
    const undeclared = await post(handlerOf(nowhere, {}, manifestOf(form('one'))), rpc('tools/list'));
    const [tool] = undeclared.rpc.result?.['tools'] as readonly { readonly _meta: { readonly page: string } }[];
    assert.deepEqual(Object.keys(tool?._meta ?? {}), ['page']);
  });
});

describe('createMcpHandler, input', () => {
  it('lists the accepted values of a parameter in one sentence, without a long pattern', async () => {
    const controls = `<input type=date name=day min=2026-01-01><input type=datetime-local name=start>
      <input name=code pattern="${'[0-9]'.repeat(30)}" title="Thirty digits"><button>Go</button>`;
    const tools = manifestOf(`<form toolname=book tooldescription="Books a day." action=/book>${controls}</form>`);
    const input = { day: '31.1.2026', start: 'now', code: 'x' };
    const { rpc: answer } = await post(handlerOf(nowhere, {}, tools), call('book', input));
    const [{ text }] = answer.result?.['content'] as [{ text: string }];
    assert.equal(
      text,
      [
        'SCHEMA_ERROR: The input is invalid.',
        'Parameter "day" must be a date as YYYY-MM-DD, such as "2026-01-01", from 2026-01-01.',
        'Parameter "start" must be a local date and time as YYYY-MM-DDTHH:MM, such as "2026-01-31T14:30".',
        `Parameter "code" must be text that matches the pattern "${'[0-9]'.repeat(30).slice(0, 59)}... (Thirty digits).`,
      ].join(' '),
    );
  });

  it('refuses messages of a batch with the same ID, because only one of them would be answered', async () => {
    const repeated = [rpc('tools/list'), rpc('ping')];
    const { status, rpc: answer } = await post(handlerOf(nowhere), repeated);
    assert.equal(status, 400);
    assert.deepEqual(answer.error, { code: -32600, message: 'Two messages have the same "id". Use distinct ones.' });
  });

  it('refuses a long ID, which the answer would repeat', async () => {
    const { status, rpc: answer } = await post(handlerOf(nowhere), { ...rpc('tools/list'), id: 'x'.repeat(1001) });
    assert.equal(status, 400);
    assert.match(answer.error?.message ?? '', /^An "id" has more than 1000 characters\./);
  });

  it('limits the errors of unknown parameters', async () => {
    const input = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`a${index}`, 0]));
    const { rpc } = await post(handlerOf(nowhere), call('search', input));
    const text = JSON.stringify(rpc);
    assert.match(text, /SCHEMA_ERROR: .*"isError":true/s);
    assert.match(text, /The input has 49900 more unknown names\./);
    assert.ok(text.length < 10_000, String(text.length));
  });
});

describe('createMcpHandler, streams', () => {
  // Streams do not keep the process alive.
  let awake: NodeJS.Timeout;
  beforeAll(() => {
    awake = setInterval(() => undefined, 1000);
  });
  afterAll(() => {
    clearInterval(awake);
  });

  const get = (headers: Record<string, string> = {}, signal?: AbortSignal): Request =>
    new Request('http://gateway.example/', {
      headers: { accept: 'text/event-stream', ...headers },
      ...(signal && { signal }),
    });
  const listeners = (live: LiveManifest): number => getEventListeners(live, 'change').length;

  async function opened(options: Partial<McpHandlerOptions>, signal?: AbortSignal) {
    const live = new LiveManifest(manifest);
    const handle = handlerOf(nowhere, options, live);
    const response = await handle(get({}, signal));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const read = async (): Promise<string | undefined> => {
      const { done, value } = await reader.read();
      return done ? undefined : new TextDecoder().decode(value);
    };
    return { live, handle, reader, read };
  }

  it('sends notifications and keep-alive messages', async () => {
    const { live, read, reader } = await opened({ keepAlive: 20 });
    assert.equal(await read(), ': keepalive\n\n');
    live.update(manifest);
    const notification = 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';
    let event = await read();
    while (event?.startsWith(':')) event = await read();
    assert.equal(event, notification);
    await reader.cancel();
  });

  it('closes a stream when its reader disconnects', async (t) => {
    const first = await opened({});
    assert.equal(listeners(first.live), 1);
    await first.reader.cancel();
    assert.equal(listeners(first.live), 0);

    const controller = new AbortController();
    const second = await opened({}, controller.signal);
    controller.abort();
    assert.equal(await second.read(), undefined);
    assert.equal(listeners(second.live), 0);

    const live = new LiveManifest(manifest);
    const url = await openGateway(t, handlerOf(nowhere, {}, live));
    const response = await fetch(url, { headers: { accept: 'text/event-stream' } });
    assert.equal(listeners(live), 1);
    await response.body?.cancel();
    await until(() => listeners(live) === 0);
  });

  it('limits the number of streams', async () => {
    const { handle, reader } = await opened({ maxStreams: 1 });
    const rejected = await handle(get());
    assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [503, '60']);
    await reader.cancel();
    const response = await handle(get());
    assert.equal(response.status, 200);
    await response.body?.cancel();
  });

  it('does not count rejected requests as streams', async () => {
    const live = new LiveManifest(manifest);
    const handle = handlerOf(nowhere, { maxStreams: 1 }, live);
    assert.equal((await handle(get({ accept: 'text/html' }))).status, 406);
    assert.equal((await handle(get({ 'mcp-protocol-version': 'x' }))).status, 400);
    assert.equal(listeners(live), 0);
    const response = await handle(get());
    assert.equal(response.status, 200);
    await response.body?.cancel();
  });

  it('closes streams when its signal is aborted', async () => {
    const controller = new AbortController();
    const { live, handle, read } = await opened({ signal: controller.signal });
    controller.abort();
    assert.equal(await read(), undefined);
    assert.equal(listeners(live), 0);
    assert.equal((await handle(get())).status, 503);
  });
});
