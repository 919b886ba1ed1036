import fc from 'fast-check';
import type { JsonValue } from '../../../../src/json-schema.js';
import type { RunCase } from './runs.js';

/** A control with a value that its form accepts; undefined if the input leaves it out. */
interface Field {
  readonly markup: string;
  readonly value: JsonValue | undefined;
}

/** Writes characters as references, because the bytes of a page are ASCII in all encodings. */
const escape = (value: string): string =>
  value.replace(/[&"<\n]|[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`);
const attribute = (name: string, value: string): string => ` ${name}="${escape(value)}"`;

/** Text without line breaks, U+0000, and the characters that references in HTML cannot name. */
const text = fc
  .oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.string({ unit: 'binary-ascii', maxLength: 12 }))
  .map((value) => value.replace(/[\0\r\n\x80-\x9f]/g, ''));
const lines = fc.array(text, { maxLength: 3 }).map((each) => each.join('\n'));
const label = fc.constantFrom('a', 'b c', 'é', '日本', '"', '&amp;', '1', '%41', '+', '😀');

const pickers: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-02-28', '0001-01-01', '9999-12-31'],
  month: ['2026-12', '1999-01'],
  week: ['2026-W53', '2024-W01'],
  time: ['00:00', '23:59'],
  'datetime-local': ['2026-02-28T12:30', '1970-01-01T00:00'],
  color: ['#000000', '#ff8800'],
};

const written: Readonly<Record<string, readonly string[]>> = {
  email: ['a@b.example', "o'neil+x@sub.b.example"],
  url: ['https://x.example/?a=b&c#d', 'mailto:a@b.example'],
};

type MakeField = (name: string) => fc.Arbitrary<Field>;

