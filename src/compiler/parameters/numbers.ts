import type { ControlDescription } from '../description.js';
import { isMultiple, steppedValues } from '../html/decimal.js';
import { parseNumber } from '../html/microsyntaxes.js';

/**
 * https://html.spec.whatwg.org/#rules-for-parsing-non-negative-integers
 * Deviates from the spec: browsers ignore numbers that do not fit in 32 bits.
 */
export function parseNonNegativeInteger(text: string | undefined): number | undefined {
  const number = Number(/^[\t\n\f\r ]*([+-]?[0-9]+)/.exec(text ?? '')?.[1]);
  return number >= 0 && number < 2 ** 31 ? number + 0 : undefined; // -0 + 0 is 0
}

/**
 * The allowed value step in the unit of the attribute, without its scale factor.
 * https://html.spec.whatwg.org/#concept-input-step
 */
export function stepOf(attribute: string | undefined, defaultStep: number): number | 'any' {
  if (attribute?.toLowerCase() === 'any') return 'any';
  const step = parseNumber(attribute ?? '');
  return step !== undefined && step > 0 ? step : defaultStep;
}

export interface NumberRange {
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly step: number | 'any';
  /** https://html.spec.whatwg.org/#concept-input-min-zero */
  readonly base: number;
}

export function numberRange({ type, attributes: { min, max, step, value } }: ControlDescription): NumberRange {
  const isRange = type === 'range';
  const minimum = parseNumber(min ?? '') ?? (isRange ? 0 : undefined);
  const maximum = parseNumber(max ?? '') ?? (isRange ? 100 : undefined);
  return {
    minimum,
    maximum: isRange ? Math.max(minimum ?? 0, maximum ?? 100) : maximum,
    step: stepOf(step, 1),
    base: parseNumber(min ?? '') ?? parseNumber(value ?? '') ?? 0,
  };
}

/** The values that a bounded range allows, ascending, if there are at most `limit`. */
export function numberValues(
  { minimum, maximum, step, base }: NumberRange,
  limit: number,
): readonly number[] | undefined {
  if (minimum === undefined || maximum === undefined || step === 'any') return undefined;
  return steppedValues({ minimum, maximum, step, base }, limit);
}

export function isInRange(
  value: number,
  { minimum = -Infinity, maximum = Infinity, step, base }: NumberRange,
): boolean {
  return value >= minimum && value <= maximum && (step === 'any' || isMultiple(value, step, base));
}
