import * as fc from 'fast-check';
import { isRecord } from '../../../src/json.js';
import type { RawRequest } from '../gateway/raw-http.js';
import { edited, edits } from './edits.js';

const oddValues = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\u0000',
    '\ud800',
    'é',
    'a'.repeat(21),
    1e308,
    -1,
    2.5,
    [],
    {},
    null,
    true,
    '2024-02-30',
  ),
  fc
    .tuple(fc.constantFrom('9', 'a@b,', '[', 'x'), fc.integer({ min: 10, max: 20_000 }))
    .map(([text, count]) => text.repeat(count)),
);
const goods = fc.record(
  {
    goods: fc.oneof(fc.constantFrom('tea', 'milk', 'TEA', ''), oddValues),
    mail: fc.oneof(fc.constantFrom(['a@b'], ['a@b', 'c@d'], 'a@b'), oddValues),
    day: fc.oneof(fc.constantFrom('2024-02-29', '2023-01-01'), oddValues),
    size: fc.constantFrom('S', 'M', 'L', 'XL'),
    extra: fc.constantFrom<unknown>(['x'], ['x', 'y'], [], ['x', 'x'], 'x'),
    token: fc.constant('forged'),
  },
  { requiredKeys: [] },
);
const file = fc.record({ name: fc.string(), content: fc.constantFrom('', 'YQ==', '====', 'é') }, { requiredKeys: [] });
const inputs: fc.Arbitrary<unknown> = fc.oneof(
  goods,
  fc.record(
    { q: fc.oneof(fc.constantFrom('tea', ''), oddValues), count: fc.oneof(fc.integer({ min: 0, max: 10 }), oddValues) },
    { requiredKeys: [] },
  ),
  fc.record({ text: oddValues, file: fc.oneof(file, oddValues) }, { requiredKeys: [] }),
  fc.constantFrom(JSON.parse('{"__proto__":"x","a":[7,"#aabbcc"]}') as unknown),
  oddValues,
);
const actions = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('search', 'order', 'note', 'plain') },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', '', 'nosuch', 'a\nb') },
);

const jsonPieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\\u0000',
  '\\ud800',
  'null',
  '1e999',
  '-0',
  '"action":"order"',
  '\u0000',
  '\ufeff',
  'é',
];

/** A value as JSON, sometimes broken. */
const jsonText = (values: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 400, arbitrary: values.map((value) => JSON.stringify(value)) },
    {
      weight: 50,
      arbitrary: fc
        .tuple(values, edits(jsonPieces, 3))
        .map(([value, changes]) => edited(JSON.stringify(value), changes)),
    },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: 30_000 }).map((depth) => '['.repeat(depth)) },
  );

const framing = fc.oneof(
  { weight: 20, arbitrary: fc.constant('length' as const) },
  { weight: 3, arbitrary: fc.constant('chunked' as const) },
  { weight: 1, arbitrary: fc.constantFrom('short' as const, 'long' as const, 'none' as const) },
);

const oddHeaders = fc.array(
  fc.constantFrom<[string, string][]>(
    ['origin', 'http://evil.example'],
    ['origin', 'null'],
    ['host', 'evil.example'],
    ['host', ''],
    ['content-encoding', 'gzip'],
    ['content-type', 'text/plain'],
    ['content-type', 'application/json; charset=latin1'],
    ['transfer-encoding', 'chunked'],
    ['content-length', '3'],
    ['authorization', 'Bearer x'],
    ['expect', '100-continue'],
    ['upgrade', 'websocket'],
    ['cookie', 'a=b'],
    ['x-request-id', 'a\tb"'],
    ['x-long', 'x'.repeat(9000)],
    ['x-long', 'x'.repeat(20_000)],
    ['bad name', 'x'],
    ['x-null', 'a\u0000b'],
    ['mcp-session-id', '00000000-0000-4000-8000-000000000000'],
    ['mcp-session-id', '../x'],
    ['mcp-protocol-version', '2025-03-26'],
    ['mcp-protocol-version', 'x'],
    ['if-none-match', '*'],
    ['range', 'bytes=0-1'],
    ['access-control-request-method', 'POST'],
  ),
  { maxLength: 2 },
);
/** Most requests have no odd header, so that they are accepted. */
const someHeaders = fc.oneof(
  { weight: 3, arbitrary: fc.constant([] as [string, string][]) },
  { weight: 1, arbitrary: oddHeaders },
);

