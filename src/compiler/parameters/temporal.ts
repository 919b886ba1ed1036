import type { ControlDescription } from '../description.js';
import { parseTemporal, temporalSteps, type TemporalType } from '../html/microsyntaxes.js';
import { stepOf } from './numbers.js';

/** The limits, step and step base of a date or time control, in the unit of `parseTemporal`. */
export interface TemporalLimits {
  readonly min?: number;
  readonly max?: number;
  readonly step: number | 'any';
  readonly base: number;
}

export function temporalLimits(type: TemporalType, { attributes }: ControlDescription): TemporalLimits {
  const facts = temporalSteps[type];
  const min = parseTemporal(type, attributes.min ?? '');
  const max = parseTemporal(type, attributes.max ?? '');
  const step = stepOf(attributes.step, facts.defaultStep);
  const unit = facts.defaultStep === 1 ? facts.stepScaleFactor : 1;
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    // Deviates from the spec: browsers round to whole days, weeks, months or milliseconds.
    step: step === 'any' ? step : Math.max(1, Math.round((step * facts.stepScaleFactor) / unit)) * unit,
    base: min ?? parseTemporal(type, attributes.value ?? '') ?? facts.defaultStepBase,
  };
}

/** Whether a date or time is neither outside of its limits nor off its steps; a time's range may wrap at midnight. */
export function isInTemporalRange(type: TemporalType, number: number, limits: TemporalLimits): boolean {
  const { min = -Infinity, max = Infinity, step, base } = limits;
  if (step !== 'any' && (number - base) % step !== 0) return false;
  return min > max && type === 'time' ? number >= min || number <= max : number >= min && number <= max;
}
