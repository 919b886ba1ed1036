import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import { textExceedsDepth, findDuplicateKey } from '../../../src/headless/json-text.js';
import { readJson } from '../../../gateway/src/http/request-json.js';
import { HttpError } from '../../../gateway/src/http/json-response.js';
import { withinCpuSeconds } from '../../support/cpu-time.js';

const json = { 'content-type': 'application/json' };

type Body = string | Uint8Array | ReadableStream<Uint8Array> | null;

const read = (body: Body, headers: Readonly<Record<string, string>> = json, maxBytes = 1000): Promise<unknown> =>
  readJson(new Request('http://gateway.example/', { method: 'POST', body, headers, duplex: 'half' }), maxBytes);

const streamOf = (...chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      chunks.forEach((chunk) => {
        controller.enqueue(chunk);
      });
      controller.close();
    },
  });

async function failureOf(result: Promise<unknown>): Promise<HttpError> {
  const error = await result.then(
    (value) => assert.fail(`it was read: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw error;
  assert.doesNotMatch(error.message, /S3CRET/);
  return error;
}

describe('readJson', () => {
  const types: readonly (readonly [string, boolean])[] = [
    ['application/json', true],
    ['Application/JSON', true],
    [' application/json ; charset=UTF-8', true],
    ['application/json;charset="utf-8"', true],
    ['application/json;charset="ut\\f-8"', true],
    ['application/json; charset=utf8; profile="a;b\\"c"', true],
    ['application/json;', true],
    ['application/json; ;', true],
    ['application/json; charset=iso-8859-1', false],
    ['application/json; charset=utf-8; charset=utf-16', false],
    ['application/json; charset', false],
    ['application/json; charset=', false],
    ['application/json; charset="utf-8', false],
    ['application/json, application/json', false],
    ['application/jsonp', false],
    ['application/ld+json', false],
    ['text/json', false],
    ['text/plain; application/json', false],
    ['application/x-www-form-urlencoded', false],
    ['multipart/form-data; boundary=x', false],
    ['json', false],
    ['', false],
  ];
  for (const [type, isAccepted] of types) {
    it(`${isAccepted ? 'accepts' : 'rejects'} the content type ${JSON.stringify(type)}`, async () => {
      if (isAccepted) assert.deepEqual(await read('{}', { 'content-type': type }), {});
      else {
        const { code, status, headers } = await failureOf(read('{}', { 'content-type': type }));
        assert.deepEqual([code, status, headers.accept], ['unsupported-media-type', 415, 'application/json']);
      }
    });
  }

  it('rejects a body without a content type', async () => {
    const bytes = new TextEncoder().encode('{}');
    assert.equal((await failureOf(read(bytes, {}))).code, 'unsupported-media-type');
  });

  it('rejects a compressed body', async () => {
    const { code, message } = await failureOf(read('{}', { ...json, 'content-encoding': 'gzip' }));
    assert.equal(code, 'unsupported-media-type');
    assert.match(message, /compressed/);
    assert.deepEqual(await read('{}', { ...json, 'content-encoding': 'Identity' }), {});
  });

  const wrong: readonly (readonly [string, string | Uint8Array | null, RegExp])[] = [
    ['nothing', null, /empty/],
    ['an empty string', '', /empty/],
    ['white space', ' \n\t', /empty/],
    ['a byte order mark', '\ufeff', /empty/],
    ['incomplete JSON', '{"action":"S3CRET"', /line 1, column 19 is not valid JSON/],
    ['a second JSON value', '{}\n {"S3CRET":1}', /line 2, column 2 is not valid JSON/],
    ['a word', '{"a":S3CRET}', /line 1, column 6 is not valid JSON/],
    ['single quotation marks', "{'a':1}", /line 1, column 2 is not valid JSON/],
    ['a comment', '{}//S3CRET', /line 1, column 3 is not valid JSON/],
    ['NaN', '[NaN]', /line 1, column 2 is not valid JSON/],
    ['a number that is invalid in JSON', '[01]', /line 1, column 3 is not valid JSON/],
    ['a control character in a string', '["a\u0000"]', /line 1, column 2 is not valid JSON/],
    ['an extra comma', '[1,]', /line 1, column 4 is not valid JSON/],
    ['an escape that is invalid in JSON', '["\\x41"]', /line 1, column 2 is not valid JSON/],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), /not UTF-8/],
    ['Latin-1', Buffer.from('{"é":1}', 'latin1'), /not UTF-8/],
    ['incomplete UTF-8', Buffer.from([0x22, 0xc3]), /not UTF-8/],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /not UTF-8/],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, /more than 64 levels/],
    ['brackets that never close', '['.repeat(1000), /more than 64 levels/],
    ['a duplicate key', '{"a":"S3CRET",\n"b":1,"a":"S3CRET"}', /line 2, column 7 repeats the key "a"/],
    ['a nested duplicate key', '{"a":[{"b":{"c":1}},{"b":1,"b":2}]}', /line 1, column 28 repeats the key "b"/],
    ['a duplicate key with an escape', '{"a":1,"\\u0061":2}', /line 1, column 8 repeats the key "a"/],
    ['a duplicate empty key', '{"":1,"":2}', /repeats the key ""/],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}', /repeats the key "__proto__"/],
    ['a duplicate long key', `{"${'x'.repeat(400)}":1,"${'x'.repeat(400)}":2}`, /repeats the key "x{99}\.\.\./],
  ];
  for (const [name, body, reason] of wrong) {
    it(`rejects a body with its position: ${name}`, async () => {
      const { code, status, message } = await failureOf(read(body));
      assert.deepEqual([code, status], ['schema-error', 400]);
      assert.match(message, reason);
      assert.ok(message.length < 300, message);
    });
  }

  it('reads a stream of single bytes with a byte order mark', async () => {
    const bytes = new TextEncoder().encode('\ufeff{"é":["😀"]}');
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    assert.deepEqual(await read(streamOf(...pieces)), { é: ['😀'] });
  });

  it('accepts 64 levels, equal keys in different objects, and brackets in strings', async () => {
    const deep = `${'['.repeat(64)}${']'.repeat(64)}`;
    assert.ok(await read(deep));
    const body = { a: { a: [{ a: 1 }, { a: 2 }, 'a', 'a'] }, b: '[{"'.repeat(100), c: 'a', d: ['a', 'c'] };
    assert.deepEqual(await read(JSON.stringify(body)), body);
  });

  it('reads names of Object.prototype as data', async () => {
    const body = (await read('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')) as object;
    assert.deepEqual(Object.keys(body), ['__proto__', 'constructor']);
    assert.equal(Object.getPrototypeOf(body), Object.prototype);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it('rejects a large body and stops reading', async () => {
    assert.equal((await failureOf(read('x'.repeat(1001)))).code, 'request-too-large');
    let pulled = 0;
    let canceled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(100).fill(0x20));
      },
      cancel() {
        canceled = true;
      },
    });
    const { code, status } = await failureOf(read(endless));
    assert.deepEqual([code, status, canceled], ['request-too-large', 413, true]);
    assert.ok(pulled < 15);
    assert.equal(await read(JSON.stringify('x'.repeat(998))), 'x'.repeat(998));
  });

  it('rejects an incomplete body as aborted', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    assert.equal((await failureOf(read(broken))).code, 'aborted');
  });

  it('reads 8 MB of any content in time', { tags: 'long' }, async () => {
    await withinCpuSeconds(20, async () => {
      const file = JSON.stringify({ request: { file: { data: 'QUJD'.repeat(2e6 - 20) } } });
      const escapes = JSON.stringify({ request: { text: '\\"'.repeat(2e6 - 20) } });
      const members = JSON.stringify(
        Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`key${index}`, index])),
      );
      const objects = `[${'{},'.repeat(45_000)}1]`;
      for (const text of [file, escapes, members, objects]) assert.ok(await read(text, json, 8e6));
      for (const text of [`[${'{},'.repeat(2.5e6)}1]`, `[${'1,'.repeat(4e6 - 2)}1]`, '{},'.repeat(2.6e6)]) {
        const { code, message } = await failureOf(read(text, json, 8e6));
        assert.deepEqual([code, message], ['request-too-large', 'The body has more than 100000 values.']);
      }
      for (const text of [file, escapes]) {
        assert.match(
          (await failureOf(read(`${text.slice(0, -1)},}`, json, 8e6))).message,
          /line 1, column \d+ is not valid JSON/,
        );
      }
      const beyond = `["${'x'.repeat(2e7)}",]`;
      assert.match((await failureOf(read(beyond, json, 3e7))).message, /is not valid JSON/);
    });
  });
});

describe('json-text', () => {
  it('findDuplicateKey finds exactly the added duplicate keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        assert.equal(findDuplicateKey(JSON.stringify(value)), undefined);
        const duplicates = `{${JSON.stringify(name)}:${JSON.stringify(value)},${JSON.stringify(name)}:0}`;
        assert.deepEqual(findDuplicateKey(`[${JSON.stringify(value)},${duplicates}]`)?.name, name);
      }),
    );
  });

  it('textExceedsDepth counts levels like a parser', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map((each) => depthOf(each)))
        : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const depth = depthOf(value);
        assert.equal(textExceedsDepth(JSON.stringify(value), depth), false);
        if (depth > 0) assert.equal(textExceedsDepth(JSON.stringify(value), depth - 1), true);
      }),
    );
  });
});