function webtools(): fc.Arbitrary<RawRequest> {
  const call = fc.record(
    {
      action: fc.oneof({ weight: 20, arbitrary: actions }, { weight: 1, arbitrary: oddValues }),
      request: inputs,
      sessionId: fc.constantFrom<unknown>('session-number-1', 'session-number-2', 's1', '', 'é', 'x'.repeat(300), 1),
      version: fc.constantFrom<unknown>('1.0.0', '1.0.0', '2.0.0', '', null),
      hash: fc.constantFrom<unknown>('x', 1, ''),
      config: fc.oneof(fc.constantFrom<unknown>({}, { headers: { a: 'b' } }, { token: 'x' }, []), oddValues),
      other: oddValues,
    },
    { requiredKeys: ['action', 'request'] },
  );
  const usual = fc.oneof(
    { weight: 3, arbitrary: fc.record({ action: actions, request: inputs }) },
    { weight: 1, arbitrary: call },
  );
  return fc.record({ headers: someHeaders, body: jsonText(usual), framing }).map((parts) => ({
    ...parts,
    method: 'POST',
    target: '/',
    headers: [['content-type', 'application/json'] as [string, string], ...parts.headers],
  }));
}

function mcp(): fc.Arbitrary<RawRequest> {
  const usual = fc.record({ name: actions, arguments: inputs }, { requiredKeys: ['name'] });
  const params = fc.oneof<fc.WeightedArbitrary<unknown>[]>(
    { weight: 5, arbitrary: usual },
    { weight: 1, arbitrary: oddValues },
  );
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const message = fc.oneof<fc.WeightedArbitrary<unknown>[]>(
    { weight: 8, arbitrary: params.map((each) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: each })) },
    { weight: 1, arbitrary: fc.constant({ jsonrpc: '2.0', id: 'a', method: 'initialize', params: initialize }) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('tools/list', 'ping', 'nosuch', 'resources/read', 'logging/setLevel')
        .map((method) => ({ jsonrpc: '2.0', id: 2, method })),
    },
    {
      weight: 1,
      arbitrary: oddValues.map((cursor) => ({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor } })),
    },
    {
      weight: 1,
      arbitrary: fc.record(
        { jsonrpc: fc.constantFrom('2.0', '1.0', 2), id: oddValues, method: oddValues, params },
        { requiredKeys: [] },
      ),
    },
  );
  const body = fc.oneof(
    { weight: 9, arbitrary: message },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }).map(withIds) },
  );
  const usualHeaders: [string, string][] = [
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ];
  return fc
    .record({ headers: someHeaders, body: jsonText(body), framing })
    .map((parts) => ({ ...parts, method: 'POST', target: '/mcp', headers: [...usualHeaders, ...parts.headers] }));
}

/** The messages of a batch, most of them with distinct IDs, which the gateway requires. */
const withIds = (messages: readonly unknown[]): unknown =>
  messages.map((each, index) => (isRecord(each) && each.id === 1 ? { ...each, id: index } : each));

function anyRequest(): fc.Arbitrary<RawRequest> {
  return fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'TRACE', 'get', 'X', 'CONNECT'),
    target: fc.oneof(
      fc.constantFrom(
        '/',
        '/mcp',
        '/healthz',
        '/readyz',
        '/1.0.0',
        '/2.0.0',
        '//',
        '/%',
        '/%00',
        '/..%2f',
        '*',
        '/mcp/',
        '/__proto__',
        '/?a=b',
        'http://evil.example/',
        '/\u0000',
        `/${'x'.repeat(20_000)}`,
      ),
      fc.webPath(),
    ),
    headers: oddHeaders,
    body: fc.constantFrom('', '{}', 'x'),
    framing,
  });
}

/** Raw HTTP requests to the shop: calls of both faces, ordinary and odd, and anything else. */
export const rawRequests: fc.Arbitrary<RawRequest> = fc.oneof(
  { weight: 4, arbitrary: webtools() },
  { weight: 4, arbitrary: mcp() },
  { weight: 1, arbitrary: anyRequest() },
);
