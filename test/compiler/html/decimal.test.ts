import assert from 'node:assert/strict';
import { test } from 'vitest';
import { commonDivisor, isMultiple, steppedValues } from '../../../src/compiler/html/decimal.js';

const values = (minimum: number, maximum: number, step: number, base = 0, limit = 100): readonly number[] | undefined =>
  steppedValues({ minimum, maximum, step, base }, limit);

test('isMultiple compares numbers in decimal, not in binary', () => {
  assert.ok(isMultiple(0.3, 0.1));
  assert.ok(isMultiple(19.99, 0.01));
  assert.ok(isMultiple(1.1, 0.1));
  assert.ok(isMultiple(-0.7, 0.1));
  assert.ok(!isMultiple(0.35, 0.1));
  assert.ok(!isMultiple(1e-9, 0.1));
});

test('isMultiple accepts zero for every step', () => {
  assert.ok(isMultiple(0, 7));
  assert.ok(isMultiple(-0, 0.1));
});

test('isMultiple counts steps from the base', () => {
  assert.ok(isMultiple(7, 5, 2));
  assert.ok(isMultiple(-3, 5, 2));
  assert.ok(isMultiple(0.25, 0.1, 0.05));
  assert.ok(!isMultiple(5, 5, 2));
});

test('isMultiple uses all digits of very large and very small numbers', () => {
  assert.ok(isMultiple(1e21, 1));
  assert.ok(isMultiple(1.7976931348623157e308, 1));
  assert.ok(isMultiple(3e-324, 5e-324));
  assert.ok(isMultiple(1, 5e-324));
  assert.ok(isMultiple(1e308, 1e-308));
  assert.ok(!isMultiple(1.5e-7, 1e-7));
  assert.ok(!isMultiple(9007199254740991, 2));
});

test('commonDivisor returns the greatest common divisor of decimals', () => {
  assert.equal(commonDivisor(1, 0.5), 0.5);
  assert.equal(commonDivisor(0.3, 1), 0.1);
  assert.equal(commonDivisor(60, -1000), 20);
  assert.equal(commonDivisor(5, 0), 5);
  assert.equal(commonDivisor(1e21, 5e-324), 5e-324);
});

test('steppedValues returns the decimals of a range in ascending order', () => {
  assert.deepEqual(values(0, 0.5, 0.1), [0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.deepEqual(values(1, 10, 3, 1), [1, 4, 7, 10]);
  assert.deepEqual(values(-1, 1, 0.5), [-1, -0.5, 0, 0.5, 1]);
});

test('steppedValues starts with the first step at or above the minimum', () => {
  assert.deepEqual(values(1, 9, 4), [4, 8]);
  assert.deepEqual(values(-9, -1, 4), [-8, -4]);
  assert.deepEqual(values(0, 10, 4, 30), [2, 6, 10]);
  assert.deepEqual(values(0, 10, 4, -30), [2, 6, 10]);
});

test('steppedValues returns an empty list for a range without a step', () => {
  assert.deepEqual(values(1, 2, 5), []);
  assert.deepEqual(values(5, 1, 1), []);
  assert.deepEqual(values(0.01, 0.09, 0.1), []);
});

test('steppedValues returns a single value if the limits are equal', () => {
  assert.deepEqual(values(5, 5, 5), [5]);
  assert.deepEqual(values(5, 5, 5, 0, 1), [5]);
});

test('steppedValues returns undefined above the limit without computing the values', () => {
  assert.equal(values(1, 10, 1, 0, 9), undefined);
  assert.equal(values(1, 10, 1, 0, 10)?.length, 10);
  assert.equal(values(-1e308, 1e308, 1e-300), undefined);
});
