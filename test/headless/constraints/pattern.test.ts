import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { matchPattern, WorkBudget, WorkExceededError } from '../../../src/headless/constraints/pattern.js';

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

  it('does not compile lookarounds, repetitions and classes with too many steps in total', () => {
    for (const pattern of [
      '(?:(?=a{19000})){900}.*',
      '(?:(?<=(?!a{9000})a{9000})){900}.*',
      `[${'ab'.repeat(4900)}]{9000,20000}`,
      `${'(?=a{5000})'.repeat(5)}`,
      '(?:a{100}){300}',
    ]) {
      assert.equal(matchPattern(pattern, 'aa'), 'unknown', pattern);
    }
  });

  it('does not parse patterns of more than 10,000 characters', () => {
    assert.equal(matchPattern('a?'.repeat(5_000), 'aa'), 'match');
    assert.equal(matchPattern(`${'a?'.repeat(5_000)}b`, 'aa'), 'unknown');
  });

  it('matches surrogate pairs in both directions', () => {
    for (const [pattern, text] of [
      ['.*(?<=😀)b', '😀b'],
      ['.*(?<!😀)b', '\ud83db'],
      ['.*(?<=^.)b', '😀b'],
      ['(?:..)(?<=a.)', 'a😀'],
    ] as const) {
      assert.equal(matchPattern(pattern, text), matchNatively(pattern, text), pattern);
    }
  });

  const costly: readonly (readonly [string, string])[] = [
    ['(?:a?){2000}b', 'a'.repeat(100_000)],
    ['(?:(?!.*x)a)*b', 'a'.repeat(100_000)],
    ['.*(?<=a.*)b', 'a'.repeat(100_000)],
    [`(${'a|'.repeat(4900)}b)*`, 'a'.repeat(100_000)],
    ['[^]*', 'a'.repeat(8_000_000)],
    [`[${'\\p{L}'.repeat(1900)}]*`, 'a'],
  ];
  for (const [pattern, text] of costly) {
    it(`stops when its budget is exceeded: ${pattern.slice(0, 30)}`, () => {
      assert.throws(() => matchPattern(pattern, text), WorkExceededError);
    });
  }

  it('compiles a pattern once for all strings of a call', () => {
    const budget = new WorkBudget();
    for (let count = 0; count < 1000; count++) assert.equal(matchPattern(`[a-z]{1,500}`, 'a', budget), 'match');
    assert.equal(budget.patterns.size, 1);
  });
});
