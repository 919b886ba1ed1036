import type { ControlDescription } from '../description.js';
import { applies, temporalTypes } from '../html/elements.js';
import type { TemporalType } from '../html/microsyntaxes.js';
import { numberRange, numberValues, parseNonNegativeInteger } from './numbers.js';
import { temporalLimits, temporalValues } from './temporal.js';

/** The reason why no value satisfies a control's limits, if there is none. */
export function emptyRangeReason(control: ControlDescription): string | undefined {
  if (control.type === 'number') return emptyNumberRange(control);
  if (temporalTypes.has(control.type)) return emptyTemporalRange(control.type as TemporalType, control);
  return applies.length.has(control.type) ? emptyLengthRange(control) : undefined;
}

const noStep = 'no step is between its min and its max';

function emptyNumberRange(control: ControlDescription): string | undefined {
  const range = numberRange(control);
  const { minimum = -Infinity, maximum = Infinity } = range;
  if (minimum > maximum) return 'its min is above its max';
  return numberValues(range, 1)?.length === 0 ? noStep : undefined;
}

function emptyTemporalRange(type: TemporalType, control: ControlDescription): string | undefined {
  const limits = temporalLimits(type, control);
  const { min = -Infinity, max = Infinity } = limits;
  if (min > max && type !== 'time') return 'its min is after its max';
  return temporalValues(type, limits, 1)?.length === 0 ? noStep : undefined;
}

function emptyLengthRange({ attributes: { minlength, maxlength } }: ControlDescription): string | undefined {
  const max = parseNonNegativeInteger(maxlength) ?? Infinity;
  return (parseNonNegativeInteger(minlength) ?? 0) > max ? 'its minlength is above its maxlength' : undefined;
}
