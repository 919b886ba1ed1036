export type TemporalType = 'date' | 'month' | 'week' | 'time' | 'datetime-local';

interface StepConstants {
  /** In the unit of the step attribute. */
  readonly defaultStep: number;
  /** The factor from the unit of the step attribute to the unit of `parseTemporal`. */
  readonly stepScaleFactor: number;
  /** The step base without min and value attributes, in the unit of `parseTemporal`. */
  readonly defaultStepBase: number;
}

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const MONDAY = -3 * DAY;

export const temporalSteps: Readonly<Record<TemporalType, StepConstants>> = {
  date: { defaultStep: 1, stepScaleFactor: DAY, defaultStepBase: 0 },
  month: { defaultStep: 1, stepScaleFactor: 1, defaultStepBase: 0 },
  week: { defaultStep: 1, stepScaleFactor: WEEK, defaultStepBase: MONDAY },
  time: { defaultStep: 60, stepScaleFactor: 1000, defaultStepBase: 0 },
  'datetime-local': { defaultStep: 60, stepScaleFactor: 1000, defaultStepBase: 0 },
};

/**
 * Longer strings overflow the stack of a regular expression. Deviates from the spec: such strings are not numbers,
 * dates or times.
 */
const maxLength = 1000;

/** Parses a valid floating-point number; undefined for any other text. https://html.spec.whatwg.org/#valid-floating-point-number */
export function parseNumber(text: string): number | undefined {
  if (text.length > maxLength || !/^-?(?:[0-9]*\.)?[0-9]+(?:e[+-]?[0-9]+)?$/i.test(text)) return undefined;
  const number = Number(text) + 0; // -0 + 0 is 0
  return Number.isFinite(number) ? number : undefined;
}

/** https://html.spec.whatwg.org/#best-representation-of-the-number-as-a-floating-point-number */
export const serializeNumber = (number: number): string => String(number);

/**
 * Converts a valid date or time string to a number; undefined for any other text. The unit is months since 1970-01 for
 * `month`, milliseconds since midnight for `time`, else milliseconds since 1970-01-01T00:00 (of its Monday for `week`).
 * https://html.spec.whatwg.org/#concept-input-value-string-number
 */
export function parseTemporal(type: TemporalType, text: string): number | undefined {
  const number = text.length > maxLength ? NaN : parsers[type](text);
  return Number.isNaN(number) ? undefined : number;
}

/**
 * Converts a number in the unit of `parseTemporal` to the shortest valid normalized string. The year must be 1 or
 * later.
 * https://html.spec.whatwg.org/#concept-input-value-number-string
 */
export function serializeTemporal(type: TemporalType, number: number): string {
  return serializers[type](number);
}

// The parsers return NaN for invalid text, and for text beyond the range of Date (up to 275760-09-13T00:00).
const parsers: Readonly<Record<TemporalType, (text: string) => number>> = {
  date: parseDateString,
  month: parseMonthString,
  week: parseWeekString,
  time: parseTimeString,
  'datetime-local': parseLocalDateAndTimeString,
};

const serializers: Readonly<Record<TemporalType, (number: number) => string>> = {
  date: (number) => isoString(number).slice(0, -14),
  month: (number) => isoString(new Date(0).setUTCMonth(number)).slice(0, -17),
  week: serializeWeek,
  time: (number) => serializeLocalDateAndTime(number).slice(11),
  'datetime-local': serializeLocalDateAndTime,
};

// https://html.spec.whatwg.org/#parse-a-date-string
function parseDateString(text: string): number {
  const [, year = 0, month = 0, day = 0] = /^([0-9]{4,})-([0-9]{2})-([0-9]{2})$/.exec(text)?.map(Number) ?? [];
  const date = new Date(0);
  const number = date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? number : NaN;
}

// https://html.spec.whatwg.org/#parse-a-month-string
function parseMonthString(text: string): number {
  const date = new Date(parseDateString(`${text}-01`));
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

// https://html.spec.whatwg.org/#parse-a-week-string
function parseWeekString(text: string): number {
  const [, year = '', week = ''] = /^([0-9]{4,})-W([0-9]{2})$/.exec(text) ?? [];
  const monday = mondayOf(parseDateString(`${year}-01-04`)) + (Number(week) - 1) * WEEK;
  return new Date(monday + 3 * DAY).getUTCFullYear() === Number(year) ? monday : NaN;
}

// https://html.spec.whatwg.org/#parse-a-time-string
function parseTimeString(text: string): number {
  const syntax = /^([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9](?:\.[0-9]{1,3})?))?$/;
  const [, hour = NaN, minute = NaN, second] = syntax.exec(text)?.map(Number) ?? [];
  return (hour * 60 + minute) * 60_000 + Math.round((second || 0) * 1000);
}

// https://html.spec.whatwg.org/#parse-a-local-date-and-time-string
function parseLocalDateAndTimeString(text: string): number {
  const separator = text.search(/[T ]/);
  const number = parseDateString(text.slice(0, separator)) + parseTimeString(text.slice(separator + 1));
  return new Date(number).getTime();
}

function serializeWeek(number: number): string {
  const thursday = mondayOf(number) + 3 * DAY;
  const year = isoString(thursday).slice(0, -20);
  const week = Math.floor((thursday - parseDateString(`${year}-01-01`)) / WEEK) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

function serializeLocalDateAndTime(number: number): string {
  return isoString(number).replace(/(?:(?::00)?\.000|0{0,2})Z$/, '');
}

function mondayOf(number: number): number {
  return Math.floor((number - MONDAY) / WEEK) * WEEK + MONDAY;
}

/** 'YYYY-MM-DDTHH:MM:SS.sssZ', without the sign and the zeros that Date puts before years beyond 9999. */
function isoString(number: number): string {
  return new Date(number).toISOString().replace(/^\+0*/, '');
}
