import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import fc from 'fast-check';
import {
  anchored,
  type AnchorOptions,
  isValidPattern,
  mayMatchLineBreak,
  plainPattern,
  unicodePattern,
} from '../../../src/compiler/html/pattern.js';

const whole = (pattern: string, flags: 'u' | 'v') => new RegExp(`^(?:${pattern})$`, flags);

const RUNS = 1000;
const LETTERS = [...'abcA1_&-^.! \n\r\t\0\b😀', '\ud83d', '\ude00'];
const values = fc
  .array(fc.constantFrom(...LETTERS, 'a', 'b', 'ab', 'ba'), { maxLength: 5 })
  .map((list) => list.join(''));
const valuesWithBreak = fc
  .tuple(values, fc.constantFrom('\n', '\r'), fc.oneof(fc.constant(''), values))
  .map((parts) => parts.join(''));

const join = (separator: string) => (list: string[]) => list.join(separator);

const characters = fc.constantFrom(
  ...['a', 'b', 'c', 'A', '1', '_', '&', '!', '.', ' ', '😀', '\n', '\ud83d', '\ude00', '\\-', '\\&', '\\!', '\\^'],
  ...[
    '\\]',
    '\\n',
    '\\r',
    '\\t',
    '\\0',
    '\\b',
    '\\cJ',
    '\\x61',
    '\\u0062',
    '\\u{1F600}',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\ude00',
  ],
);
const escapes = fc.constantFrom('\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\p{L}', '\\P{L}', '\\p{Cc}');
const stringCharacters = fc.constantFrom('a', 'b', 'c', '.', '&', '😀', '\\&', '\\-', '\\x61', '\\u0062');
/** Strings of at most one character: the set operations of Node 20 are wrong for longer ones, and crash. */
const strings = fc
  .tuple(
    fc.array(stringCharacters, { maxLength: 1 }),
    fc.array(fc.array(stringCharacters, { minLength: 2, maxLength: 3 }).map(join('')), { maxLength: 3 }),
    fc.constantFrom([], ['']),
  )
  .map((parts) => `\\q{${parts.flat().join('|')}}`);

const { patterns } = fc.letrec<{ patterns: string; terms: string; classes: string; operands: string }>((tie) => ({
  patterns: fc
    .array(fc.array(tie('terms'), { maxLength: 3 }).map(join('')), { minLength: 1, maxLength: 2 })
    .map(join('|')),
  terms: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
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
      '\\W',
      '^',
      '$',
      '\\b',
      '\\B',
      '\\1',
      '\\k<n>',
      '\\[',
      '😀',
    ),
    {
      arbitrary: fc.tuple(tie('classes'), fc.constantFrom('', '', '*', '+', '?', '{1,2}', '*?')).map(join('')),
      weight: 4,
    },
    fc
      .tuple(
        fc.constantFrom('(', '(?:', '(?<n>', '(?=', '(?!', '(?<=', '(?<!'),
        tie('patterns'),
        fc.constantFrom(')', ')', ')+', ')?'),
      )
      .map(join('')),
  ),
  classes: fc
    .tuple(
      fc.constantFrom('[', '[', '[^'),
      fc.oneof(
        fc
          .array(fc.oneof(tie('operands'), fc.constantFrom('b^', 'a-c', '\\t-a', '!-\\x2f', '\\ud83d-\\udfff')), {
            minLength: 1,
            maxLength: 4,
          })
          .map(join('')),
        fc.array(tie('operands'), { minLength: 2, maxLength: 3 }).map(join('--')),
        fc.array(tie('operands'), { minLength: 2, maxLength: 3 }).map(join('&&')),
      ),
      fc.constant(']'),
    )
    .map(join('')),
  operands: fc.oneof({ maxDepth: 3 }, characters, escapes, strings, tie('classes'), tie('classes')),
}));

const validPatterns = patterns.filter(isValidPattern);
const samplesOf = (value: fc.Arbitrary<string>) => fc.array(value, { minLength: 10, maxLength: 10 });

