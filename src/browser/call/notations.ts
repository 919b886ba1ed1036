/* Numbers, dates and times in the notations of pages. */

/**
 * A string without accents and format characters, with ASCII digits, hyphens, slashes and separators. In upper case, because
 * lower case distinguishes ß from ss.
 */
export const plainOf = (text: string, umlaut = ''): string =>
  text
    .normalize('NFKD')
    .replaceAll('\u0308', umlaut)
    .replace(/[\p{Cf}\u0300-\u036f]+/gu, '')
    .replace(/[٠-٩۰-۹०-९]/g, (digit) => String((digit.charCodeAt(0) - (digit < '०' ? 0 : 6)) & 15))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll('\u2044', '/')
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
    .toUpperCase();

interface Amount {
  /** The possible values: the digits read with a decimal point, and with a decimal comma. */
  readonly numbers: readonly number[];
  readonly unit: string;
}

const maxDigits = 15; // numbers with more digits are not exact

/** A sign, a unit or currency, a number, and a unit or currency. Accountants write negative numbers in parentheses. */
const amountPattern =
  /^\s*([-(]?)\s*(\p{L}{0,3}\.?\p{Sc}|\p{L}{1,3}\.?(?=\s))?\s*(-?)\s*(\d[\d.,\s'\u2019]*)(\s*[%‰°\p{Sc}]\p{L}?|\s\p{L}{1,3}(?:\/\p{L})?\.?)?\s*\)?\s*$/u;

/** A number with a decimal point, with or without groups of digits. */
const decimal = /^(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d+)?$/;

function amountOf(text: string): Amount | undefined {
  const [, opening, prefix = '', sign, digits = '', suffix = ''] = amountPattern.exec(text) ?? [];
  const plain = digits.replace(/[\s'\u2019]+/g, '');
  const swapped = plain.replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'));
  const numbers = [plain, swapped]
    .filter((each) => decimal.test(each) && each.length <= maxDigits)
    .map((each) => Number(each.replaceAll(',', '')) * (opening || sign ? -1 : 1));
  return numbers.length === 0 ? undefined : { numbers, unit: (prefix + suffix).replace(/[\s.]+/g, '') };
}

/** Whether two strings denote the same number; undefined if one is not a number, or both have only digits and white space. */
export function isSameAmount(actual: string, wanted: string): boolean | undefined {
  const [shown, given] = [amountOf(actual), amountOf(wanted)];
  if (!shown || !given || /^[\d\s]+$/.test(actual + wanted)) return undefined;
  return hasUnit(shown.unit, given.unit) && shown.numbers.some((number) => given.numbers.includes(number));
}

const symbol = /[\p{Sc}%]/u;

/** Whether a shown unit can denote the wanted unit. Pages add units, omit symbols, and show a currency by code or symbol. */
const hasUnit = (actual: string, wanted: string): boolean =>
  wanted === '' || actual === wanted || symbol.test(actual) !== symbol.test(wanted);

/** Whether two strings are the same number to a script. */
export const isSameNumber = (a: string, b: string): boolean =>
  [a, b].every((text) => text.trim() !== '' && text.length <= maxDigits) && Number(a) === Number(b);

/** The time at the end of a string: `14:30:00`, `14 h 30`, `2:30 PM`, and, after a date, `14.30`. */
const timePattern =
  /(?:^|T|,? (?:\p{L}+ )?)(\d{1,2})(?:(?:[:.]|\s?h\s?)(\d\d)(?::(\d\d)(?:\.0+)?)?)?\s*(?:([ap])\.?\s?m\.?|uhr|z)?\s*$/iu;

/** The string before a time of day, and the minutes since midnight; the whole string and undefined if it has no time. */
function splitTime(text: string): readonly [rest: string, minutes: number | undefined] {
  const match = timePattern.exec(text);
  const [, hours, minutes, seconds = 0, half] = match ?? [];
  const rest = text.slice(0, match?.index).trim();
  if (!match || (!minutes && !half) || (rest === '' && !/[:hmu]/i.test(text))) return [text, undefined];
  const hour = half ? (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hours);
  return [rest, hour * 60 + Number(minutes ?? 0) + Number(seconds) / 60];
}

/**
 * Whether two strings denote the same date, month or time, or undefined if the second string does not denote one of these.
 */
export function isSameMoment(actual: string, wanted: string, language: string | undefined): boolean | undefined {
  const [[shown, shownMinutes], [date, minutes]] = [splitTime(actual), splitTime(wanted)];
  if (date === '') return shown === '' && shownMinutes === minutes;
  // A missing time is midnight.
  if (isSameDate([shown, date], language)) return (shownMinutes ?? 0) === (minutes ?? 0);
  return /[^\d\s]/.test(date) && isSameDate([date], language) ? false : undefined;
}

/** Whether strings denote one date, or one month. */
function isSameDate(texts: readonly string[], language: string | undefined): boolean {
  const numbers = texts.flatMap((text) => text.match(/\d+/g) ?? []);
  if (numbers.length > maxNumbers) return false;
  return numbers.some(
    (year) =>
      year.length === 4 &&
      months.some((month) =>
        ['', ...numbers].some(
          (day) => day.length < 3 && texts.every((text) => isDate(text, year, month, day, language)),
        ),
      ),
  );
}

const maxNumbers = 6;
const pad = (number: number | string): string => String(number).padStart(2, '0');
const months = Array.from({ length: 12 }, (_, index) => pad(index + 1));

/**
 * Whether a string has the numbers of a date in a usual order, perhaps without the month if the string has words. Each word of
 * at least three letters must be a name of the month or weekday, or the beginning of such a name.
 */
function isDate(text: string, year: string, month: string, day: string, language: string | undefined): boolean {
  const numbers = (text.match(/\d+/g) ?? []).map(pad).join();
  const words = text.match(/[\p{L}\p{M}]{3,}/gu) ?? [];
  const hasNumbers = [month, words.length > 0 ? '' : month].some((middle) =>
    [year, year.slice(2)].some((each) =>
      [
        [each, middle, day],
        [day, middle, each],
        [middle, day, each],
      ].some((order) => {
        const parts = order.filter(Boolean).map(pad);
        return parts.join() === numbers || (numbers.length === 8 && parts.join('') === numbers); // a mask without separators
      }),
    ),
  );
  if (!hasNumbers || words.length === 0) return hasNumbers;
  const names = namesOf(Date.UTC(Number(year), Number(month) - 1, Number(day || 1)), language);
  return words.every((word) => names.some((name) => name.startsWith(word)));
}

/** The words of a date. Some languages inflect the name of the month beside a day. */
const namesOf = (date: number, language: string | undefined): readonly string[] =>
  [language, navigator.language, 'en'].flatMap((each) => {
    try {
      return [{}, { day: 'numeric', weekday: 'long' } as const].flatMap((format) =>
        plainOf(new Date(date).toLocaleDateString(each, { ...format, month: 'long', timeZone: 'UTC' })).split(
          /[^\p{L}\p{M}]+/u,
        ),
      );
    } catch {
      return []; // the page may declare an invalid language
    }
  });
