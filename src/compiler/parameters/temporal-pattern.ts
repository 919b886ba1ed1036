import { serializeTemporal, temporalSteps, type TemporalType } from '../html/microsyntaxes.js';

/** The legal values of a temporal control, in the unit of `parseTemporal`; an absent bound is none. */
export interface TemporalRange {
  /** The least legal value; for `time` it may be greater than `max`: then the range wraps at midnight. */
  readonly min?: number | undefined;
  /** The greatest legal value. */
  readonly max?: number | undefined;
  /** The distance between legal values. */
  readonly step: number | 'any';
  /** Where the steps count from, or 0. */
  readonly base?: number | undefined;
}

/** The alternatives of a pattern; an empty list matches nothing. */
type Union = readonly string[];
type Range = readonly [min: number, max: number];
/** All pairs of a head and a tail: numbers in units, and what is left over within the unit. */
type Row = readonly [firstHead: number, lastHead: number, firstTail: number, lastTail: number];
type Has = (number: number) => boolean;
type DateType = 'date' | 'month' | 'week';
type Steps = Pick<TemporalRange, 'step' | 'base'>;

const DAY = 86_400_000;
const MINUTE = 60_000;
const SECOND = 1000;
// Years 1 to 9999, in months and in milliseconds.
const MONTHS: Range = [-23_628, 96_359];
const MILLISECONDS: Range = [-62_135_596_800_000, 253_402_300_799_999];

/**
 * Gives the source, without anchors, of a regular expression for the valid strings of a range with 'T' and with years
 * of four digits, or undefined if there are none. Without `isStepSaid`, the steps decide only which seconds there are.
 */
export function temporalPattern(type: TemporalType, range: TemporalRange): string | undefined {
  const key = [type, range.min, range.max, range.step, range.base].join();
  const source = patterns.get(key) ?? rangePattern(type, range);
  if (patterns.size >= 100) patterns.clear();
  patterns.set(key, source);
  return source || undefined;
}

/** Whether each year, day or minute has the same steps as the next, so that a pattern can say which they are. */
export const isStepInPattern = (type: TemporalType, step: number | 'any'): boolean =>
  step === 'any' || cycleOf(type, step) % step === 0;

function cycleOf(type: TemporalType, step: number): number {
  if (type === 'month') return calendars.month.parts;
  if (type === 'date' || type === 'week') return temporalSteps[type].stepScaleFactor;
  const unit = unitOf(step);
  return unit === MINUTE ? DAY : unit === SECOND ? MINUTE : 1;
}

/** The coarsest unit of time that a step is whole in. */
const unitOf = (step: number | 'any'): number => [MINUTE, SECOND].find((unit) => Number(step) % unit === 0) ?? 1;

const everything: Has = () => true;

/** Which numbers of a unit the steps meet, as far as a pattern says it. */
function meets(type: TemporalType, { step, base = 0 }: Steps, unit: number): Has {
  if (step === 'any' || !isStepInPattern(type, step)) return everything;
  return (number) => (number - Math.floor(base / unit)) % (step / unit) === 0;
}

/** The last patterns: a site's pages repeat the same few ranges, and one costs as much as parsing a page. */
const patterns = new Map<string, string>();

function rangePattern(type: TemporalType, range: TemporalRange): string {
  const source = temporalUnion(type, range).join('|');
  return source.replace(/(?:\[0-9\]){2,}/g, (run) => `[0-9]{${run.length / 5}}`);
}

/**
 * Gives the legal values of a range in ascending order, counting steps from `base`, or undefined if they are unbounded
 * (a `time` is bounded by its day), have no whole step, or are more than `limit`.
 */
export function temporalValues(
  type: TemporalType,
  range: TemporalRange & { readonly base: number },
  limit: number,
): readonly string[] | undefined {
  const { base } = range;
  const step = Number(range.step);
  if (!Number.isInteger(step)) return undefined;
  const bounds = type === 'time' ? timeRanges(range) : [[range.min ?? -Infinity, range.max ?? Infinity] as const];
  const runs = bounds.map(([min, max]) => {
    const first = base + Math.ceil((min - base) / step) * step;
    return { first, length: Math.max(0, Math.floor((max - first) / step) + 1) };
  });
  const count = runs.reduce((sum, { length }) => sum + length, 0);
  if (!(count <= limit)) return undefined;
  return runs.flatMap(({ first, length }) =>
    Array.from({ length }, (_, index) => serializeTemporal(type, first + index * step)),
  );
}