const nested = (depth: number) => `${'['.repeat(depth)}a${']'.repeat(depth)}`;

describe('isValidPattern', () => {
  const valid = [
    '',
    'a|b',
    '[a[bc]]',
    '[\\w--\\d]',
    '[\\q{abc|d}]',
    '\\p{RGI_Emoji}',
    '(?<n>a)\\k<n>',
    '[\\&\\-]',
    '\\/',
  ];
  const invalid = ['a)(?:b', '[', '[a-]', '[(]', '\\-', '\\k<n>', '[^\\q{ab}]', '[b-a]', '[\\w-a]', '[a&&&b]', '{1}'];
  test('accepts the patterns that are valid with the v flag', () =>
    assert.deepEqual(valid.filter(isValidPattern), valid));
  test('rejects patterns that are invalid with the v flag, and patterns that are valid only in parentheses', () =>
    assert.deepEqual(invalid.filter(isValidPattern), []));
});

describe('unicodePattern', () => {
  const unchanged = [
    '',
    '[a-z]+(?<n>[^\\]\\[]|\\p{L}{2})\\k<n>(?<!x)',
    '\\[\\[a--b&&c\\]\\]',
    '[\\w.\\-]+@[^\\s@]+',
    '\\u{1F600}|\\ud83d\\ude00|[😀]',
    '(?:\\(?i:)',
  ];
  for (const pattern of unchanged) {
    test(`returns ${JSON.stringify(pattern)} unchanged`, () => assert.equal(unicodePattern(pattern), pattern));
  }

  const rewritten: Record<string, string> = {
    '[a[bc]]': '[abc]',
    '[a-z[A-Z[0-9_]]]{2,}': '[a-zA-Z0-9_]{2,}',
    '[[a-z]--[aeiou]]+': '(?:(?![aeiou])[a-z])+',
    '[\\w&&\\d]': '(?:(?=[\\d])[\\w])',
    '[[a-z]--b--[c]]': '(?:(?![c])(?![b])[a-z])',
    '[!--b]': '(?:(?![b])[!])',
    '[^[a-z]&&[^x]]': '(?:(?!(?=[^x])[a-z])[\\s\\S])',
    '[^a[b-c]]': '[^ab-c]',
    '[a[^b]]': '(?:(?=[a]|[^b])[\\s\\S])',
    '[\\q{abc|d}]': '(?:abc|[d])',
    '[\\q{d|ab|abc|}e]?': '(?:abc|ab|[de]|)?',
    '[\\q{a.b|a\\-b}]': '(?:a\\u{2e}b|a\\u{2d}b|[])',
    '[\\q{abc|d}--\\q{\\x61\\u0062\\u{63}}]': '(?:(?![])[d])',
    '[\\q{abc|de}&&\\q{abc|fg}]': '(?:abc|(?=[])[])',
    '[^\\q{a|b}]': '[^ab]',
    '[\\&\\-\\!\\#\\%\\,\\:\\;\\<\\=\\>\\@\\`\\~\\/\\]]': '[&\\-!#%,:;<=>@`~\\/\\]]',
    '[\\q{ab}^]': '(?:ab|[\\^])',
    '[&[&]]': '[&\\x26]',
    '[\\ud83d[\\ude00]]': '[\\u{d83d}\\u{de00}]',
    '[\\p{Lu}[\\u{1F600}]]': '[\\p{Lu}\\u{1F600}]',
    '(?<n>[[a]])\\k<n>': '(?<n>[a])\\k<n>',
    '\\[[[a]]\\]': '\\[[a]\\]',
  };
  for (const [pattern, source] of Object.entries(rewritten)) {
    test(`translates ${JSON.stringify(pattern)} to ${JSON.stringify(source)}`, () =>
      assert.equal(unicodePattern(pattern), source));
  }

  const unsupported = [
    'a)(?:b',
    '[',
    '[(]',
    '\\p{RGI_Emoji}',
    '[\\p{RGI_Emoji}&&\\p{L}]',
    '[a--\\p{RGI_Emoji}]',
    '[\\q{a\\n}]',
  ];
  for (const pattern of unsupported) {
    test(`returns undefined for ${JSON.stringify(pattern)}`, () => assert.equal(unicodePattern(pattern), undefined));
  }

  test('returns undefined for inline modifiers that ignore case', { skip: !isValidPattern('(?i:a)') }, () =>
    assert.equal(unicodePattern('(?s:.)(?m-s:(?i:\\P{Lu}))'), undefined),
  );

  test('translates classes nested up to 100 deep', () => {
    assert.equal(unicodePattern(nested(100)), '[a]');
    assert.equal(unicodePattern(nested(101)), undefined);
    assert.equal(unicodePattern(nested(100_000)), undefined);
  });

  test('does not introduce exponential time', () => {
    for (const pattern of ['[a[^b]]*c', '[a[^b][^d]]*c', '[\\q{aa|aa}\\q{\\x61\\u0061}]*c', '[\\w--[b[^a-z]]]*c']) {
      const source = unicodePattern(pattern);
      assert.ok(source);
      assert.equal(whole(source, 'u').test('a'.repeat(2000)), false);
    }
  });

  test('translates patterns of 100,000 characters in linear time', () => {
    const many = (part: string) => part.repeat(20_000);
    const patterns = [
      many('[[a]--b]'),
      `[${many('[a]')}]`,
      `[a${many('--b')}]`,
      `[\\q{aa${many('|bb')}}${many('[^a]')}]`,
    ];
    for (const pattern of patterns) assert.notEqual(unicodePattern(pattern), '');
  });

  test('matches the same strings with the u flag as the pattern with the v flag', () => {
    let translated = 0;
    fc.assert(
      fc.property(validPatterns, samplesOf(values), (pattern, samples) => {
        const source = unicodePattern(pattern);
        if (source === undefined) return;
        translated++;
        const [rewritten, original] = [whole(source, 'u'), whole(pattern, 'v')];
        for (const value of [...samples, ...LETTERS]) {
          assert.equal(rewritten.test(value), original.test(value), `${source} on ${JSON.stringify(value)}`);
        }
      }),
      { numRuns: RUNS, seed: 20 }, // fixed: Node 20 misjudges some quantified classes that match everything under v
    );
    assert.ok(translated > RUNS * 0.9, 'nearly every pattern of the grammar can be translated');
  });
});

