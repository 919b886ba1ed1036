import fc from 'fast-check';
import type { JsonValue } from '../../../../src/json-schema.js';

/** A control with a value that its form accepts; undefined if the input leaves it out. */
interface Field {
  readonly markup: string;
  readonly value: JsonValue | undefined;
}

/** Writes characters as references, so that a page is ASCII, which is the same in all encodings. */
const escape = (value: string): string =>
  value.replace(/[&"<\n]|[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`);
const attribute = (name: string, value: string): string => ` ${name}="${escape(value)}"`;

/** Text without line breaks, U+0000 and U+0080 to U+009F, which character references cannot represent. */
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
  'email multiple': ['', 'a@b.example', 'a@b.example,c@d.example'],
  'date min=2026-01-05 step=7': ['2026-01-05', '2026-01-19'],
  'month max=2026-12': ['0001-01', '2026-12'],
  'week min=2026-W10': ['2026-W10', '9999-W52'],
  'time step=1': ['12:30:15', '23:59:59'],
  'time step=any': ['12:30:15.25', '00:00:00.001'],
  'datetime-local step=0.001': ['2026-02-28T12:30:15.125'],
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
  fc
    .record({
      value: optional(lines),
      initial: text,
      start: fc.constantFrom('', '', '\n', '\n\n'),
      more: fc.constantFrom('', ' dirname=t'),
    })
    .map(({ value, initial, start, more }) => ({
      // The parser removes the first line break.
      markup: `<textarea${attribute('name', name)}${more}>${start}${escape(initial)}</textarea>`,
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
    fc.tuple(chosen(type === 'checkbox'), fc.boolean()).map(([{ all, some, initial }, isLeftOut]) => ({
      markup: all
        .map(
          (each) =>
            `<label><input type=${type}${attribute('name', name)}${attribute('value', each)}${initial.includes(each) ? ' checked' : ''}>${escape(each)}</label>`,
        )
        .join(''),
      value: type === 'radio' ? (isLeftOut ? undefined : (some[0] as string)) : some,
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

/** A select with groups, and with disabled options. */
const groupedSelect: MakeField = (name) =>
  fc
    .record({ value: optional(fc.constantFrom('a', 'b & c', 'é')), size: fc.constantFrom('', ' size=3') })
    .map(({ value, size }) => ({
      markup: `<select${attribute('name', name)}${size}><option disabled>x<optgroup label=G><option>a<option value="b &amp; c">B<option disabled selected>y</optgroup><optgroup label=H disabled><option>z</optgroup><option>&#233;</select>`,
      value,
    }));

/** A field with length limits, which count UTF-16 code units: characters beyond U+FFFF have two. */
const limited: MakeField = (name) =>
  fc
    .record({ value: optional(fc.constantFrom('😀😀', 'é😀b', 'abcd', '日本語x')), isArea: fc.boolean() })
    .map(({ value, isArea }) => {
      const attributes = `${attribute('name', name)} minlength=4 maxlength=4`;
      return { markup: isArea ? `<textarea${attributes}></textarea>` : `<input${attributes}>`, value };
    });

const file = fc
  .record({
    kind: fc.constantFrom(['a.txt', 'text/plain'], ['b c.pdf', 'application/pdf'], ['é".png', 'image/png']),
    content: fc.uint8Array({ maxLength: 20 }),
  })
  .map(({ kind: [name, mediaType], content }) => ({
    name: name as string,
    mediaType: mediaType as string,
    content: Buffer.from(content).toString('base64'),
  }));

const files =
  (isMultiple: boolean): MakeField =>
  (name) =>
    optional(isMultiple ? fc.array(file, { minLength: 1, maxLength: 2 }) : file).map((value) => ({
      markup: `<input type=file${attribute('name', name)}${isMultiple ? ' multiple' : ''}>`,
      value,
    }));

/** A field whose markup a function changes, for example to put it into a legend. */
const placed =
  (make: MakeField, place: (markup: string) => string): MakeField =>
  (name) =>
    make(name).map(({ markup, value }) => ({ markup: place(markup), value }));

const inLegend = (markup: string): string =>
  `<fieldset disabled><legend>${markup}</legend><input name=off value=1></fieldset>`;

/** Adds an attribute `form` to a field, which may then be outside of the form. */
const withReference = (markup: string): string => markup.replaceAll(/<(input|textarea|select)/g, '<$1 form=f');

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

export const fields: readonly MakeField[] = [
  input('text', text),
  input('search', text),
  input('tel', fc.constantFrom('', '12', 'abc', '! שלום', 'مرحبا x', 'x שלום', 'ߒߞߏ', '𞤀', 'ࠀ'), ' dirname=d dir=auto'),
  input('number', fc.integer({ min: -9999, max: 9999 })),
  input('number step=any', fc.constantFrom(0, -0.5, 1e21, 1e-7, 123456.789)),
  input('number min=-1 step=0.25', fc.constantFrom(-1, -0.75, 2.5)),
  input('text', text, ' list=suggested'),
  input('range', fc.integer({ min: 0, max: 100 })),
  ...Object.entries({ ...pickers, ...written }).map(([type, values]) => input(type, fc.constantFrom(...values))),
  ...[textarea, textarea, box, fixed, boxes('checkbox'), boxes('radio'), select(false), select(true)],
  ...[
    groupedSelect,
    limited,
    files(false),
    files(true),
    placed(input('text', text), inLegend),
    placed(select(false), inLegend),
  ],
  ...[textarea, select(true), boxes('radio')].map((make) => placed(make, withReference)),
];
