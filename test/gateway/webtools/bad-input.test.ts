import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { once } from 'node:events';
import fc from 'fast-check';
import { until } from '../../support/until.js';
import { openSocket } from '../../support/gateway/served.js';
import { secret } from '../../support/gateway/calls.js';
import type { Recorded } from '../../support/gateway/recording.js';
import {
  envelopeOf,
  post,
  type Envelope,
  refusalOf,
  sendRaw,
  serveWebtool,
  type Served,
} from '../../support/gateway/webtool-site.js';

const maxRequestBytes = 2000;
const uuid = 'c8f1a0de-52c5-4c5e-9d0b-7e0c2f6b6a11';
const validCall = { action: 'search', request: { q: 'tea' } };

/** Functions to run after all tests. */
const cleaning: (() => void)[] = [];
let served: Served;

beforeAll(async () => {
  served = await serveWebtool({ onTestFinished: (clean) => cleaning.push(clean as () => void) }, { maxRequestBytes });
});
afterAll(() => {
  cleaning.forEach((clean) => {
    clean();
  });
});
afterEach(() => {
  assert.deepEqual(served.site.requests.splice(0), [], 'a request was sent to the site');
  assert.doesNotMatch(JSON.stringify(served.events.splice(0)), new RegExp(secret));
});

const codes = (): readonly unknown[] => served.events.map(({ code, status, action }) => [code, status, action]);

describe('createGateway, with an invalid body', () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
    it(`rejects the content type ${type}`, async () => {
      const message = await refusalOf(
        post(served.url, validCall, { 'content-type': type }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      );
      assert.match(message, /content-type: application\/json/);
      assert.deepEqual(codes(), [['unsupported-media-type', 415, undefined]]);
    });
  }

  it('rejects a body without a content type', async () => {
    const body = new TextEncoder().encode(JSON.stringify(validCall));
    await refusalOf(fetch(served.url, { method: 'POST', body }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  const invalidBodies: readonly (readonly [string, string, RegExp])[] = [
    ['an empty body', '', /empty/],
    ['invalid JSON', `{"action":${secret}}`, /line 1, column 11 is not valid JSON/],
    ['too many levels', `${'['.repeat(900)}${']'.repeat(900)}`, /more than 64 levels/],
    [
      'a duplicate member',
      `{"action":"search","action":"${secret}","request":{"q":"a"}}`,
      /column 20 repeats the key "action"/,
    ],
    ['a duplicate parameter', `{"action":"search","request":{"q":"a","q":"b"}}`, /column 39 repeats the key "q"/],
    ['an array', '[]', /not a JSON object/],
    ['null', 'null', /not a JSON object/],
    ['a string', `"${secret}"`, /not a JSON object/],
    [
      '__proto__',
      '{"__proto__":{"action":"search","request":{"q":"a"}}}',
      /"__proto__" is unknown\. Its members are sessionId, /,
    ],
    [
      'unknown members',
      JSON.stringify({ ...validCall, payload: secret, session_id: 1 }),
      /"payload", "session_id" is unknown/,
    ],
    ['a missing action', '{"request":{}}', /"action" is missing/],
    ['an action that is not a string', '{"action":1,"request":{}}', /"action" is not a string/],
    ['a missing request', '{"action":"search"}', /"request" is missing\. Send \{\} for an action without parameters/],
    ['a version that is not a string', JSON.stringify({ ...validCall, version: 1 }), /"version" is not a string/],
    ...[1, null, '', 'x'.repeat(15), 'abc'.repeat(6), uuid.repeat(8), `${uuid}\n`, `${uuid}é`, {}].map(
      (sessionId) =>
        [
          `the session ${JSON.stringify(sessionId)}`,
          JSON.stringify({ ...validCall, sessionId }),
          /16 to 256 printable ASCII.*at least 4 of them different\. Use a UUID/,
        ] as const,
    ),
  ];
  for (const [name, body, reason] of invalidBodies) {
    it(`rejects a body with a reason: ${name.slice(0, 40)}`, async () => {
      const message = await refusalOf(post(served.url, body), 400, 'SCHEMA_ERROR');
      assert.match(message, reason);
      assert.doesNotMatch(message, new RegExp(secret));
      assert.deepEqual(codes(), [['schema-error', 400, undefined]]);
    });
  }

  it('rejects a large body as soon as its Content-Length is known', async () => {
    const large = JSON.stringify({ ...validCall, request: { q: 'x'.repeat(maxRequestBytes) } });
    const message = await refusalOf(post(served.url, large), 413, 'REQUEST_TOO_LARGE');
    assert.match(message, /2000 bytes/);
    await refusalOf(post(served.url, ' '.repeat(20_000_000)), 413, 'REQUEST_TOO_LARGE');
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n';
    assert.match(await sendRaw(served.url, `${head}content-length: 99999999999\r\n\r\n`), /^HTTP\/1\.1 413 /);
  });

  it('rejects a large body without Content-Length', async () => {
    const chunks = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(' '.repeat(1000)));
      },
    });
    const init = { method: 'POST', body: chunks, headers: { 'content-type': 'application/json' }, duplex: 'half' };
    await refusalOf(fetch(served.url, init as RequestInit), 413, 'REQUEST_TOO_LARGE');
  });

  it('rejects a large body with a wrong Content-Length', async () => {
    const init = { method: 'POST', body: ' '.repeat(20_000), headers: { 'content-type': 'application/json' } };
    const request = new Request(served.url, init);
    request.headers.set('content-length', '2');
    await refusalOf(served.handle(request), 413, 'REQUEST_TOO_LARGE');
  });

  it('reads a body up to its Content-Length', async () => {
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n';
    const response = await sendRaw(served.url, `${head}content-length: 5\r\n\r\n{"act`);
    assert.match(response, /^HTTP\/1\.1 400 .*"code":"SCHEMA_ERROR"/s);
    assert.match(
      await sendRaw(served.url, `${head}content-length: 5\r\n\r\n${JSON.stringify(validCall)}`),
      /^HTTP\/1\.1 400 /,
    );
    const chunked = await sendRaw(served.url, `${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
    assert.match(chunked, /^HTTP\/1\.1 400 .*its \\"action\\" is missing/s);
  });

  it('rejects invalid HTTP with 400', async () => {
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    for (const text of [
      'nonsense\r\n\r\n',
      `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
      `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
      `${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
    ]) {
      assert.match(await sendRaw(served.url, text), /^HTTP\/1\.1 400 /);
    }
  });

  it('reports an aborted body without an action', async () => {
    const { socket } = openSocket(Number(new URL(served.url).port));
    const head = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n';
    socket.write(`${head}expect: 100-continue\r\n\r\n{`);
    await once(socket, 'data'); // the status 100: the body is read now
    socket.destroy();
    await until(() => served.events.length > 0);
    assert.deepEqual(codes(), [['aborted', 499, undefined]]);
  });
});