const optional = (value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue | undefined> =>
  fc.option(value, { nil: undefined, freq: 4 });

const input = (type: string, values: fc.Arbitrary<JsonValue>, more = ''): MakeField => {
  return (name) =>
    fc
      .record({ value: optional(values), initial: type === 'text' ? text : fc.constant('') })
      .map(({ value, initial }) => ({
        markup: `<input type=${type}${attribute('name', name)}${initial && attribute('value', initial)}${more}>`,
        value,
      }));
};

const textarea: MakeField = (name) =>
  fc.record({ value: optional(lines), initial: text }).map(({ value, initial }) => ({
    markup: `<textarea${attribute('name', name)}>${escape(initial)}</textarea>`,
    value,
  }));

const choices = fc.uniqueArray(label, { minLength: 2, maxLength: 5 });

/** Choices of which one or several are selected. */
const chosen = (
  isMultiple: boolean,
): fc.Arbitrary<{ readonly all: readonly string[]; readonly some: string[]; readonly initial: string[] }> =>
  choices.chain((all) =>
    fc.record({
      all: fc.constant(all),
      some: fc.subarray(all, isMultiple ? {} : { minLength: 1, maxLength: 1 }),
      initial: fc.subarray(all, { maxLength: isMultiple ? all.length : 1 }),
    }),
  );

const boxes =
  (type: 'checkbox' | 'radio'): MakeField =>
  (name) =>
    chosen(type === 'checkbox').map(({ all, some, initial }) => ({
      markup: all
        .map(
          (each) =>
            `<label><input type=${type}${attribute('name', name)}${attribute('value', each)}${initial.includes(each) ? ' checked' : ''}>${escape(each)}</label>`,
        )
        .join(''),
      value: type === 'radio' ? (some[0] as string) : some,
    }));

const select =
  (isMultiple: boolean): MakeField =>
  (name) =>
    chosen(isMultiple).map(({ all, some, initial }) => ({
      markup: `<select${attribute('name', name)}${isMultiple ? ' multiple' : ''}>${all
        .map(
          (each) =>
            `<option${attribute('value', each)}${initial.includes(each) ? ' selected' : ''}>${escape(each)}</option>`,
        )
        .join('')}</select>`,
      value: isMultiple ? some : (some[0] as string),
    }));

const box: MakeField = (name) =>
  fc.record({ value: fc.boolean(), isOn: fc.boolean() }).map(({ value, isOn }) => ({
    markup: `<input type=checkbox${attribute('name', name)}${isOn ? ' checked' : ''}>`,
    value,
  }));

const fixed: MakeField = (name) =>
  fc.record({ value: lines, kind: fc.constantFrom('type=hidden', 'readonly', 'disabled') }).map(({ value, kind }) => ({
    markup: `<input ${kind}${attribute('name', name)}${attribute('value', value)}>`,
    value: undefined,
  }));

const fields: readonly MakeField[] = [
  input('text', text),
  input('search', text),
  input('tel', fc.constantFrom('', '12', 'abc', '! שלום', 'مرحبا x', 'x שלום', 'ߒߞߏ', '𞤀', 'ࠀ'), ' dirname=d dir=auto'),
  input('number', fc.integer({ min: -9999, max: 9999 })),
  input('range', fc.integer({ min: 0, max: 100 })),
  ...Object.entries({ ...pickers, ...written }).map(([type, values]) => input(type, fc.constantFrom(...values))),
  ...[textarea, textarea, box, fixed, boxes('checkbox'), boxes('radio'), select(false), select(true)],
];

const names = fc.uniqueArray(
  fc.constantFrom('a', 'b[]', 'c[d][0]', 'é', 'x y', 'q"', '日', 'n%41', 'e.f', '__proto__', 'action', 'i+j'),
  {
    minLength: 1,
    maxLength: 6,
  },
);

const button = fc.record({
  name: fc.constantFrom('', ' name=go', ' name="gr&#246;&#223;e"'),
  value: fc.constantFrom('', ' value=1', ' value="&#233;&#10;"'),
  more: fc.constantFrom(
    '',
    '',
    ' formmethod=get',
    ' formmethod=post',
    ' formenctype=multipart/form-data',
    ' formaction="/other?x=&#233;"',
  ),
});

const attributes = fc.record({
  method: fc.constantFrom('', ' method=post', ' method=post'),
  enctype: fc.constantFrom('', '', ' enctype=multipart/form-data', ' enctype=text/plain'),
  action: fc.constantFrom('/sent', 'sent?a=1#b', '../x?&#252;=&#223;', '?'),
  acceptCharset: fc.constantFrom('', '', ' accept-charset=utf-8', ' accept-charset="x latin1"'),
});

/**
 * Against HTML, Chromium encodes by the method of the form, not by that of the button: see the cases of buttons with formmethod
 * of forms with text/plain.
 */
const isPortable = (enctype: string, more: string): boolean =>
  !(enctype.includes('plain') && more.includes('formmethod'));

/** A form with random controls, and an input with values that they accept. */
export const generatedCase: fc.Arbitrary<RunCase> = fc
  .record({
    charset: fc.constantFrom('utf-8', 'utf-8', 'windows-1252', 'shift_jis', 'gb18030', 'koi8-r'),
    attributes,
    button,
    fields: names.chain((list) =>
      fc.tuple(
        ...list.map((name) => fc.constantFrom(...fields).chain((make) => make(name).map((field) => ({ name, field })))),
      ),
    ),
  })
  .filter(({ attributes: { enctype }, button: { more } }) => isPortable(enctype, more))
  .map(
    ({
      charset,
      attributes: { method, enctype, action, acceptCharset },
      button: { name, value, more },
      fields: list,
    }) => ({
      tool: 'send',
      input: Object.fromEntries(
        list.flatMap(({ name: key, field }) => (field.value === undefined ? [] : [[key, field.value] as const])),
      ),
      html: [
        `<!doctype html>\n<meta charset=${charset}>`,
        `<form toolname=send tooldescription="Sends the form." toolautosubmit action="${action}"${method}${enctype}${acceptCharset}>`,
        ...list.map(({ field }) => field.markup),
        `<button${name}${value}${more}>Send</button>\n</form>`,
      ].join('\n'),
    }),
  );
