import { isMultiple } from './decimal.js';

/** The nearest number that a range control can hold: within its limits and on its steps, the higher of two as near. */
export function nearestInRange(
  number: number,
  { minimum, maximum, step, base }: { minimum: number; maximum: number; step: number | 'any'; base: number },
): number {
  const clamped = Math.min(Math.max(number, minimum), Math.max(minimum, maximum));
  if (step === 'any' || isMultiple(clamped, step, base)) return clamped;
  const steps = Math.round((clamped - base) / step);
  const at = (count: number): number => Number((base + count * step).toPrecision(15));
  const candidates = [steps, steps - 1, steps + 1].map(at);
  return candidates.find((each) => each >= minimum && each <= maximum) ?? clamped;
}
