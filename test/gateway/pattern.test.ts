import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchPattern } from '../../gateway/src/constraints/pattern.js';

const patterns = [
  '',
  'a',
  'a|bc|',
  'a*b+c?',
  '(?:ab)+',
  '(a)(b)?',
  'a{2}',
  'a{2,}',
  'a{1,3}b',
  'a{0}',
  '(?:a?){3}',
  '(?:a*)*',
  '(?:)*a',
  '[a-c]+',
  '[^a-c]+',
  '[\\w\\-.]+@[a-z]+\\.[a-z]{2,}',
  '\\d{3}-\\d{4}',
  '\\p{L}+',
  '\\P{L}',
  '.',
  '..',
  '^a$',
  'a$|b',
  '\\ba\\b.*',
  'a\\B.*',
  '(?=.*\\d)(?=.*[a-z]).{3,}',
  '(?!ab).*',
  '.*(?<=b)c',
  '.*(?<!b)c',
  '(?=a(?=b)).*',
  '[[a-z]--[b]]+',
  '[[a-z]&&[b-z]]+',
  '\\u{1F600}',
  '😀+',
  '[😀é]',
  '(?<year>\\d{4})',
  '[(',
  '*',
  'a{2,1}',
  '\\/',
  '[\\s\\S]*',
];
const texts = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'aab',
  'aaa',
  'aaab',
  'bc',
  'abab',
  'ac',
  'bbc',
  '123-4567',
  '2024',
  'a1b',
  'a b',
].concat(['x@y.example', 'é', '😀', '😀😀', '\ud83d', 'a\n', '\n', 'A', 'bb', '-', 'ab1', '/']);

/** https://html.spec.whatwg.org/#compiled-pattern-regular-expression */
function matchNatively(pattern: string, text: string): string {
  try {
    new RegExp(pattern, 'v');
    return new RegExp(`^(?:${pattern})$`, 'v').test(text) ? 'match' : 'mismatch';
  } catch {
    return 'match';
  }
}

describe('matchPattern', () => {
  for (const pattern of patterns) {
    it(`matches as a browser: ${pattern}`, () => {
      for (const text of texts)
        assert.equal(matchPattern(pattern, text), matchNatively(pattern, text), JSON.stringify(text));
    });
  }

  it('does not support back references and long patterns', () => {
    assert.equal(matchPattern('(a)\\1', 'aa'), 'unknown');
    assert.equal(matchPattern('(?:a{1000}){1000}', 'aa'), 'unknown');
    assert.equal(matchPattern(`${'(?:'.repeat(3000)}${')'.repeat(3000)}`, 'aa'), 'unknown');
  });

  it('stops when its budget is exceeded', () => {
    assert.equal(matchPattern('(?:a?){2000}b', 'a'.repeat(100_000)), 'too complex');
    assert.equal(matchPattern('(?:(?!.*x)a)*b', 'a'.repeat(100_000)), 'too complex');
  });
});
