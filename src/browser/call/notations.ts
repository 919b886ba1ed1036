/* Numbers, dates and times in the notations of pages. */

/** A string without compatibility and format characters, with ASCII digits, hyphens and decimal separators. */
export const plainOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',');

/** Unicode has the digits of a script at the end of 16 characters, or at their beginning. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) as number;
  return String((code & 15) - (/\p{Nd}/u.test(String.fromCodePoint(code | 15)) ? 6 : 0));
}

/** The words of a string in upper case, without accents. */
export const wordsOf = (text: string): readonly string[] => withoutAccents(text).match(/[\p{L}\p{M}]+/gu) ?? [];

/** A string in upper case, without accents. The lowercase differs: the uppercase of ß is SS. */
export const withoutAccents = (text: string, umlaut = ''): string =>
  text
    .normalize('NFKD')
    .replaceAll('\u0308', umlaut)
    .replace(/[\u0300-\u036f]+/g, '')
    .toUpperCase();

interface Amount {
  /** With a decimal point and with a decimal comma. */
  readonly numbers: readonly number[];
  readonly unit: string;
  /** Whether its punctuation or unit shows that it is a number, and not digits. */
  readonly isMarked: boolean;
}

const maxLength = 60;
const maxDigits = 15; // more are not exact

/** A sign, a unit or currency, a number, and a unit or currency. Parentheses are the minus sign of accountants. */
const amountPattern =
  /^\s*([-(]?)\s*(\p{L}{0,3}\.?\p{Sc}|\p{L}{1,3}\.?(?=\s))?\s*(-?)\s*(\d[\d.,\s'\u2019]*)(\s*[%‰°\p{Sc}]\p{L}?|\s\p{L}{1,3}(?:\/\p{L})?\.?)?\s*\)?\s*$/u;

/** A number with a decimal point, with or without groups of digits. */
const decimal = /^(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d+)?$/;
const currency = /\p{Sc}|^[A-Z]{3}$/u;

function amountOf(text: string): Amount | undefined {
  const match = text.length > maxLength ? null : amountPattern.exec(text);
  const [, opening = '', prefix = '', sign = '', digits = '', suffix = ''] = match ?? [];
  const plain = digits.replace(/[\s'\u2019]+/g, '');
  const swapped = plain.replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'));
  const isNegative = opening + sign !== '';
  const numbers = [plain, swapped]
    .filter((each) => decimal.test(each) && each.length <= maxDigits)
    .map((each) => Number(each.replaceAll(',', '')) * (isNegative ? -1 : 1));
  const unit = `${prefix}${suffix}`.replace(/[\s.]+/g, '');
  return numbers.length === 0
    ? undefined
    : { numbers, unit, isMarked: isNegative || unit !== '' || /[.,]/.test(plain) };
}

/** Whether two strings denote the same number, or undefined if one of them is not evidently a number. */
export function isSameAmount(actual: string, wanted: string): boolean | undefined {
  const [shown, given] = [amountOf(actual), amountOf(wanted)];
  if (!shown || !given || !(shown.isMarked || given.isMarked)) return undefined;
  return hasUnit(shown.unit, given.unit) && shown.numbers.some((number) => given.numbers.includes(number));
}

/** Whether a unit is another one, or a page may show it for the other. */
function hasUnit(actual: string, wanted: string): boolean {
  if (wanted === '' || actual.toUpperCase() === wanted.toUpperCase()) return true;
  if (actual === '') return wanted === '%' || currency.test(wanted);
  const [isSymbol, wasSymbol] = [actual, wanted].map((unit) => /\p{Sc}/u.test(unit));
  return [actual, wanted].every((unit) => currency.test(unit)) && (isSymbol !== wasSymbol || actual.endsWith(wanted));
}

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
  const [years, days] = [/^\d{4}$/, /^\d\d?$/].map((digits) =>
    numbers
      .flat()
      .filter((each) => digits.test(each))
      .map(Number),
  );
  return (years ?? []).some((year) =>
    Array.from({ length: 12 }, (_, index) => index + 1).some((month) =>
      [undefined, ...(days ?? [])].some((day) => {
        const date = [year, month, day] as const;
        const isNumeric = numbers.map((each) => hasOrder(each, numericOrders(date)));
        const hasNumbers = numbers.every((each, index) => isNumeric[index] || hasOrder(each, wordOrders(date)));
        return hasNumbers && texts.every((text, index) => hasNames(text, date, isNumeric[index] === true, language));
      }),
    ),
  );
}

type Orders = readonly (readonly (number | undefined)[])[];

const numericOrders = ([year, month, day]: CalendarDate): Orders =>
  [year, year % 100].flatMap((each) => [
    [each, month, day],
    [day, month, each],
    [month, day, each],
  ]);

const wordOrders = ([year, , day]: CalendarDate): Orders =>
  [year, year % 100].flatMap((each) => [
    [day, each],
    [each, day],
  ]);

/** Whether the numbers are those of an order, or a mask has written them as eight digits. */
const hasOrder = (numbers: readonly string[], orders: Orders): boolean =>
  orders.some((order) => {
    const parts = order.filter((part) => part !== undefined);
    const digits = parts.map((part) => String(part).padStart(2, '0')).join('');
    return parts.join() === numbers.map(Number).join() || (digits.length === 8 && digits === numbers.join());
  });

const minNameLength = 3;

/** Whether a string has no other words than the names of a date, and short ones such as `de`. */
function hasNames(text: string, date: CalendarDate, isNumeric: boolean, language: string | undefined): boolean {
  const words = wordsOf(text).filter(({ length }) => length >= minNameLength);
  if (words.length === 0) return isNumeric;
  const isIn = (word: string, names: readonly string[]): boolean => names.some((name) => name.startsWith(word));
  const months = namesOf(date, language, [{ month: 'long' }, { month: 'short' }, { month: 'long', day: 'numeric' }]);
  const weekdays = namesOf(date, language, [{ weekday: 'long' }, { weekday: 'short' }]);
  return (
    words.every((word) => isIn(word, [...months, ...weekdays])) &&
    (isNumeric || words.some((word) => isIn(word, months)))
  );
}

function namesOf(
  [year, month, day = 1]: CalendarDate,
  language: string | undefined,
  formats: readonly Intl.DateTimeFormatOptions[],
): readonly string[] {
  const languages = [language, navigator.language, 'en'].filter((each) => each !== undefined);
  return languages.flatMap((each) =>
    formats.flatMap((format) => {
      try {
        return wordsOf(
          new Intl.DateTimeFormat(each, { ...format, timeZone: 'UTC' }).format(Date.UTC(year, month - 1, day)),
        );
      } catch {
        return []; // the page may declare an invalid language
      }
    }),
  );
}
