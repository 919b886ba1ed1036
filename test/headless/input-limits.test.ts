import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonValue } from '../../src/compiler/index.js';
import { WorkBudget } from '../../src/headless/constraints/pattern.js';
import { parseNumber, parseTemporal } from '../../src/compiler/html/microsyntaxes.js';
import { submitForm } from '../../gateway/src/index.js';
import { call, failureOf, pageOf } from '../support/gateway/calls.js';
import { withinCpuSeconds } from '../support/cpu-time.js';

const fetchFails = (): Promise<Response> => Promise.reject(new Error('a request was sent'));
const submit = (controls: string, input: JsonValue): ReturnType<typeof submitForm> =>
  call({
    html: pageOf('method=post action=/sent', controls),
    pageUrl: 'https://site.example/p',
    input,
    fetch: fetchFails,
  });

const element = (schema: object): string => `<x-a name=a toolparamschema='${JSON.stringify(schema)}'></x-a>`;
const listOf = <Item>(length: number, item: Item): readonly Item[] => Array.from({ length }, () => item);
const digits = '1'.repeat(7_000_000);
const fewerDigits = '1'.repeat(1_900_000);

/** Inputs that are rejected. Each error names the parameter and a way out, and does not repeat the value. */
const refusals: readonly (readonly [
  title: string,
  controls: string,
  value: JsonValue,
  code: string,
  message: RegExp,
])[] = [
  [
    'a text of 1.9 million addresses',
    '<input name=a type=email multiple pattern="[a-z.@]+">',
    'a@b,'.repeat(1_900_000),
    'wrong-count',
    /^Parameter "a" has more than 10000 values, the limit of the gateway\. Send fewer\.$/,
  ],
  ['a list of 50,000 addresses', '<input name=a type=email multiple>', listOf(50_000, 'a@b'), 'wrong-count', /10000/],
  [
    'a list of texts with many addresses',
    '<input name=a type=email multiple>',
    listOf(9, 'a@b,'.repeat(2000)),
    'wrong-count',
    /10000/,
  ],
  ['50,000 options', '<select name=a multiple><option>1</select>', listOf(50_000, '1'), 'wrong-count', /10000/],
  [
    '50,000 values of a checkbox group',
    '<input name=a type=checkbox value=1><input name=a type=checkbox value=2>',
    listOf(50_000, '1'),
    'wrong-count',
    /10000/,
  ],
  ['50,000 files', '<input name=a type=file multiple>', listOf(50_000, 1), 'wrong-count', /10000/],
  ['50,000 items of a custom element', element({ type: 'array' }), listOf(50_000, 1), 'wrong-count', /10000/],
  [
    'a text of 3 million characters',
    '<textarea name=a></textarea>',
    'a'.repeat(3_000_000),
    'too-long',
    /more than 2000000 characters/,
  ],
  [
    'a URL of a million characters',
    '<input name=a type=url>',
    `https://a/${digits}`,
    'too-long',
    /more than 100000 characters/,
  ],
  [
    'a file name of a million characters',
    '<input name=a type=file>',
    { name: digits, mediaType: '', content: '' },
    'too-long',
    /name or media type of more than 1000 characters/,
  ],
  [
    'a text whose check exceeds the budget of the call',
    '<input name=a pattern="(?:a?){2000}b">',
    'a'.repeat(10_000),
    'custom-error',
    /^Parameter "a" could not be checked, because the checks of this call take more than 500000 steps\. Send shorter values\.$/,
  ],
  [
    '8,000 items for 1,000 schemas',
    element({ items: { anyOf: listOf(1000, { enum: ['b'] }) } }),
    listOf(8000, 'a'),
    'custom-error',
    /could not be checked/,
  ],
  [
    '8,000 items for an enum of 1,000',
    element({ items: { enum: listOf(1000, 'b') } }),
    listOf(8000, 'a'),
    'custom-error',
    /could not be checked/,
  ],
  [
    'a host of 20,000 letters',
    '<input name=a type=url>',
    `http://${'é'.repeat(20_000)}`,
    'type-mismatch',
    /an absolute URL/,
  ],
  [
    'an encoded host of 10,000 letters',
    '<input name=a type=url>',
    `http:/${'%C3%A9'.repeat(10_000)}:80/`,
    'type-mismatch',
    /an absolute URL/,
  ],
  ...['number', 'range', 'date', 'month', 'week', 'time', 'datetime-local', 'color'].map(
    (type) => [`7 MB of digits for ${type}`, `<input name=a type=${type}>`, digits, 'too-long', /2000000/] as const,
  ),
  ...['number', 'date', 'datetime-local', 'color'].map(
    (type) =>
      [
        `1.9 MB of digits for ${type}`,
        `<input name=a type=${type}>`,
        fewerDigits,
        type === 'number' ? 'wrong-type' : 'not-kept',
        /must be a/,
      ] as const,
  ),
];

