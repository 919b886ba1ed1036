import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { secret } from './calls.js';
import { envelopeOf, post, type Envelope, refusalOf, sendRaw, serveWebtool, type Served } from './webtool-site.js';

const most = 2000;
const good = { action: 'search', request: { q: 'tea' } };

/** What is to be cleaned up after all tests. */
const cleaning: (() => void)[] = [];
let served: Served;

before(async () => {
  served = await serveWebtool({ after: (clean) => cleaning.push(clean as () => void) }, { maxRequestBytes: most });
});
after(() => {
  cleaning.forEach((clean) => {
    clean();
  });
});
afterEach(() => {
  assert.deepEqual(served.site.requests.splice(0), [], 'nothing was sent to the site');
  assert.doesNotMatch(JSON.stringify(served.events.splice(0)), new RegExp(secret));
});

const codes = (): readonly unknown[] => served.events.map(({ code, status, action }) => [code, status, action]);

describe('a body that is not what a webtool takes', () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
    it(`is refused before it is read: it is ${type}`, async () => {
      const message = await refusalOf(post(served.url, good, { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
      assert.match(message, /content-type: application\/json/);
      assert.deepEqual(codes(), [['unsupported-media-type', 415, undefined]]);
    });
  }

  it('is refused without a type', async () => {
    const body = new TextEncoder().encode(JSON.stringify(good));
    await refusalOf(fetch(served.url, { method: 'POST', body }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  const broken: readonly (readonly [string, string, RegExp])[] = [
    ['nothing', '', /empty/],
    ['no JSON', `{"action":${secret}}`, /line 1, column 11 is no JSON/],
    ['too deep', `${'['.repeat(900)}${']'.repeat(900)}`, /deeper than 64 levels/],
    ['a member twice', `{"action":"search","action":"${secret}","request":{"q":"a"}}`, /column 20 has "action" again/],
    ['a parameter twice', `{"action":"search","request":{"q":"a","q":"b"}}`, /column 39 has "q" again/],
    ['a list', '[]', /not a JSON object/],
    ['null', 'null', /not a JSON object/],
    ['a text', `"${secret}"`, /not a JSON object/],
    [
      '__proto__',
      '{"__proto__":{"action":"search","request":{"q":"a"}}}',
      /it has "__proto__", and may have sessionId, /,
    ],
    [
      'other members',
      JSON.stringify({ ...good, payload: secret, session_id: 1 }),
      /it has "payload", "session_id", and/,
    ],
    ['no action', '{"request":{}}', /"action" is missing/],
    ['an action that is no text', '{"action":1,"request":{}}', /"action" is no text/],
    ['no request', '{"action":"search"}', /"request" is missing; one without parameters is \{\}/],
    ['a version that is no text', JSON.stringify({ ...good, version: 1 }), /"version" is no text/],
    ...[1, null, '', 'x'.repeat(257), 'a\nb', 'é', {}].map(
      (sessionId) =>
        [
          `the session ${JSON.stringify(sessionId)}`,
          JSON.stringify({ ...good, sessionId }),
          /1 to 256 printable ASCII/,
        ] as const,
    ),
  ];
  for (const [name, body, reason] of broken) {
    it(`is refused with the reason: it is or has ${name.slice(0, 40)}`, async () => {
      const message = await refusalOf(post(served.url, body), 400, 'SCHEMA_ERROR');
      assert.match(message, reason);
      assert.doesNotMatch(message, new RegExp(secret));
      assert.deepEqual(codes(), [['schema-error', 400, undefined]]);
    });
  }

  it('is refused beyond its size, and as soon as it says so', async () => {
    const large = JSON.stringify({ ...good, request: { q: 'x'.repeat(most) } });
    const message = await refusalOf(post(served.url, large), 413, 'REQUEST_TOO_LARGE');
    assert.match(message, /2000 bytes/);
    await refusalOf(post(served.url, ' '.repeat(20_000_000)), 413, 'REQUEST_TOO_LARGE');
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n';
    assert.match(await sendRaw(served.url, `${head}content-length: 99999999999\r\n\r\n`), /^HTTP\/1\.1 413 /);
  });

  it('is refused beyond its size when it does not say how long it is', async () => {
    const chunks = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(' '.repeat(1000)));
      },
    });
    const init = { method: 'POST', body: chunks, headers: { 'content-type': 'application/json' }, duplex: 'half' };
    await refusalOf(fetch(served.url, init as RequestInit), 413, 'REQUEST_TOO_LARGE');
  });

  it('is refused beyond its size when it lies about it', async () => {
    const init = { method: 'POST', body: ' '.repeat(20_000), headers: { 'content-type': 'application/json' } };
    const request = new Request(served.url, init);
    request.headers.set('content-length', '2');
    await refusalOf(served.handle(request), 413, 'REQUEST_TOO_LARGE');
  });

  it('is read as far as it says it goes', async () => {
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n';
    const answer = await sendRaw(served.url, `${head}content-length: 5\r\n\r\n{"act`);
    assert.match(answer, /^HTTP\/1\.1 400 .*"code":"SCHEMA_ERROR"/s);
    assert.match(
      await sendRaw(served.url, `${head}content-length: 5\r\n\r\n${JSON.stringify(good)}`),
      /^HTTP\/1\.1 400 /,
    );
    const chunked = await sendRaw(served.url, `${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
    assert.match(chunked, /^HTTP\/1\.1 400 .*its \\"action\\" is missing/s);
  });

  it('is refused by the server itself when it is no HTTP', async () => {
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

  it('that never comes is nobody’s call', async () => {
    const controller = new AbortController();
    const silent = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{'));
      },
    });
    const init = { method: 'POST', body: silent, headers: { 'content-type': 'application/json' }, duplex: 'half' };
    const call = fetch(served.url, { ...init, signal: controller.signal } as RequestInit);
    call.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
    while (served.events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(codes(), [['aborted', 499, undefined]]);
  });
});

describe('a call that the webtool does not take', () => {
  it('is refused with the versions and actions that there are', async () => {
    const version = await refusalOf(post(served.url, { ...good, version: '0.1.0' }), 404, 'WEBTOOL_NOT_FOUND');
    assert.match(version, /no version "0\.1\.0" here; the current one is "1\.0\.0"/);
    for (const action of ['nothing', '', '__proto__', 'constructor', 'Search', secret]) {
      const message = await refusalOf(post(served.url, { ...good, action }), 404, 'ACTION_NOT_FOUND');
      assert.match(message, /The webtool has: search, order, note, upload\./);
    }
    assert.deepEqual(codes().at(-1), ['action-not-found', 404, undefined]);
  });

  const configs: readonly (readonly [string, unknown, RegExp])[] = [
    ['a text', secret, /configuration/],
    ['null', null, /configuration/],
    ['a list', [], /configuration/],
    ['an unknown member', { token: secret }, /it has no "token"/],
    ['__proto__', JSON.parse('{"__proto__":{"authorization":"x"}}'), /"__proto__"/],
    ['headers', { headers: { 'x-key': secret } }, /it has no "headers"/],
    ['an authorization that is no text', { authorization: 1 }, /"authorization"/],
    ['an authorization that is no header', { authorization: `${secret}\r\nx: y` }, /"authorization" is not valid/],
    ['a value of an unknown action', { values: { nothing: { a: secret } } }, /values\/nothing/],
    ['a value of an unknown control', { values: { order: { nothing: secret } } }, /values\/order\/nothing/],
    ['a value that is no text', { values: { order: { token: 1 } } }, /values\/order\/token/],
  ];
  for (const [name, config, reason] of configs) {
    it(`is refused for its configuration: ${name}`, async () => {
      const call = { action: 'order', request: { goods: 'tea' }, config };
      const message = await refusalOf(post(served.url, call), 422, 'CONFIG_ERROR');
      assert.match(message, reason);
      assert.doesNotMatch(message, new RegExp(secret));
      assert.deepEqual(codes(), [['config-error', 422, 'order']]);
    });
  }

  const requests: readonly (readonly [string, string, readonly string[]])[] = [
    ['nothing of what is required', '{}', ['q: value-missing']],
    [
      'all of it wrong',
      '{"q":"012345678901234567890","count":10,"x":1,"y":2}',
      ['count: range-overflow', 'q: too-long', 'x: unknown-parameter', 'y: unknown-parameter'],
    ],
    ['wrong types', '{"q":["a"],"count":"x"}', ['count: wrong-type', 'q: wrong-type']],
    ['null', '{"q":null}', ['q: wrong-type']],
    ['a number without an end', '{"q":"a","count":1e400}', ['count: wrong-type']],
    [
      'names of prototypes',
      '{"q":"a","__proto__":{"count":1},"constructor":1,"toString":1}',
      ['__proto__: unknown-parameter', 'constructor: unknown-parameter', 'toString: unknown-parameter'],
    ],
    ['a list', '[]', [': invalid-input']],
    ['a text', '"x"', [': invalid-input']],
    ['null itself', 'null', [': invalid-input']],
  ];
  for (const [name, request, expected] of requests) {
    it(`is refused with every parameter that is wrong: ${name}`, async () => {
      const response = await post(served.url, `{"action":"search","request":${request}}`);
      const { error } = await envelopeOf(response);
      assert.deepEqual([response.status, error?.code], [422, 'SCHEMA_ERROR']);
      const wrong = (error?.parameters ?? []).map(({ parameter, code }) => `${parameter}: ${code}`);
      assert.deepEqual(wrong.sort(), expected);
      for (const { message, ...others } of error?.parameters ?? []) {
        assert.ok(error?.message.includes(message), message);
        assert.deepEqual(Object.keys(others).sort(), ['code', 'expected', 'parameter', 'received']);
      }
      assert.deepEqual(codes(), [['schema-error', 422, 'search']]);
    });
  }

  it('is told of the first unknown names alone when there are many, and of every parameter', async (t) => {
    const { url } = await serveWebtool(t);
    const names = Array.from({ length: 50_000 }, (_, index) => `a${index}`);
    const unknown = names.map((name) => `"${name}":0`).join(',');
    const response = await post(url, `{"action":"search","request":{${unknown},"count":"x"}}`);
    const text = await response.text();
    const { error } = JSON.parse(text) as Envelope;
    const codes = (error?.parameters ?? []).map(({ parameter, code }) => `${parameter}: ${code}`);
    const told = names.slice(0, 100).map((name) => `${name}: unknown-parameter`);
    assert.deepEqual(codes, [...told, 'count: wrong-type', 'q: value-missing']);
    assert.match(error?.message ?? '', /\. Beside those that are told, 49900 more names are no parameters\.$/);
    assert.equal(error?.parameters?.[99]?.message, 'The tool has no parameter "a99".');
    assert.ok(text.length < 30_000, String(text.length));
  });

  it('is told of all unknown names as long as they are few, each with what the tool has', async () => {
    const request = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, 0]));
    const { error } = await envelopeOf(await post(served.url, { action: 'note', request }));
    assert.equal(error?.parameters?.length, 20);
    for (const { message } of error?.parameters ?? []) assert.match(message, /: it has "text"\.$/);
    assert.doesNotMatch(error?.message ?? '', /more names/);
  });

  const deep = (levels: number): unknown => (levels === 0 ? [] : { a: deep(levels - 1), b: [0, 1, 2] });
  const manyNames = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`a${index}`, '']));
  for (const [name, config] of [
    ['one level', { values: { ...manyNames, more: Array.from({ length: 400 }, () => '') } }],
    ['several', { authorization: 'x', values: { search: manyNames, order: manyNames } }],
    ['a list', Array.from({ length: 90_000 }, () => 0)],
    ['names', Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`a${index}`, 0]))],
    ['depth', Array.from({ length: 10 }, () => deep(50))],
  ] as const) {
    it(`is refused for the size of its configuration: ${name}`, async (t) => {
      const { url } = await serveWebtool(t);
      const call = { ...good, config };
      assert.match(await refusalOf(post(url, call), 400, 'SCHEMA_ERROR'), /"config" is too large: .* 1000 members/);
    });
  }

  it('may have a configuration up to that size', async (t) => {
    const { url } = await serveWebtool(t);
    const config = { values: { search: { ...manyNames, more: Array.from({ length: 397 }, () => '') } } };
    await refusalOf(post(url, { ...good, config }), 422, 'CONFIG_ERROR');
  });

  it('pollutes nothing', async () => {
    const body = '{"action":"search","config":{"__proto__":{"polluted":1}},"request":{"__proto__":{"polluted":1}}}';
    assert.equal((await post(served.url, body)).status, 422);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it('never fails the gateway, whatever it is, and reaches the site only when all of it is right', async () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const some = (known: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
      fc.oneof({ weight: 3, arbitrary: known }, value);
    const body = some(
      fc.record(
        {
          action: some(fc.constantFrom('search', 'order')),
          request: some(fc.record({ q: some(fc.string()), count: some(fc.integer()) }, { requiredKeys: [] })),
          config: some(
            fc.record({ authorization: some(fc.string()), values: some(fc.constant({})) }, { requiredKeys: [] }),
          ),
          version: some(fc.constant('1.0.0')),
          sessionId: some(fc.string()),
        },
        { requiredKeys: ['action', 'request'] },
      ),
    );
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const tried = new Set<number>();
    await fc.assert(
      fc.asyncProperty(body, async (each) => {
        const request = new Request('http://gateway.example/', { ...init, body: JSON.stringify(each) });
        const { status } = await served.handle(request);
        tried.add(status);
        assert.ok([200, 400, 404, 413, 422].includes(status), String(status));
        assert.equal(served.site.requests.splice(0).length > 0, status === 200);
      }),
      { numRuns: 500 },
    );
    for (const status of [200, 400, 404, 422]) assert.ok(tried.has(status), String(status));
  });
});
