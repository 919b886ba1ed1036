import type { ControlDescription } from '../description.js';
import { parseTemporal, serializeTemporal, temporalSteps, type TemporalType } from '../html/microsyntaxes.js';
import { stepOf } from './numbers.js';

/** The limits, step and step base of a date or time control, in the unit of `parseTemporal`. */
interface TemporalLimits {
  /** For `time`, `min` can be greater than `max`: the range then wraps at midnight. */
  readonly min?: number;
  readonly max?: number;
  readonly step: number | 'any';
  readonly base: number;
}

export function temporalLimits(type: TemporalType, { attributes }: ControlDescription): TemporalLimits {
  const { defaultStep, defaultStepBase, stepScaleFactor } = temporalSteps[type];
  const min = parseTemporal(type, attributes.min ?? '');
  const max = parseTemporal(type, attributes.max ?? '');
  const step = stepOf(attributes.step, defaultStep);
  const unit = defaultStep === 1 ? stepScaleFactor : 1;
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    // Deviates from the spec: like browsers, rounds the step to whole days, weeks, months or milliseconds.
    step: step === 'any' ? step : Math.max(1, Math.round((step * stepScaleFactor) / unit)) * unit,
    base: min ?? parseTemporal(type, attributes.value ?? '') ?? defaultStepBase,
  };
}

/** Format, example and unit of the step of the temporal types. */
const texts: Readonly<Record<TemporalType, readonly [format: string, example: string, unit: string]>> = {
  date: ['a date as YYYY-MM-DD', '2026-01-31', 'day'],
  month: ['a month as YYYY-MM', '2026-01', 'month'],
  week: ['a week as YYYY-Www', '2026-W05', 'week'],
  time: ['a time as HH:MM', '14:30', 'second'],
  'datetime-local': ['a local date and time as YYYY-MM-DDTHH:MM', '2026-01-31T14:30', 'second'],
};

/** The values of a temporal control in words. `range` is empty without limits, and `steps` is empty for the usual step. */
interface TemporalWords {
  readonly format: string;
  readonly example: string;
  readonly range: string;
  readonly steps: string;
}

export function temporalWords(type: TemporalType, control: ControlDescription): TemporalWords {
  const limits = temporalLimits(type, control);
  const [format, example] = texts[type];
  const [min, max] = [limits.min, limits.max].map((each) => each !== undefined && serializeTemporal(type, each));
  const range = [min && `from ${min}`, max && `to ${max}`].filter(Boolean).join(' ');
  return { format, example: min || max || example, range, steps: stepWords(type, limits) };
}

const minute = 60_000;

function stepWords(type: TemporalType, { step, base }: TemporalLimits): string {
  const { defaultStep, defaultStepBase, stepScaleFactor } = temporalSteps[type];
  if (step === 'any') return '';
  const isUsual = step === defaultStep * stepScaleFactor && (base - defaultStepBase) % step === 0;
  if (isUsual) return '';
  const isMinutes = stepScaleFactor === 1000 && step % minute === 0;
  const [scale, unit] = isMinutes ? [minute, 'minute'] : [stepScaleFactor, texts[type][2]];
  const count = step / scale;
  return `in steps of ${count} ${unit}${count === 1 ? '' : 's'} from ${serializeTemporal(type, base)}`;
}

export function isInTemporalRange(type: TemporalType, number: number, limits: TemporalLimits): boolean {
  const { min = -Infinity, max = Infinity, step, base } = limits;
  if (step !== 'any' && (number - base) % step !== 0) return false;
  return min > max && type === 'time' ? number >= min || number <= max : number >= min && number <= max;
}

/**
 * The legal values in ascending order. Undefined without bounds (a `time` is bounded by the day), with the step `any`,
 * or if there are more than `limit`.
 */
export function temporalValues(
  type: TemporalType,
  limits: TemporalLimits,
  limit: number,
): readonly string[] | undefined {
  const { min = -Infinity, max = Infinity, base } = limits;
  const step = Number(limits.step);
  if (!Number.isInteger(step)) return undefined;
  const ranges = type === 'time' ? timeRanges(limits) : [[min, max] as const];
  const runs = ranges.map(([min, max]) => {
    const first = base + Math.ceil((min - base) / step) * step;
    return { first, length: Math.max(0, Math.floor((max - first) / step) + 1) };
  });
  const count = runs.reduce((sum, { length }) => sum + length, 0);
  if (!(count <= limit)) return undefined; // the negation includes NaN
  return runs.flatMap(({ first, length }) =>
    Array.from({ length }, (_, index) => serializeTemporal(type, first + index * step)),
  );
}

const endOfDay = 86_399_999;

function timeRanges({ min = 0, max = endOfDay }: TemporalLimits): readonly (readonly [min: number, max: number])[] {
  const first = [0, max] as const;
  const last = [min, endOfDay] as const;
  return min > max ? [first, last] : [[min, max]];
}
