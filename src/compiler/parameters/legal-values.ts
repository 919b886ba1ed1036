import type { ControlDescription } from '../description.js';
import { applies, temporalTypes } from '../html/elements.js';
import type { TemporalType } from '../html/microsyntaxes.js';
import { numberRange, numberValues, parseNonNegativeInteger } from './numbers.js';
import { temporalLimits } from './temporal.js';
import { temporalValues } from './temporal-pattern.js';

/** Why no value satisfies a control's limits, if none does. */
export function noLegalValueReason(control: ControlDescription): string | undefined {
  if (control.type === 'number') return emptyNumberRange(control);
  if (temporalTypes.has(control.type)) return emptyTemporalRange(control.type as TemporalType, control);
  return applies.length.has(control.type) ? emptyLengthRange(control) : undefined;
}

function emptyNumberRange(control: ControlDescription): string | undefined {
  const range = numberRange(control);
  const { minimum = -Infinity, maximum = Infinity } = range;
  if (minimum > maximum) return 'its min is above its max';
  return numberValues(range, 1)?.length === 0 ? 'no step falls between its min and its max' : undefined;
}

function emptyTemporalRange(type: TemporalType, control: ControlDescription): string | undefined {
  const limits = temporalLimits(type, control);
  const { min = -Infinity, max = Infinity } = limits;
  if (min > max && type !== 'time') return 'its min is after its max';
  return temporalValues(type, limits, 1)?.length === 0 ? 'no step falls between its min and its max' : undefined;
}

function emptyLengthRange({ attributes: { minlength, maxlength } }: ControlDescription): string | undefined {
  const longest = parseNonNegativeInteger(maxlength) ?? Infinity;
  return (parseNonNegativeInteger(minlength) ?? 0) > longest ? 'its minlength is above its maxlength' : undefined;
}
