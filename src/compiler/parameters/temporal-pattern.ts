import { temporalSteps, type TemporalType } from '../html/microsyntaxes.js';
import { dates } from './date-pattern.js';
import {
  always,
  between,
  digit,
  group,
  optional,
  rows,
  sequence,
  shareTails,
  twoDigits,
  type Predicate,
  type Union,
} from './digit-pattern.js';
import { timeRanges, type TemporalLimits } from './temporal.js';

/** The legal values of a temporal control; `base` is 0 by default. */
type TemporalRange = Omit<TemporalLimits, 'base'> & Partial<Pick<TemporalLimits, 'base'>>;
type Steps = Pick<TemporalRange, 'step' | 'base'>;

const DAY = 86_400_000;
const MINUTE = 60_000;
const SECOND = 1000;
// Years 1 to 9999, in months and in milliseconds.
const MONTHS = [-23_628, 96_359] as const;
const MILLISECONDS = [-62_135_596_800_000, 253_402_300_799_999] as const;

/** Recent patterns. Computing one takes as long as parsing a page, and the pages of a site repeat a few ranges. */
const cache = new Map<string, string>();

/**
 * The source, without anchors, of a regular expression for the valid strings of a range with 'T' and with four-digit
 * years; undefined if there are none. Unless `isStepInPattern`, the steps decide only which seconds are possible.
 */
export function temporalPattern(type: TemporalType, range: TemporalRange): string | undefined {
  const key = [type, range.min, range.max, range.step, range.base].join();
  const source = cache.get(key) ?? shortenRuns(rangeUnion(type, range).join('|'));
  if (cache.size >= 1000) cache.clear();
  cache.set(key, source);
  return source || undefined;
}

const shortenRuns = (source: string): string =>
  source.replace(/(?:\[0-9\]){2,}/g, (run) => `[0-9]{${run.length / '[0-9]'.length}}`);

/** Whether the steps repeat each year, day or minute, so that a pattern can express them. */
export const isStepInPattern = (type: TemporalType, step: number | 'any'): boolean =>
  step === 'any' || cycleOf(type, step) % step === 0;

function cycleOf(type: TemporalType, step: number): number {
  if (type === 'month') return 12;
  if (type === 'date' || type === 'week') return temporalSteps[type].stepScaleFactor;
  const unit = unitOf(step);
  return unit === MINUTE ? DAY : unit === SECOND ? MINUTE : 1;
}

const unitOf = (step: number | 'any'): number => [MINUTE, SECOND].find((unit) => Number(step) % unit === 0) ?? 1;

/** Whether a value is on the steps, as far as a pattern can express them. */
function isOnStep(type: TemporalType, { step, base = 0 }: Steps, unit: number): Predicate {
  if (step === 'any' || !isStepInPattern(type, step)) return always;
  return (number) => (number - Math.floor(base / unit)) % (step / unit) === 0;
}

function rangeUnion(type: TemporalType, range: TemporalRange): Union {
  if (type === 'time') return times(type, timeRanges(range), range, hoursAndMinutes);
  const [bottom, top] = type === 'month' ? MONTHS : MILLISECONDS;
  const min = Math.max(range.min ?? bottom, bottom);
  const max = Math.min(range.max ?? top, top);
  if (type === 'datetime-local') return times(type, [[min, max]], range, datesHoursAndMinutes);
  return dates(type, min, max, type === 'month' ? isOnStep(type, range, 1) : always);
}

/** The strings for ranges in milliseconds. `minutes` returns the strings for a range of whole minutes. */
function times(
  type: TemporalType,
  ranges: readonly (readonly [min: number, max: number])[],
  steps: Steps,
  minutes: (first: number, last: number, has: Predicate) => Union,
): Union {
  const unit = unitOf(steps.step);
  const rest = (((steps.base ?? 0) % unit) + unit) % unit; // the remainder of every legal value
  const has = isOnStep(type, steps, unit);
  const [hasMinute, hasSecond] = unit === MINUTE ? [has, always] : [always, has];
  const startsByEnd = new Map<string, Union>();
  for (const [min, max] of ranges) {
    const [from, to] = [Math.ceil((min - rest) / unit), Math.floor((max - rest) / unit)];
    for (const [first, last, firstTail, lastTail] of rows(from, to, MINUTE / unit)) {
      const end = seconds(firstTail * unit + rest, lastTail * unit + rest, unit, hasSecond);
      startsByEnd.set(end, [...(startsByEnd.get(end) ?? []), ...minutes(first, last, hasMinute)]);
    }
  }
  return [...startsByEnd].flatMap(([end, starts]) => sequence(starts, end));
}

function datesHoursAndMinutes(min: number, max: number, has: Predicate): Union {
  return rows(min, max, DAY / MINUTE).flatMap(([first, last, from, to]) =>
    sequence(dates('date', first * DAY, last * DAY), 'T', hoursAndMinutes(from, to, has)),
  );
}

function hoursAndMinutes(min: number, max: number, has: Predicate): Union {
  const isLegal: Predicate = (minute) => between(min, max)(minute) && has(minute);
  const inHour = (hour: number): Union => twoDigits((minute) => minute < 60 && isLegal(hour * 60 + minute));
  return shareTails(0, 23, twoDigits, (hour) => group(sequence(':', inHour(hour))));
}

/** The seconds for a range of milliseconds within a minute. If the unit is above 1, all share one fraction. */
function seconds(min: number, max: number, unit: number, has: Predicate): string {
  const sameFraction = [Math.floor(min / SECOND), Math.floor(max / SECOND), min % SECOND, min % SECOND] as const;
  const union = (unit === 1 ? rows(min, max, SECOND) : [sameFraction]).flatMap(([first, last, from, to]) => {
    const fraction = sequence('\\.', fractions(from, to, 100));
    const whole = twoDigits((second) => between(first, last)(second) && has(second));
    return sequence(':', whole, from ? fraction : optional(fraction));
  });
  return min || !has(0) ? group(union) : optional(union);
}

/** The digits after the decimal point. `unit` is the place value of the first digit. */
function fractions(min: number, max: number, unit: number): Union {
  const repeat = unit > 1 ? `{1,${String(unit).length}}` : '';
  if (!min && !max) return [`0${repeat}`];
  if (!min && max === unit * 10 - 1) return [`[0-9]${repeat}`];
  if (unit === 1) return [digit(between(min, max))];
  return rows(min, max, unit).flatMap(([first, last, from, to]) => {
    const rest = fractions(from, to, unit / 10);
    return sequence(digit(between(first, last)), from ? rest : optional(rest));
  });
}