function temporalUnion(type: TemporalType, range: TemporalRange): Union {
  if (type === 'time') return times(type, timeRanges(range), range, hoursAndMinutes);
  const { min = -Infinity, max = Infinity } = range;
  const [bottom, top] = type === 'month' ? MONTHS : MILLISECONDS;
  const bounds: Range = [Math.max(min, bottom), Math.min(max, top)];
  if (type === 'datetime-local') return times(type, [bounds], range, datesHoursAndMinutes);
  return dates(type, bounds, type === 'month' ? meets(type, range, 1) : everything);
}

function timeRanges({ min = 0, max = DAY - 1 }: TemporalRange): readonly Range[] {
  return min > max
    ? [
        [0, max],
        [min, DAY - 1],
      ]
    : [[min, max]];
}

// Ranges of milliseconds; `minutes` gives the strings of a range of whole minutes, of those that it is told to have.
function times(
  type: TemporalType,
  ranges: readonly Range[],
  steps: Steps,
  minutes: (first: number, last: number, has: Has) => Union,
): Union {
  const unit = unitOf(steps.step);
  const rest = (((steps.base ?? 0) % unit) + unit) % unit; // of each legal value
  const has = meets(type, steps, unit);
  const cut = ranges.flatMap(([min, max]) =>
    rows(Math.ceil((min - rest) / unit), Math.floor((max - rest) / unit), MINUTE / unit),
  );
  const starts = new Map<string, Union>();
  for (const [first, last, from, to] of cut) {
    const [hasMinute, hasSecond] = unit === MINUTE ? [has, everything] : [everything, has];
    const end = seconds(from * unit + rest, to * unit + rest, unit, hasSecond);
    starts.set(end, [...(starts.get(end) ?? []), ...minutes(first, last, hasMinute)]);
  }
  return [...starts].flatMap(([end, union]) => sequence(union, end));
}

function datesHoursAndMinutes(min: number, max: number, has: Has): Union {
  return rows(min, max, DAY / MINUTE).flatMap(([first, last, from, to]) =>
    sequence(dates('date', [first * DAY, last * DAY], everything), 'T', hoursAndMinutes(from, to, has)),
  );
}

// Minutes of a day.
function hoursAndMinutes(min: number, max: number, has: Has): Union {
  const isLegal: Has = (minute) => between(min, max)(minute) && has(minute);
  const inHour = (hour: number): Union => twoDigits((minute) => minute < 60 && isLegal(hour * 60 + minute));
  return shareTails(0, 23, twoDigits, (hour) => group(sequence(':', inHour(hour))));
}

// Milliseconds of a minute, all of them or, in a coarser unit, those with the same fraction of a second.
function seconds(min: number, max: number, unit: number, has: Has): string {
  const alike: Row = [Math.floor(min / SECOND), Math.floor(max / SECOND), min % SECOND, min % SECOND];
  const union = (unit === 1 ? rows(min, max, SECOND) : [alike]).flatMap(([first, last, from, to]) => {
    const fraction = sequence('\\.', fractions(from, to, 100));
    const whole = twoDigits((second) => between(first, last)(second) && has(second));
    return sequence(':', whole, from ? fraction : optional(fraction));
  });
  return min || !has(0) ? group(union) : optional(union);
}

// The digits of a fraction after the decimal point; `unit` is what 1 in the first of them means.
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

/** How the strings of a type divide a year, counting the parts from 0: months of 31 days, months, or weeks. */
interface Calendar {
  readonly parts: number;
  readonly days: number;
  /** The part that long years have and others do not. */
  readonly rare: number;
  readonly isLong: Has;
  readonly inYear: (from: number, to: number, isLong: boolean, has: Has) => Union;
}

const calendars: Readonly<Record<DateType, Calendar>> = {
  date: { parts: 12, days: 31, rare: 59, isLong: isLeapYear, inYear: monthsAndDays },
  month: { parts: 12, days: 1, rare: 12, isLong: () => false, inYear: months },
  week: { parts: 53, days: 1, rare: 52, isLong: hasWeek53, inYear: weeks },
};

// Both bounds in years 1 to 9999; `has` is for months.
function dates(type: DateType, [min, max]: Range, has: Has): Union {
  if (min > max) return [];
  const { parts, days, rare, isLong, inYear } = calendars[type];
  const position = (number: number): number => {
    const [year = 0, part = 0, day = 1] = serializeTemporal(type, number).split(/-W?/).map(Number);
    return (year * parts + part - 1) * days + day - 1;
  };
  const next = max + temporalSteps[type].stepScaleFactor;
  return rows(position(min), position(next) - 1, parts * days).flatMap(([first, last, from, to]) => {
    const long = first === last && isLong(first);
    const union = sequence(years(first, last, everything), '-', inYear(from, to, long, has));
    if (long || from > rare || to < rare) return union;
    return [...union, ...sequence(years(first, last, isLong), '-', inYear(rare, rare, true, has))];
  });
}

