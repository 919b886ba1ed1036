import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import * as fc from 'fast-check';
import { entryList } from '../../src/compiler/input/entry-list.js';
import { planInput, type JsonValue } from '../../src/compiler/index.js';
import { formState } from '../../src/compiler/input/form-state.js';
import { encode, urlencoded } from '../../src/headless/encodings.js';
import { formRequest } from '../../src/headless/form-request.js';
import { descriptionOf } from '../../src/headless/known-tool.js';
import { pageOf, toolOf } from '../support/gateway/calls.js';

function entriesOf(controls: string, input: JsonValue = {}): readonly (readonly [string, unknown])[] {
  const form = descriptionOf(toolOf(pageOf('', controls)));
  const { steps, errors } = planInput(form, input, { profile: 'precise' });
  assert.deepEqual(errors, []);
  return entryList(form, formState(form, steps)).map(({ name, value }) => [name, value]);
}

describe('entryList', () => {
  const custom = (value: string): string => `<x-a name=a ${value} toolparamschema='{}'></x-a>`;
  const cases: readonly (readonly [JsonValue, readonly string[]])[] = [
    ['text', ['text']],
    [1.5, ['1.5']],
    [true, ['true']],
    [null, []],
    [
      ['a', 1],
      ['a', '1'],
    ],
    [{ b: [1] }, ['{"b":[1]}']],
  ];
  for (const [value, texts] of cases) {
    it(`serializes the value of a custom element: ${JSON.stringify(value)}`, () => {
      assert.deepEqual(
        entriesOf(custom(''), { a: value }),
        texts.map((text) => ['a', text]),
      );
    });
  }

  it('uses the value attribute of a custom element whose value is not set', () => {
    assert.deepEqual(entriesOf(custom('value=v')), [['a', 'v']]);
    assert.deepEqual(entriesOf(custom('')), []);
  });

  it('has the color that browsers show for the names and hexadecimal forms of colors', () => {
    for (const [value, color] of [
      ['red', '#ff0000'],
      ['#F80', '#ff8800'],
      ['bogus', '#000000'],
    ])
      assert.deepEqual(entriesOf(`<input type=color name=a value="${value}">`), [['a', color]]);
  });

  it('returns the entries in tree order', () => {
    const controls = '<input name=b value=1><input name=a value=2><input name=b value=3>';
    assert.deepEqual(entriesOf(controls, { b: ['x', 'y'], a: 'z' }), [
      ['b', 'x'],
      ['a', 'z'],
      ['b', 'y'],
    ]);
  });
});

describe('formRequest', () => {
  it('preserves the fragment of the action, and the question mark if the query is empty', () => {
    const form = descriptionOf(toolOf(pageOf('action="/sent?old=1#part"', '')));
    const filled = { form, states: formState(form), set: new Set<number>(), submitter: undefined };
    const { url } = formRequest(filled, { pageUrl: 'https://site.example/' });
    assert.equal(url, 'https://site.example/sent?#part');
  });
});

const text = fc.string({ unit: 'binary', maxLength: 30 });
const entries = fc.array(fc.record({ name: text, value: text }), { maxLength: 5 });
const normalizeLines = (value: string): string => value.replace(/\r\n?|\n/g, '\r\n');

describe('encode', () => {
  it('writes urlencoded entries that parse to the same entries', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const read = [...new URLSearchParams(urlencoded(list, 'UTF-8'))];
        assert.deepEqual(
          read,
          list.map(({ name, value }) => [normalizeLines(name), normalizeLines(value)]),
        );
      }),
      { seed: 1 },
    );
  });

  it('writes multipart entries that parse to the same entries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), fc.uint8Array(), async (values, bytes) => {
        const file = { name: 'x', mediaType: 'a/b', content: Buffer.from(bytes).toString('base64') };
        const list = [...values.map((value) => ({ name: 'a', value })), { name: 'f', value: file }];
        const { contentType, body } = encode(list, 'multipart/form-data', 'UTF-8');
        const data = await new Response(body, { headers: { 'content-type': contentType } }).formData();
        assert.deepEqual(data.getAll('a'), values.map(normalizeLines));
        assert.deepEqual(new Uint8Array(await (data.get('f') as File).arrayBuffer()), bytes);
      }),
      { seed: 1 },
    );
  });

  it('writes the encoding of the form, and references to characters that the encoding does not contain', () => {
    const list = [{ name: 'ß%', value: 'é\n☃' }];
    const bodyOf = (enctype: string): string =>
      Buffer.from(encode(list, enctype, 'windows-1252', 'b').body as Uint8Array).toString('latin1');
    assert.equal(bodyOf('application/x-www-form-urlencoded'), '%DF%25=%E9%0D%0A%26%239731%3B');
    assert.equal(bodyOf('text/plain'), 'ß%=é\r\n&#9731;\r\n');
    assert.match(bodyOf('multipart/form-data'), /name="ß%"\r\n\r\né\r\n&#9731;\r\n--b--/);
  });

  it('escapes the bytes of quotation marks in the character sets of ISO-2022-JP', () => {
    const file = { name: '◆.txt', mediaType: 'a/b', content: '' };
    const { body } = encode([{ name: '◆', value: file }], 'multipart/form-data', 'ISO-2022-JP', 'b');
    const escaped = String.raw`\x1b\$B%22!\x1b\(B`;
    const sent = Buffer.from(body as Uint8Array).toString('latin1');
    assert.match(sent, new RegExp(`; name="${escaped}"; filename="${escaped}\\.txt"\r\n`));
  });

  it('writes UTF-8 for encodings without an encoder, and the bytes of x-user-defined', () => {
    const charsets = ['utf-16', 'utf-16be', 'hz-gb-2312', 'utf-7', 'no-encoding', 'x-user-defined'];
    const queryOf = (encoding: string): string => {
      const form = descriptionOf(toolOf(pageOf('', '<input name=a value=é\uf780>')));
      const filled = { form, states: formState(form), set: new Set<number>(), submitter: undefined };
      return formRequest(filled, { pageUrl: 'https://site.example/', encoding }).url.replace(/^.*a=/, '');
    };
    assert.deepEqual(charsets.map(queryOf), [
      ...Array<string>(5).fill('%C3%A9%EF%9E%80'),
      '%26%23233%3B%80', // U+F780 is the byte 0x80
    ]);
  });

  it('escapes names, so that they cannot end a field', async () => {
    const name = 'a"; filename="x\r\n\r\nb';
    const { contentType, body } = encode([{ name, value: '1' }], 'multipart/form-data', 'UTF-8');
    const data = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    assert.deepEqual([...data.values()], ['1']);
  });
});