describe('mayMatchLineBreak', () => {
  const notMatching = [
    '',
    '.*',
    '[a-z\\t]+',
    '\\S+@\\S+',
    '[^\\s@]+',
    '[^\\n\\r]',
    '\\x0b\\u000c\\cI\\0',
    '\\\\n',
    '[\\w--_]',
    '\\bx\\B',
  ];
  const matching = [
    '[^a]',
    '\\s',
    '\\W',
    '\\D',
    '\\P{L}',
    '\\p{Cc}',
    '\\n',
    '\\r',
    '\\cJ',
    '\\x0D',
    '\\u000a',
    '\\u{d}',
  ];
  const undecided = [
    '\n',
    '[\t-~]',
    '[\\x00-z]',
    '[^\\n]',
    '[\\q{a|\r}]',
    '[^]',
    '(?=[^\\s])[\\q{ab|\\s}]',
    '[',
    '\\p{RGI_Emoji}',
  ];
  for (const pattern of notMatching) {
    test(`returns false for ${JSON.stringify(pattern)}`, () => assert.equal(mayMatchLineBreak(pattern), false));
  }
  for (const pattern of [...matching, ...undecided]) {
    test(`returns true for ${JSON.stringify(pattern)}`, () => assert.equal(mayMatchLineBreak(pattern), true));
  }

  test('returns true for a dot that matches everything', { skip: !isValidPattern('(?s:a)') }, () =>
    assert.equal(mayMatchLineBreak('(?ms-i:.)'), true),
  );

  test('never returns false for a pattern that matches a line break, or for the translation of such a pattern', () => {
    fc.assert(
      fc.property(validPatterns, samplesOf(valuesWithBreak), (pattern, samples) => {
        const original = whole(pattern, 'v');
        if (!samples.some((value) => original.test(value))) return;
        assert.equal(mayMatchLineBreak(pattern), true);
        assert.equal(mayMatchLineBreak(unicodePattern(pattern) ?? pattern), true);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('anchored', () => {
  const required = { optional: false, singleLine: false };
  const optional = { optional: true, singleLine: false };

  test('returns the shortest pattern', () => {
    assert.equal(anchored('a|b', required), '^(?:a|b)$');
    assert.equal(anchored('a|b', optional), '^(?:a|b)?$');
    assert.equal(anchored('.+', { ...optional, singleLine: true }), '^(?:.+)?$');
    assert.equal(anchored('[^a]+', { ...optional, singleLine: true }), '^(?=[^\\n\\r]*$)(?:[^a]+)?$');
    assert.equal(anchored('[^a]+', { ...required, singleLine: true, minLength: 3 }), '^(?=[^\\n\\r]*$)(?:[^a]+)$');
    assert.equal(anchored('a+', { ...optional, minLength: 3 }), '^(?=(?:[\\s\\S]{3,})?$)(?:a+)?$');
    assert.equal(anchored('a+', { ...optional, minLength: 1 }), '^(?:a+)?$');
  });

  test('accepts the same values as the control', () => {
    const controls = fc.record({
      optional: fc.boolean(),
      singleLine: fc.boolean(),
      minLength: fc.constantFrom(undefined, 0, 1, 2, 3),
    });
    fc.assert(
      fc.property(validPatterns, controls, samplesOf(values), (pattern, control, samples) => {
        const source = unicodePattern(pattern);
        if (source === undefined) return;
        const [schema, original] = [new RegExp(anchored(source, control), 'u'), whole(pattern, 'v')];
        for (const value of [...samples, '']) {
          const passes = original.test(value) && passesWithoutPattern(control, value);
          assert.equal(schema.test(value), passes || (control.optional && value === ''), JSON.stringify(value));
        }
      }),
      { numRuns: RUNS, seed: 20 }, // fixed: Node 20 lets /^(?:b[^a])+$/v match "ba"
    );
  });
});

describe('plainPattern', () => {
  test('returns undefined if no pattern is needed', () => {
    assert.equal(plainPattern({ optional: true, singleLine: false }), undefined);
    assert.equal(plainPattern({ optional: true, singleLine: false, minLength: 1 }), undefined);
    assert.equal(plainPattern({ optional: false, singleLine: false, minLength: 5 }), undefined);
  });

  test('excludes line breaks from a single line', () => {
    assert.equal(plainPattern({ optional: false, singleLine: true, minLength: 5 }), '^[^\\n\\r]*$');
    assert.equal(plainPattern({ optional: true, singleLine: true }), '^[^\\n\\r]*$');
  });

  test('accepts an empty value or the minimum length, in code points, for an optional control', () => {
    assert.equal(plainPattern({ optional: true, singleLine: true, minLength: 2 }), '^(?:[^\\n\\r]{2,})?$');
    const pattern = plainPattern({ optional: true, singleLine: false, minLength: 2 });
    assert.equal(pattern, '^(?:[\\s\\S]{2,})?$');
    const passing = ['', 'a', '😀', '😀\n', 'ab'].filter((value) => new RegExp(pattern, 'u').test(value));
    assert.deepEqual(passing, ['', '😀\n', 'ab']);
  });
});

function passesWithoutPattern({ optional, singleLine, minLength = 0 }: AnchorOptions, value: string): boolean {
  const isLongEnough = !optional || value === '' || [...value].length >= minLength;
  return isLongEnough && !(singleLine && /[\n\r]/.test(value));
}
