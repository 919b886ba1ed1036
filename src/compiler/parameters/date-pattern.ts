import { serializeTemporal, temporalSteps } from '../html/microsyntaxes.js';
import {
  always,
  between,
  group,
  rows,
  sequence,
  shareTails,
  twoDigits,
  type Predicate,
  type Union,
} from './digit-pattern.js';

type DateType = 'date' | 'month' | 'week';

/** The structure of a year in the strings of a type. Parts are months of 31 days, months, or weeks. */
interface Calendar {
  readonly parts: number;
  readonly days: number;
  /** The index of the day, month or week that only long years have. */
  readonly rare: number;
  readonly isLong: Predicate;
  readonly inYear: (from: number, to: number, isLong: boolean, has: Predicate) => Union;
}

const calendars: Readonly<Record<DateType, Calendar>> = {
  date: { parts: 12, days: 31, rare: 59, isLong: isLeapYear, inYear: monthsAndDays },
  month: { parts: 12, days: 1, rare: 12, isLong: () => false, inYear: months },
  week: { parts: 53, days: 1, rare: 52, isLong: hasWeek53, inYear: weeks },
};

/** The strings from min to max, which are in the years 1 to 9999; `has` restricts the months of the type `month`. */
export function dates(type: DateType, min: number, max: number, has: Predicate = always): Union {
  if (min > max) return [];
  const { parts, days, rare, isLong, inYear } = calendars[type];
  const position = (number: number): number => {
    const [year = 0, part = 0, day = 1] = serializeTemporal(type, number).split(/-W?/).map(Number);
    return (year * parts + part - 1) * days + day - 1;
  };
  const next = max + temporalSteps[type].stepScaleFactor;
  return rows(position(min), position(next) - 1, parts * days).flatMap(([first, last, from, to]) => {
    const long = first === last && isLong(first);
    const union = sequence(years(first, last, always), '-', inYear(from, to, long, has));
    if (long || from > rare || to < rare) return union;
    return [...union, ...sequence(years(first, last, isLong), '-', inYear(rare, rare, true, has))];
  });
}

function months(from: number, to: number, _: boolean, has: Predicate): Union {
  return twoDigits((month) => between(from + 1, to + 1)(month) && has(month - 1));
}

function weeks(from: number, to: number, isLong: boolean): Union {
  return sequence('W', twoDigits(between(from + 1, Math.min(to + 1, isLong ? 53 : 52))));
}

function monthsAndDays(min: number, max: number, isLeap: boolean): Union {
  return rows(min, max, 31).flatMap(([first, last, from, to]) => {
    const lengths = Array.from({ length: last - first + 1 }, (_, index) => daysIn(first + index + 1, isLeap));
    const ends = [...new Set(lengths)].sort((a, b) => a - b);
    return ends.flatMap((end, index) => {
      const monthsOfLength = twoDigits((month) => between(first + 1, last + 1)(month) && daysIn(month, isLeap) >= end);
      const days = twoDigits(between(Math.max(from, ends[index - 1] ?? 0) + 1, Math.min(to + 1, end)));
      return sequence(monthsOfLength, '-', days);
    });
  });
}

function daysIn(month: number, isLeap: boolean): number {
  if (month === 2) return isLeap ? 29 : 28;
  return 30 + ((month + (month >> 3)) % 2);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** A year has 53 weeks if it begins or ends on a Thursday. */
function hasWeek53(year: number): boolean {
  return weekdayOfLastDay(year) === 4 || weekdayOfLastDay(year - 1) === 3;
}

function weekdayOfLastDay(year: number): number {
  return (year + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)) % 7;
}

/** The years that satisfy a predicate, as one union or with the centurial years apart, whichever is shorter. */
function years(first: number, last: number, has: Predicate): Union {
  const inRange = between(first, last);
  const [from, to] = [Math.floor(first / 100), Math.floor(last / 100)];
  // Whole centuries repeat after 400 years, so only the first ones are computed.
  const like = (century: number): number => (century > from + 4 && century < to ? like(century - 4) : century);
  const inCentury = (century: number, select: Predicate): string =>
    group(twoDigits((year) => select(year) && inRange(century * 100 + year) && has(century * 100 + year)));
  const selected = (select: Predicate): Union =>
    shareTails(
      from,
      to,
      (isHead) => twoDigits((century) => isHead(like(century))),
      (century) => (like(century) === century ? inCentury(century, select) : ''),
    );
  const apart = [...selected((year) => year > 0), ...selected((year) => year === 0)];
  const together = selected(always);
  return group(apart).length < group(together).length ? apart : together;
}
