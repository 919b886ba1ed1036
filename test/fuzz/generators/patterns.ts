import * as fc from 'fast-check';

/** A pattern and strings to match. */
export interface PatternCase {
  readonly pattern: string;
  readonly texts: readonly string[];
}

const join = (list: readonly string[]): string => list.join('');

const characters = fc.constantFrom(
  ...[
    'a',
    'b',
    'c',
    'A',
    '1',
    '_',
    '&',
    '!',
    '.',
    ' ',
    '😀',
    '\n',
    'é',
    '\\-',
    '\\&',
    '\\^',
    '\\]',
    '\\n',
    '\\0',
    '\\b',
  ],
  ...['\\cJ', '\\x61', '\\u0062', '\\u{1F600}', '\\ud83d\\ude00', '\\ud83d', 'ß', 'İ', '\\u{10ffff}'],
);
const escapes = fc.constantFrom(
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\p{L}',
  '\\P{L}',
  '\\p{Lu}',
  '\\p{RGI_Emoji}',
);
const strings = fc
  .array(fc.array(fc.constantFrom('a', 'b', 'c', '\\x61', '😀'), { maxLength: 3 }).map(join), { maxLength: 3 })
  .map((list) => `\\q{${list.join('|')}}`);
const quantifiers = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '*?',
  '{2}',
  '{0}',
  '{1,2}',
  '{,2}',
  '{0,3}?',
  '{3,}',
  '{2,1}',
);

const { patterns } = fc.letrec<{ patterns: string; terms: string; classes: string; operands: string }>((tie) => ({
  patterns: fc
    .array(fc.array(tie('terms'), { maxLength: 3 }).map(join), { minLength: 1, maxLength: 3 })
    .map((list) => list.join('|')),
  terms: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      'a',
      'b',
      '.',
      '\\.',
      '&&',
      '--',
      '\\n',
      '\\d',
      '\\S',
      '^',
      '$',
      '\\b',
      '\\B',
      '\\1',
      '\\k<n>',
      '\\[',
      '😀',
    ),
    { arbitrary: fc.tuple(tie('classes'), quantifiers).map(join), weight: 4 },
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom('(', '(?:', '(?<n>', '(?=', '(?!', '(?<=', '(?<!', '(?i:'),
          tie('patterns'),
          fc.constant(')'),
          quantifiers,
        )
        .map(join),
      weight: 2,
    },
  ),
  classes: fc
    .tuple(
      fc.constantFrom('[', '[', '[^'),
      fc.oneof(
        fc
          .array(fc.oneof(tie('operands'), fc.constantFrom('a-c', '\\t-a', '!-\\x2f', 'A-z')), { maxLength: 4 })
          .map(join),
        fc.array(tie('operands'), { minLength: 2, maxLength: 3 }).map((list) => list.join('--')),
        fc.array(tie('operands'), { minLength: 2, maxLength: 3 }).map((list) => list.join('&&')),
      ),
      fc.constant(']'),
    )
    .map(join),
  operands: fc.oneof({ maxDepth: 3 }, characters, escapes, strings, tie('classes')),
}));

/** Patterns whose size or whose backtracking would be exponential. They are matched with short strings only. */
const heavy = fc
  .tuple(
    fc.constantFrom(
      '(a+)+',
      '(a|a)*',
      '(?:(?=a{90}))',
      '([a-z]{0,9}){0,9}',
      '(?:a?){50}',
      '[\\q{ab|abc|abcd}]',
      '(?<=(a*)*)',
      '((a{0,9}){0,9}){0,9}',
    ),
    fc.integer({ min: 1, max: 400 }),
    fc.constantFrom('b', '$', '.*', '{99}', '{1000}', '{0,100000}', ''),
  )
  .map(([part, count, end]) => (end.startsWith('{') ? `(?:${part})${end}` : part.repeat(count) + end));

const texts = fc.array(fc.constantFrom(...'abcA1_&-^.! \n\té😀', 'ab', '\ud83d', 'ſ', 'K'), { maxLength: 6 }).map(join);

export const patternCases: fc.Arbitrary<PatternCase> = fc.record({
  pattern: fc.oneof(
    { weight: 30, arbitrary: patterns },
    { weight: 1, arbitrary: heavy },
    { weight: 1, arbitrary: fc.string() },
  ),
  texts: fc.array(texts, { minLength: 6, maxLength: 6 }),
});

/** Long strings for the patterns, on which a matcher without a limit hangs. */
export const longTexts: readonly string[] = ['a'.repeat(2000), `${'a'.repeat(300)}!`, 'ab'.repeat(500)];
