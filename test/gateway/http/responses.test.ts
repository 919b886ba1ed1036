import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { createStorage } from 'unstorage';
import memoryDriver from 'unstorage/drivers/memory';
import type { Driver } from 'unstorage';
import { createCapacity } from '../../../gateway/src/index.js';
import { openRateLimiter } from '../../../gateway/src/node/index.js';
import { findCall, findOverMcp, openGateway, send, type Sent } from '../../support/gateway/served.js';

const token = 'a-token-of-at-least-20-characters';
const right = { authorization: `Bearer ${token}` };
const json = { ...right, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const rpc = (method: string, params: object = {}): Sent => ({
  ...{ method: 'POST', path: '/mcp', headers: json },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
});

/** Names, requests, the status of the response, and the logged code, which is undefined if the request is accepted. */
const requests: readonly (readonly [string, Sent, number, string | undefined])[] = [
  ['metadata', { headers: right }, 200, undefined],
  ['liveness', { path: '/healthz' }, 200, undefined],
  ['readiness', { path: '/readyz' }, 200, undefined],
  ['a call', findCall(right), 200, 'ok'],
  ['a call over MCP', findOverMcp(right), 200, 'ok'],
  ['a list of tools', rpc('tools/list'), 200, undefined],
  ['allowed methods', { method: 'OPTIONS' }, 204, undefined],
  [
    'a preflight',
    { method: 'OPTIONS', headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' } },
    204,
    undefined,
  ],
  ['another host', { headers: { host: 'evil.example' } }, 421, 'host-not-allowed'],
  ['another host over MCP', { path: '/mcp', headers: { host: 'evil.example' } }, 421, 'host-not-allowed'],
  ['another origin', { headers: { ...right, origin: 'https://evil.example' } }, 403, 'origin-not-allowed'],
  ['another origin at the health check', { path: '/healthz', headers: { origin: 'null' } }, 403, 'origin-not-allowed'],
  ['no token', {}, 401, 'unauthorized'],
  ['a wrong token over MCP', { path: '/mcp', headers: { authorization: 'Bearer S3CRET' } }, 401, 'unauthorized'],
  ['an unknown path', { path: '/S3CRET/x', headers: right }, 404, 'webtool-not-found'],
  ['an unknown version', { path: '/9.9.9', headers: right }, 404, 'webtool-not-found'],
  ['another method', { method: 'PUT', headers: right }, 405, 'method-not-allowed'],
  ['another method of MCP', { method: 'PUT', path: '/mcp', headers: right }, 405, 'protocol-error'],
  ['invalid JSON', { method: 'POST', headers: json, body: '{"S3CRET' }, 400, 'schema-error'],
  ['invalid JSON over MCP', { method: 'POST', path: '/mcp', headers: json, body: '{"S3CRET' }, 400, 'schema-error'],
  [
    'a text',
    { method: 'POST', headers: { ...right, 'content-type': 'text/plain' }, body: 'x' },
    415,
    'unsupported-media-type',
  ],
  [
    'a form',
    { method: 'POST', headers: { ...right, 'content-type': 'application/x-www-form-urlencoded' }, body: 'x' },
    415,
    'unsupported-media-type',
  ],
  ['no content type', { method: 'POST', headers: right, body: '{}' }, 415, 'unsupported-media-type'],
  [
    'a text over MCP',
    { method: 'POST', path: '/mcp', headers: { ...json, 'content-type': 'text/plain' }, body: '{}' },
    415,
    'unsupported-media-type',
  ],
  ['a large body', { method: 'POST', headers: json, body: ' '.repeat(2000) }, 413, 'request-too-large'],
  [
    'a large body over MCP',
    { method: 'POST', path: '/mcp', headers: json, body: ' '.repeat(2000) },
    413,
    'request-too-large',
  ],
  ['an unknown action', { ...findCall(right), body: '{"action":"S3CRET","request":{}}' }, 404, 'action-not-found'],
  ['invalid input', { ...findCall(right), body: '{"action":"find","request":{"S3CRET":1}}' }, 422, 'schema-error'],
  ['another Accept of MCP', { ...rpc('ping'), headers: { ...json, accept: 'text/html' } }, 406, 'protocol-error'],
  [
    'an unknown session',
    { ...rpc('ping'), headers: { ...json, 'mcp-session-id': 'S3CRET' } },
    404,
    'session-not-found',
  ],
  [
    'an id that is too long',
    { ...rpc('ping'), body: `{"jsonrpc":"2.0","method":"ping","id":"${'x'.repeat(1001)}"}` },
    400,
    'id-too-long',
  ],
  [
    'a batch',
    { ...rpc('ping'), headers: { ...json, 'mcp-protocol-version': '2025-06-18' }, body: '[]' },
    400,
    'batch-not-allowed',
  ],
  ['no session to end', { method: 'DELETE', path: '/mcp', headers: right }, 400, 'session-missing'],
  ['no free stream', { path: '/mcp', headers: { ...right, accept: 'text/event-stream' } }, 503, 'overloaded'],
];

describe('the response of a gateway', () => {
  for (const [name, request, status, code] of requests) {
    it(`has its status, the security headers and one line in the log: ${name}`, async (t) => {
      const { port, lines } = await openGateway(t, {
        ...{ token, cors: ['https://app.example'], maxRequestBytes: 1500 },
        ...{ maxStreams: 0 },
      });
      const { status: received, headers } = await send(port, request);
      assert.equal(received, status);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.match(headers['cache-control'] ?? '', name === 'metadata' ? /^no-cache$/ : /^no-store$/);
      assert.deepEqual(
        lines().map((line) => [line['code'], line['client'], line['requestId']]),
        code === undefined ? [] : [[code, '127.0.0.1', headers['x-request-id']]],
      );
      assert.ok(lines().every(({ time }) => /Z$/.test(String(time))));
      assert.doesNotMatch(JSON.stringify(lines()), /S3CRET/);
    });
  }

  it('has the code of the documentation over MCP', async (t) => {
    const rateLimiter = await openRateLimiter({ calls: 1, seconds: 60, name: 'shop' });
    const { port } = await openGateway(t, { rateLimiter, capacity: createCapacity({ requestBytes: 50 }) });
    const overloaded = await send(port, rpc('tools/list', { cursor: 'x'.repeat(50) }));
    assert.match(overloaded.text, /"message":"OVERLOADED: /);
    assert.match((await send(port, rpc('ping'))).text, /"message":"RATE_LIMIT: /);
  });

  it('to invalid parameters over MCP is not an internal error', async (t) => {
    const { port } = await openGateway(t);
    for (const [method, params] of [
      ['tools/list', { cursor: 5 }],
      ['initialize', { protocolVersion: 1 }],
      ['tools/call', { name: 5 }],
    ] as const) {
      const { text } = await send(port, rpc(method, params));
      const { error } = JSON.parse(text) as { readonly error?: { readonly code: number; readonly message: string } };
      assert.equal(error?.code, -32602, text);
      assert.match(error.message, /^[^\n[{]+\.$/);
    }
  });
});

describe('the readiness of a gateway', () => {
  it('depends on its stores, unlike its liveness', async (t) => {
    let isDown = false;
    const driver = memoryDriver() as Driver;
    const storage = createStorage({
      driver: {
        ...driver,
        getItem: (key, options) => (isDown ? Promise.reject(new Error('S3CRET')) : driver.getItem(key, options)),
      },
    });
    for (const [option, status] of [
      [{ sessions: storage }, 'sessions-unavailable'],
      [{ versions: { ...storage, getItemRaw: () => Promise.reject(new Error('S3CRET')) } }, 'releases-unavailable'],
    ] as const) {
      isDown = true;
      const { port } = await openGateway(t, option);
      const ready = await send(port, { path: '/readyz', headers: { host: 'any.example' } });
      assert.deepEqual([ready.status, ready.text], [503, JSON.stringify({ status })]);
      const { status: alive, text } = await send(port, { path: '/healthz', headers: { host: 'any.example' } });
      assert.deepEqual([alive, text], [200, '{"status":"ok"}']);
    }
    isDown = false;
    const { port } = await openGateway(t, { sessions: storage, versions: storage, token });
    const { status, text } = await send(port, { path: '/readyz' });
    assert.deepEqual([status, text], [200, '{"status":"ready"}']);
    assert.deepEqual(await storage.getKeys(), []);
  });
});