describe('submitForm, with an input beyond the limits', () => {
  for (const [title, controls, value, code, message] of refusals) {
    it(`rejects ${title}`, async () => {
      const error = await withinCpuSeconds(20, () => failureOf(submit(controls, { a: value }), 'schema-error'));
      const [problem] = error.parameters;
      assert.deepEqual([problem?.parameter, problem?.code], ['a', code]);
      assert.match(problem?.message ?? '', message);
      assert.ok(JSON.stringify([error.message, error.parameters]).length < 5_000);
    });
  }

  it('accepts large values within the limits', async () => {
    for (const [controls, value] of [
      ['<input name=a type=email multiple pattern="[a-z@.]+">', listOf(2000, 'ann@site.example')],
      ['<textarea name=a></textarea>', 'a'.repeat(1_900_000)],
      ['<input name=a type=file>', { name: 'a', mediaType: 'a/b', content: 'AAAA'.repeat(1_800_000) }],
      ['<input name=a type=url>', `data:text/plain,${'a'.repeat(90_000)}`],
      ['<input name=a type=url>', `https://user:${'p'.repeat(999)}@site.example:8080/${'a'.repeat(90_000)}`],
      ['<input name=a pattern=".*">', 'a'.repeat(20_000)],
      [element({ items: { enum: listOf(100, 'a') } }), listOf(1000, 'a')],
      [
        `<select name=a multiple>${listOf(12_000, 0)
          .map((_, at) => `<option>${at}`)
          .join('')}</select>`,
        listOf(12_000, 0).map((_, at) => `${at}`),
      ],
    ] as const) {
      await failureOf(submit(controls, { a: value }), 'upstream-unreachable'); // it is sent
    }
  });

  it('shares one budget among all controls, and ends at the first that exceeds it', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `a${index}`);
    const controls = names.map((name) => `<input name=${name} pattern="(?:a?){100}b">`).join('');
    const input = Object.fromEntries(names.map((name) => [name, 'a'.repeat(300)]));
    const { parameters } = await failureOf(submit(controls, input), 'schema-error');
    const unchecked = parameters.filter(({ code }) => code === 'custom-error');
    assert.equal(unchecked.length, 1);
    assert.ok(parameters.length < names.length);
    assert.equal(parameters.at(-1), unchecked[0]);
  });

  it('rejects a form with novalidate whose values exceed the budget', async () => {
    const html = pageOf('action=/sent novalidate', '<input name=a pattern="(?:a?){2000}b"><input name=b type=email>');
    const input = { a: 'a'.repeat(10_000), b: 'x' };
    await failureOf(call({ html, pageUrl: 'https://site.example/p', input, fetch: fetchFails }), 'schema-error');
  });

  it('truncates an unknown name', async () => {
    const error = await failureOf(submit('<input name=a>', { [digits]: 1 }), 'schema-error');
    assert.equal(error.parameters[0]?.parameter, `${digits.slice(0, 200)}...`);
    assert.ok(JSON.stringify([error.message, error.parameters]).length < 2_000);
  });

  it('rejects a form by GET whose URL would be too long', async () => {
    const html = pageOf('action=/sent', '<textarea name=a></textarea>');
    const options = { html, pageUrl: 'https://site.example/p', fetch: fetchFails };
    const { message } = await failureOf(call({ ...options, input: { a: 'ä'.repeat(20_000) } }), 'schema-error');
    assert.match(
      message,
      /submitted by GET, and its URL would have more than 100000 characters\. Send shorter values\./,
    );
    await failureOf(call({ ...options, input: { a: 'ä'.repeat(10_000) } }), 'upstream-unreachable');
  });

  for (const [title, config] of [
    ['a header', { headers: { authorization: 'a'.repeat(7_000_000) } }],
    ['a value', { values: { p: 'a'.repeat(7_000_000) } }],
    ['many values', { values: { p: listOf(200_000, 'a') } }],
    ['a name', { values: { ['a'.repeat(7_000_000)]: 'a' } }],
  ] as const) {
    it(`rejects a configuration whose strings are too long: ${title}`, async () => {
      const html = pageOf('method=post action=/sent', '<input type=password name=p>');
      const options = { html, pageUrl: 'https://site.example/p', input: {}, fetch: fetchFails, config };
      assert.match((await failureOf(call(options), 'config-error')).message, /more than 100000 characters in all/);
    });
  }

  it('shares one budget among the calls of a request', async () => {
    const controls = Array.from({ length: 500 }, (_, index) => `<input name=a${index}>`).join('');
    const html = pageOf('method=post action=/sent', controls);
    const budget = new WorkBudget(20_000);
    const options = { html, pageUrl: 'https://site.example/p', fetch: fetchFails, budget };
    for (let count = 0; count < 4; count++) await failureOf(call(options), 'upstream-unreachable');
    assert.match((await failureOf(call(options), 'schema-error')).message, /Send fewer calls in a request\.$/);
  });

  it('does not parse dates, times and numbers with millions of digits', () => {
    for (const type of ['date', 'month', 'week', 'time', 'datetime-local'] as const) {
      assert.equal(parseTemporal(type, digits), undefined);
    }
    assert.equal(parseNumber(`${digits}x`), undefined);
  });
});