function months(from: number, to: number, _: boolean, has: Has): Union {
  return twoDigits((month) => between(from + 1, to + 1)(month) && has(month - 1));
}

function weeks(from: number, to: number, isLong: boolean): Union {
  return sequence('W', twoDigits(between(from + 1, Math.min(to + 1, isLong ? 53 : 52))));
}

function monthsAndDays(min: number, max: number, isLeap: boolean): Union {
  return rows(min, max, 31).flatMap(([first, last, from, to]) => {
    const lengths = Array.from({ length: last - first + 1 }, (_, index) => daysIn(first + index + 1, isLeap));
    const ends = [...new Set(lengths)].sort();
    return ends.flatMap((end, index) =>
      sequence(
        twoDigits((month) => between(first + 1, last + 1)(month) && daysIn(month, isLeap) >= end),
        '-',
        twoDigits(between(Math.max(from, ends[index - 1] ?? 0) + 1, Math.min(to + 1, end))),
      ),
    );
  });
}

function daysIn(month: number, isLeap: boolean): number {
  if (month === 2) return isLeap ? 29 : 28;
  return 30 + ((month + (month >> 3)) % 2);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

// A year has 53 weeks if it begins or ends on a Thursday.
function hasWeek53(year: number): boolean {
  return weekdayOfLastDay(year) === 4 || weekdayOfLastDay(year - 1) === 3;
}

function weekdayOfLastDay(year: number): number {
  return (year + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)) % 7;
}

// The years that have it, as one union or with the centurial years apart, whichever is shorter.
function years(first: number, last: number, has: Has): Union {
  const inRange = between(first, last);
  const [from, to] = [Math.floor(first / 100), Math.floor(last / 100)];
  // Whole centuries repeat after 400 years: only the first ones are looked at.
  const like = (century: number): number => (century > from + 4 && century < to ? like(century - 4) : century);
  const inCentury = (century: number, kept: Has): string =>
    group(twoDigits((year) => kept(year) && inRange(century * 100 + year) && has(century * 100 + year)));
  const some = (kept: Has): Union =>
    shareTails(
      from,
      to,
      (isHead) => twoDigits((century) => isHead(like(century))),
      (century) => (like(century) === century ? inCentury(century, kept) : ''),
    );
  const apart = [...some((year) => year > 0), ...some((year) => year === 0)];
  const together = some(() => true);
  return group(apart).length < group(together).length ? apart : together;
}

function twoDigits(has: Has): Union {
  return shareTails(
    0,
    9,
    (tens) => [digit(tens)],
    (ten) => digit((unit) => has(ten * 10 + unit)),
  );
}

/** The heads from first to last, each before its tail ('' where it has none); heads with the same tail share it. */
function shareTails(first: number, last: number, heads: (has: Has) => Union, tail: (head: number) => string): Union {
  const sharers = new Map<string, Set<number>>();
  for (let head = first; head <= last; head++) {
    const end = tail(head);
    sharers.set(end, (sharers.get(end) ?? new Set()).add(head));
  }
  sharers.delete('');
  return [...sharers].flatMap(([end, set]) =>
    sequence(
      heads((head) => set.has(head)),
      end,
    ),
  );
}

// A character class, or one digit, or '' for no digit.
function digit(has: Has): string {
  let set = '';
  let run = '';
  for (let number = 0; number <= 10; number++) {
    if (number < 10 && has(number)) run += number;
    else {
      set += run.length > 2 ? `${run[0]}-${run.at(-1)}` : run;
      run = '';
    }
  }
  return set.length > 1 ? `[${set}]` : set;
}

function between(min: number, max: number): Has {
  return (number) => number >= min && number <= max;
}

// Cuts min to max at multiples of the unit: the end of the first one, whole ones, the start of the last one.
function rows(min: number, max: number, unit: number): readonly Row[] {
  if (min > max) return [];
  const first = Math.floor(min / unit);
  const last = Math.floor(max / unit);
  const cut = first === last ? min : min % unit ? (first + 1) * unit : (max + 1) % unit ? last * unit : min;
  if (cut > min) return [...rows(min, cut - 1, unit), ...rows(cut, max, unit)];
  return [[first, last, min - first * unit, max - last * unit]];
}

function sequence(...parts: readonly (Union | string)[]): Union {
  const sources = parts.map(group);
  return sources.includes('') ? [] : [sources.join('')];
}

function group(union: Union | string): string {
  if (typeof union === 'string') return union;
  return union.length > 1 ? `(?:${union.join('|')})` : (union[0] ?? '');
}

function optional(union: Union): string {
  return `(?:${union.join('|')})?`;
}
