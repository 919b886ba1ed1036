import * as fc from 'fast-check';
import type { ControlDescription } from '../../../../src/compiler/index.js';
import { flag, input, several, some, weighted, type Markup } from './pieces.js';

/**
 * Weighted by an estimate of real pages: mostly round limits and cents, then limits that do not match the step, which
 * authors often write by mistake. Every list contains invalid numbers.
 */
const least = several(
  [5, '0', '1'],
  [2, '10', '18', '-10', '0.5'],
  [1, '2', '3', '5', '20', '100', '1900', '-1', '-1e3', '0.01', '0.1', '1.5', '2.25', '-0', 'x', ''],
);
const greatest = several(
  [4, '10', '100'],
  [2, '5', '20', '50', '99', '999', '1e3'],
  [1, '1', '0', '7', '12', '0.95', '99.5', '99.99', '2030', '1000000', '+1', 'x', '1e400'],
);
const steps = several(
  [4, '1', '0.01', 'any'],
  [2, '0.1', '0.5', '5', '10', '100'],
  [1, '2', '3', '7', '15', '25', '60', '1000', '0.25', '0.05', '0.001', '1.5', '0.3', '1e-7', 'ANY', '0', '-1', 'x'],
);
const defaults = several([2, '0', '1', '10'], [1, '3', '60', '2.5', '7', '0.99', '100', 'x']);

export const number: Markup = fc
  .constantFrom('number', 'number', 'range')
  .chain((type) =>
    input(
      type,
      some('min', least, 2),
      some('max', greatest, 2),
      some('step', steps, 4),
      some('value', defaults, 5),
      some('list', ['l'], 15),
      flag('readonly', 40),
    ),
  );

/** Numbers at or near the limits and the default, arbitrary numbers, and extreme numbers. */
export function numbersNear({ attributes }: ControlDescription): fc.Arbitrary<number> {
  const { min, max, value, step: writtenStep } = attributes;
  const numbers = [min, max, value, '0', '50'].map(Number).filter(Number.isFinite);
  const step = Number(writtenStep) || 1;
  const near = fc
    .tuple(fc.constantFrom(...numbers), fc.constantFrom(0, 0, step, -step, 10 * step, 1, -1, step / 2, 0.1))
    .map(([number, offset]) => Number((number + offset).toPrecision(12)));
  return weighted(
    [8, near],
    [3, fc.integer({ min: -20, max: 120 })],
    [1, fc.integer({ min: -1000, max: 1000 }).map((tenths) => tenths / 10)],
    [1, fc.constantFrom(-0, 2 ** 31, 2 ** 53, 1e15, -1e15)],
  );
}
