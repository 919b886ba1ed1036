import * as fc from 'fast-check';
import type { ControlDescription } from '../../../../src/compiler/index.js';
import { weighted } from './pieces.js';

/** Patterns, some of them invalid with the flag v. Each has matching strings, followed by near misses. */
export const patterns: Readonly<Record<string, readonly string[]>> = {
  '[a-z]+': ['a', 'abc', 'aBc'],
  '\\d{3}': ['123', '1234'],
  '[A-Za-z0-9]{2,4}': ['ab', 'AB12'],
  'a|b': ['a', 'b', 'ab'],
  '': ['', 'a'],
  '.*': ['a', 'x y', '\u2028'],
  '[^x]*': ['abc', 'a\nb'],
  '(': ['a'],
  'a{,2}': ['a', 'a{,2}'],
  '[[a-z]--[aeiou]]+': ['b', 'bcd', 'bad'],
  '[\\p{L}&&[a-z]]*': ['abc', 'é'],
  '\\p{L}+': ['é', 'abc', 'e\u0301'],
  '(?i:abc)': ['ABC', 'abc'],
  'a.c': ['abc', 'a-c', 'a\nc'],
  '[\\s\\S]*': ['a', 'a\nb'],
  '^abc$': ['abc'],
  '[0-9]{5}(-[0-9]{4})?': ['12345', '12345-6789'],
  '.{2,}': ['ab', 'abcdef'],
  '(?=.*\\d).{4,}': ['abc1', '12345'],
  '(a)\\1': ['aa'],
  '.+@example\\.com': ['me@example.com', '@example.com'],
  'https://.*': ['https://example.com/', 'https://'],
};

/** Patterns similar to those of real pages. */
export const usualPatterns: readonly string[] = [
  '[a-z]+',
  '\\d{3}',
  '[A-Za-z0-9]{2,4}',
  '.{2,}',
  '[0-9]{5}(-[0-9]{4})?',
  '(?=.*\\d).{4,}',
  '.+@example\\.com',
  'https://.*',
];

const typical: Readonly<Record<string, readonly string[]>> = {
  email: [
    'a@b',
    'a@b.c',
    'me@example.com',
    "o'x+y@b",
    'a.@b',
    '.a@b',
    'a b@c',
    'a@',
    '@b',
    'a@-b',
    'a@b-',
    'a@b..c',
    'a@b@c',
    ' a@b',
    'a@b.',
    'a@b,c@d',
    '"a"@b',
    'a@b_c',
  ],
  url: [
    'https://example.com',
    'http://a',
    'mailto:a@b',
    'http:///a',
    'ftp://a:21/',
    'http://a:99',
    'javascript:1',
    'urn:x:y',
    'http://[::1]/',
    'a:',
    'HTTP://A?b#c',
    'data:,x',
    'file:///a',
    'http://user:pw@a',
    'http://é.com/é',
    'foo://',
    'http:a',
    'http://a/ b',
    'http://',
    'a',
    '/a',
    '//a',
    ':a',
    '1a:b',
    'http://a|b',
    'http://?a',
    'http://a:b',
    ' http://a',
  ],
  color: ['#aabbcc', '#AABBCC', '#012345', '#abc', 'aabbcc', '#gggggg', 'red'],
};

const odd = [
  '',
  ' ',
  'a',
  'abc',
  'ABC',
  'ab12',
  '123',
  '12345',
  'x',
  'xyz',
  ' a ',
  'é',
  'a\nb',
  'a\r\nb',
  '\n',
  'e\u0301',
  '\u2028',
  '\t',
  '\0',
  'a'.repeat(5000),
];

/** Typical strings, strings with lengths at the limits, odd and random strings, the default and suggestions. */
export function textsNear({
  type,
  attributes,
  suggestions = [],
  defaultText = '',
}: ControlDescription): fc.Arbitrary<string> {
  const lengths = [attributes.minlength, attributes.maxlength]
    .map(Number)
    .filter((length) => length >= 0 && length < 100);
  const sized = fc
    .tuple(fc.constantFrom(...lengths, 4), fc.constantFrom(-1, 0, 1), fc.constantFrom('a', '1', 'é'))
    .map(([length, offset, character]) => character.repeat(Math.max(0, length + offset)));
  const about = typical[type] ?? patterns[attributes.pattern ?? ''] ?? ['a', 'abc'];
  return weighted(
    [8, fc.constantFrom(...about)],
    [2, sized],
    [2, fc.constantFrom(...odd)],
    [1, fc.constantFrom(attributes.value ?? '', defaultText, ...suggestions)],
    [1, fc.string({ maxLength: 6 })],
  );
}
