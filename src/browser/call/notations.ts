/* Numbers, dates and times in the notations of pages. */

/**
 * A string in upper case without accents and format characters, with ASCII digits, hyphens and decimal separators. The
 * lowercase differs: the uppercase of ß is SS.
 */
export const plainOf = (text: string, umlaut = ''): string =>
  text
    .normalize('NFKD')
    .replaceAll('\u0308', umlaut)
    .replace(/[\p{Cf}\u0300-\u036f]+/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
    .toUpperCase();

/** Scripts have their digits at the beginning of 16 characters, and those of India after six others. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) as number;
  return String((code - (code > 0x900 && code < 0xe00 ? 6 : 0)) & 15);
}

interface Amount {
  /** With a decimal point and with a decimal comma. */
  readonly numbers: readonly number[];
  readonly unit: string;
}

const maxLength = 60;
const maxDigits = 15; // more are not exact

/** A sign, a unit or currency, a number, and a unit or currency. Parentheses are the minus sign of accountants. */
const amountPattern =
  /^\s*([-(]?)\s*(\p{L}{0,3}\.?\p{Sc}|\p{L}{1,3}\.?(?=\s))?\s*(-?)\s*(\d[\d.,\s'\u2019]*)(\s*[%‰°\p{Sc}]\p{L}?|\s\p{L}{1,3}(?:\/\p{L})?\.?)?\s*\)?\s*$/u;

/** A number with a decimal point, with or without groups of digits. */
const decimal = /^(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d+)?$/;

function amountOf(text: string): Amount | undefined {
  const match = text.length > maxLength ? null : amountPattern.exec(text);
  const [, opening, prefix = '', sign, digits = '', suffix = ''] = match ?? [];
  const plain = digits.replace(/[\s'\u2019]+/g, '');
  const swapped = plain.replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'));
  const numbers = [plain, swapped]
    .filter((each) => decimal.test(each) && each.length <= maxDigits)
    .map((each) => Number(each.replaceAll(',', '')) * (opening || sign ? -1 : 1));
  return numbers.length === 0 ? undefined : { numbers, unit: (prefix + suffix).replace(/[\s.]+/g, '') };
}

/** Whether two strings denote the same number, or undefined unless punctuation or a unit shows that they are numbers. */
export function isSameAmount(actual: string, wanted: string): boolean | undefined {
  const [shown, given] = [amountOf(actual), amountOf(wanted)];
  if (!shown || !given || /^[\d\s]+$/.test(actual + wanted)) return undefined;
  return hasUnit(shown.unit, given.unit) && shown.numbers.some((number) => given.numbers.includes(number));
}

const symbol = /[\p{Sc}%]/u;

/** Whether a unit is another one. Pages add units, omit symbols, and show a currency as its code or its symbol. */
const hasUnit = (actual: string, wanted: string): boolean =>
  wanted === '' || actual === wanted || symbol.test(actual) !== symbol.test(wanted);

/** Whether two strings are the same number to a script. */
export const isSameNumber = (a: string, b: string): boolean =>
  [a, b].every((text) => text.trim() !== '' && text.length <= maxDigits) && Number(a) === Number(b);

/** The time at the end of a string: `14:30:00`, `14 h 30`, `2:30 PM`, and, after a date, `14.30`. */
const timePattern =
  /(?:^|T|,? (?:\p{L}+ )?)(\d{1,2})(?:(?:[:.]|\s?h\s?)(\d\d)(?::(\d\d)(?:\.0+)?)?)?\s*(?:([ap])\.?\s?m\.?|uhr|z)?\s*$/iu;

/** The string before a time of day, and the minutes of the time. */
function splitTime(text: string): readonly [rest: string, minutes: number | undefined] {
  const match = timePattern.exec(text);
  const [, hours, minutes, seconds = 0, half] = match ?? [];
  const rest = text.slice(0, match?.index).trim();
  if (!match || (!minutes && !half) || (rest === '' && !/[:hmu]/i.test(text))) return [text, undefined];
  const hour = half ? (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hours);
  return [rest, hour * 60 + Number(minutes ?? 0) + Number(seconds) / 60];
}

/** Whether two strings denote the same date, month or time, or undefined if the second does not denote one. */
export function isSameMoment(actual: string, wanted: string, language: string | undefined): boolean | undefined {
  if (actual.length > maxLength || wanted.length > maxLength) return undefined;
  const [[shown, shownMinutes], [date, minutes]] = [splitTime(actual), splitTime(wanted)];
  if (date === '') return shown === '' && shownMinutes === minutes;
  // Without a time, it is midnight.
  if (isSameDate([shown, date], language)) return (shownMinutes ?? 0) === (minutes ?? 0);
  return /[^\d\s]/.test(date) && isSameDate([date], language) ? false : undefined;
}

/** Without a day, it is a month. */
type CalendarDate = readonly [year: number, month: number, day: number | undefined];

/** Whether strings denote one date or month. */
function isSameDate(texts: readonly string[], language: string | undefined): boolean {
  const numbers = texts.map((text) => text.match(/\d+/g) ?? []);
  if (numbers.some(({ length }) => length === 0 || length > 3)) return false;
  const years = numbers.flat().filter((digits) => digits.length === 4);
  const days = numbers.flat().filter((digits) => digits.length < 3);
  const dates = years.flatMap((year) =>
    [undefined, ...days].flatMap((day) =>
      months.map((month) => [Number(year), month, day && Number(day)] as CalendarDate),
    ),
  );
  return dates.some(([year, month, day]) => {
    const isNumeric = numbers.map((each) => hasNumbers(each, [year, month, day]));
    return (
      numbers.every((each, index) => isNumeric[index] || hasNumbers(each, [year, undefined, day])) &&
      texts.every((text, index) => hasNames(text, Date.UTC(year, month - 1, day ?? 1), isNumeric[index], language))
    );
  });
}

/** Whether the numbers are those of a date in any usual order, or a mask has written them as eight digits. */
const hasNumbers = (
  numbers: readonly string[],
  [year, month, day]: readonly [year: number, month: number | undefined, day: number | undefined],
): boolean =>
  [year, year % 100].some((each) =>
    [
      [each, month, day],
      [day, month, each],
      [month, day, each],
    ].some((order) => {
      const parts = order.flatMap((part) => (part === undefined ? [] : String(part).padStart(2, '0')));
      const digits = numbers.map((part) => part.padStart(2, '0')).join();
      return parts.join() === digits || (digits.length === 8 && parts.join('') === digits);
    }),
  );

const months = Array.from({ length: 12 }, (_, index) => index + 1);
const minNameLength = 3;

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}]+/gu) ?? [];

/** Whether a string has no other words than the names of a date or their beginnings, and short ones such as `de`. */
function hasNames(text: string, date: number, isNumeric: boolean | undefined, language: string | undefined): boolean {
  const words = wordsOf(text).filter(({ length }) => length >= minNameLength);
  if (words.length === 0) return isNumeric === true;
  const isName = (word: string, ...formats: readonly Intl.DateTimeFormatOptions[]): boolean =>
    formats.some((format) => namesOf(date, language, format).some((name) => name.startsWith(word)));
  // Some languages inflect the name of the month beside a day.
  const isMonth = (word: string): boolean => isName(word, { month: 'long' }, { month: 'long', day: 'numeric' });
  return (
    words.every((word) => isMonth(word) || isName(word, { weekday: 'long' })) &&
    (isNumeric === true || words.some(isMonth))
  );
}

const namesOf = (date: number, language: string | undefined, format: Intl.DateTimeFormatOptions): readonly string[] =>
  [language, navigator.language, 'en'].flatMap((each) => {
    try {
      return wordsOf(plainOf(new Intl.DateTimeFormat(each, { ...format, timeZone: 'UTC' }).format(date)));
    } catch {
      return []; // the page may declare an invalid language
    }
  });