describe('createGateway, with an invalid call', () => {
  it('lists the current version for an unknown version, and the actions for an unknown action', async () => {
    const version = await refusalOf(post(served.url, { ...validCall, version: '0.1.0' }), 404, 'WEBTOOL_NOT_FOUND');
    assert.match(version, /no version "0\.1\.0"\. The current version is "1\.0\.0"/);
    for (const action of ['nothing', '', '__proto__', 'constructor', 'Search', secret]) {
      const message = await refusalOf(post(served.url, { ...validCall, action }), 404, 'ACTION_NOT_FOUND');
      assert.match(message, /The webtool has: search, order, note, upload\./);
    }
    assert.deepEqual(codes().at(-1), ['action-not-found', 404, undefined]);
  });

  const configs: readonly (readonly [string, unknown, RegExp])[] = [
    ['a string', secret, /configuration/],
    ['null', null, /configuration/],
    ['an array', [], /configuration/],
    ['an unknown member', { token: secret }, /"token" does not exist/],
    ['__proto__', JSON.parse('{"__proto__":{"authorization":"x"}}'), /"__proto__"/],
    ['headers', { headers: { 'x-key': secret } }, /"headers" does not exist/],
    ['an authorization that is not a string', { authorization: 1 }, /"authorization"/],
    [
      'an authorization that is not a header value',
      { authorization: `${secret}\r\nx: y` },
      /"authorization" is invalid/,
    ],
    ['a value of an unknown action', { values: { nothing: { a: secret } } }, /values\/nothing/],
    ['a value of an unknown control', { values: { order: { nothing: secret } } }, /values\/order\/nothing/],
    ['a value that is not a string', { values: { order: { token: 1 } } }, /values\/order\/token/],
  ];
  for (const [name, config, reason] of configs) {
    it(`rejects a configuration with ${name}`, async () => {
      const call = { action: 'order', request: { goods: 'tea' }, config };
      const message = await refusalOf(post(served.url, call), 422, 'CONFIG_ERROR');
      assert.match(message, reason);
      assert.doesNotMatch(message, new RegExp(secret));
      assert.deepEqual(codes(), [['config-error', 422, 'order']]);
    });
  }

  const requests: readonly (readonly [string, string, readonly string[]])[] = [
    ['all required parameters missing', '{}', ['q: value-missing']],
    [
      'only invalid parameters',
      '{"q":"012345678901234567890","count":10,"x":1,"y":2}',
      ['count: range-overflow', 'q: too-long', 'x: unknown-parameter', 'y: unknown-parameter'],
    ],
    ['wrong types', '{"q":["a"],"count":"x"}', ['count: wrong-type', 'q: wrong-type']],
    ['null', '{"q":null}', ['q: wrong-type']],
    ['an infinite number', '{"q":"a","count":1e400}', ['count: wrong-type']],
    [
      'names of prototypes',
      '{"q":"a","__proto__":{"count":1},"constructor":1,"toString":1}',
      ['__proto__: unknown-parameter', 'constructor: unknown-parameter', 'toString: unknown-parameter'],
    ],
    ['an array', '[]', [': invalid-input']],
    ['a string', '"x"', [': invalid-input']],
    ['null as input', 'null', [': invalid-input']],
  ];
  for (const [name, request, expected] of requests) {
    it(`returns all parameter errors of a request: ${name}`, async () => {
      const response = await post(served.url, `{"action":"search","request":${request}}`);
      const { error } = await envelopeOf(response);
      assert.deepEqual([response.status, error?.code], [422, 'SCHEMA_ERROR']);
      const errors = (error?.parameters ?? []).map(({ parameter, code }) => `${parameter}: ${code}`);
      assert.deepEqual(errors.sort(), expected);
      for (const { message, ...others } of error?.parameters ?? []) {
        assert.ok(error?.message.includes(message), message);
        assert.deepEqual(Object.keys(others).sort(), ['code', 'expected', 'parameter', 'received']);
      }
      assert.deepEqual(codes(), [['schema-error', 422, 'search']]);
    });
  }

  it('limits the errors about unknown names, but not the errors about parameters', async (t) => {
    const { url } = await serveWebtool(t);
    const names = Array.from({ length: 50_000 }, (_, index) => `a${index}`);
    const unknown = names.map((name) => `"${name}":0`).join(',');
    const response = await post(url, `{"action":"search","request":{${unknown},"count":"x"}}`);
    const text = await response.text();
    const { error } = JSON.parse(text) as Envelope;
    const codes = (error?.parameters ?? []).map(({ parameter, code }) => `${parameter}: ${code}`);
    const reported = names.slice(0, 100).map((name) => `${name}: unknown-parameter`);
    assert.deepEqual(codes, [...reported, 'count: wrong-type', 'q: value-missing']);
    assert.match(error?.message ?? '', /\. The input has 49900 more unknown names\.$/);
    assert.equal(error?.parameters?.[99]?.message, 'The tool has no parameter "a99".');
    assert.ok(text.length < 30_000, String(text.length));
  });

  it('returns errors of a few unknown names with the names of the parameters', async () => {
    const request = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, 0]));
    const { error } = await envelopeOf(await post(served.url, { action: 'note', request }));
    assert.equal(error?.parameters?.length, 20);
    for (const { message } of error?.parameters ?? []) assert.match(message, /Use one of "text"\.$/);
    assert.doesNotMatch(error?.message ?? '', /more unknown names/);
  });

  const deep = (levels: number): unknown => (levels === 0 ? [] : { a: deep(levels - 1), b: [0, 1, 2] });
  const manyNames = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`a${index}`, '']));
  for (const [name, config] of [
    ['one level', { values: { ...manyNames, more: Array.from({ length: 400 }, () => '') } }],
    ['several levels', { authorization: 'x', values: { search: manyNames, order: manyNames } }],
    ['an array', Array.from({ length: 90_000 }, () => 0)],
    ['names', Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`a${index}`, 0]))],
    ['depth', Array.from({ length: 10 }, () => deep(50))],
  ] as const) {
    it(`rejects a configuration that is too large: ${name}`, async (t) => {
      const { url } = await serveWebtool(t);
      const call = { ...validCall, config };
      assert.match(await refusalOf(post(url, call), 400, 'SCHEMA_ERROR'), /"config" has more than 1000 members/);
    });
  }

  it('accepts a configuration of the maximum size', async (t) => {
    const { url } = await serveWebtool(t);
    const config = { values: { search: { ...manyNames, more: Array.from({ length: 397 }, () => '') } } };
    await refusalOf(post(url, { ...validCall, config }), 422, 'CONFIG_ERROR');
  });

  it('does not pollute prototypes', async () => {
    const body = '{"action":"search","config":{"__proto__":{"polluted":1}},"request":{"__proto__":{"polluted":1}}}';
    assert.equal((await post(served.url, body)).status, 422);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it('returns a client error or submits the form for any input', async () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const some = (known: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
      fc.oneof({ weight: 12, arbitrary: known }, value);
    const body = some(
      fc.record(
        {
          action: some(fc.constantFrom('search', 'order')),
          request: some(fc.record({ q: some(fc.string()), count: some(fc.integer()) }, { requiredKeys: [] })),
          config: some(
            fc.record({ authorization: some(fc.string()), values: some(fc.constant({})) }, { requiredKeys: [] }),
          ),
          version: some(fc.constant('1.0.0')),
          sessionId: some(fc.oneof(fc.uuid(), fc.string())),
        },
        { requiredKeys: ['action', 'request'] },
      ),
    );
    // If a required value is missing, the page is read first: it may require other values than the manifest.
    const isSubmission = ({ url }: Recorded): boolean => url !== '/';
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(body, async (each) => {
        const request = new Request('http://gateway.example/', { ...init, body: JSON.stringify(each) });
        const { status } = await served.handle(request);
        statuses.add(status);
        assert.ok([200, 400, 404, 413, 422].includes(status), String(status));
        assert.equal(served.site.requests.splice(0).some(isSubmission), status === 200);
      }),
      {
        numRuns: 500,
        examples: [[validCall], [{ action: 'order', request: {} }], [{ action: 'none', request: {} }], [{}]],
      },
    );
    for (const status of [200, 400, 404, 422]) assert.ok(statuses.has(status), String(status));
  });
});
