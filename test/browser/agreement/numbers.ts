import * as fc from 'fast-check';
import type { ControlDescription } from '../../../src/compiler/index.js';
import { flag, input, some, weighted, type Markup } from './pieces.js';

const least = ['0', '0', '1', '1', '2', '5', '10', '20', '-1', '-10', '-1e3', '0.5', '-0', 'x', ''];
const greatest = ['10', '20', '50', '100', '1e3', '5', '1', '0', '99.5', '+1', 'x', '1e400'];
const steps = ['1', '2', '5', '10', '0.5', '0.25', '0.1', '0.01', 'any', 'any', 'ANY', '0', '-1', 'x', '60'];

export const number: Markup = fc
  .constantFrom('number', 'number', 'range')
  .chain((type) =>
    input(
      type,
      some('min', least, 2),
      some('max', greatest, 2),
      some('step', steps, 4),
      some('value', ['0', '1', '3', '10', '60', '2.5', 'x'], 5),
      some('list', ['l'], 15),
      flag('readonly', 40),
    ),
  );

/** The limits and the default, what is a step or one beside them, and what no control takes. */
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
