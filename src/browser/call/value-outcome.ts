import { hasWordsOf } from '../adapters/editors/content.js';
import { domTree } from '../dom/dom-tree.js';
import { closest, inputType } from '../dom/members.js';

/** What a page has made of a value: it is as it was given, it means the same in another form, or it has another meaning. */
export type ValueOutcome = 'kept' | 'rewritten' | 'lost';

const maxLength = 100_000;
const minContainedDigits = 5;
const minContainedLetters = 4;
const maxPrefix = 4;

/**
 * Compares the value that a control has, or a form submits, with the value of the call. Pages write values in upper case, with
 * a mask, with groups of digits or a currency, or in another notation of a date, a time or a number.
 * @param before - values before the call: if the page has put one back, it is not an extension of the new one
 */
export function outcomeOfText(
  control: Element,
  actual: string,
  wanted: string,
  before: readonly string[] = [],
): ValueOutcome {
  if (actual === wanted) return 'kept';
  return isRewritten(control, itemsOf(actual), itemsOf(wanted), isAnyOf(before, actual)) ? 'rewritten' : 'lost';
}

/** Whether a text is one of those before a call. */
export const isAnyOf = (before: readonly string[], text: string): boolean =>
  text !== '' && before.some((old) => isSameText(text, old));

function isRewritten(control: Element, actual: string, wanted: string, isOld: boolean): boolean {
  const isInput = domTree.localName(control) === 'input';
  if (isInput && /^(?:number|range)$/.test(inputType(control))) return isSameNumber(actual, wanted);
  const [[date, minutes], [shownDate, shownMinutes]] = [dateTimeOf(wanted), dateTimeOf(actual)];
  const numbers = readDate(date);
  if (numbers) return minutes === shownMinutes && isSameDate(shownDate, numbers, control);
  const time = wanted.includes(':') || /m/i.test(wanted) ? minutesOf(wanted) : undefined;
  if (time !== undefined) return minutesOf(actual) === time || isSameText(actual, wanted);
  if (wanted.trim() === '') return lettersOf(actual) === ''; // the places of a mask
  const isDecimal = /[.,]/.test(actual) && [actual, wanted].every((text) => numbersOf(text).length > 0);
  if (isDecimal || signedOrDecimal.test(wanted.trim())) return isSameNumber(actual, wanted);
  return isSameText(actual, wanted) || isSameNumber(actual, wanted) || isExtendedText(actual, wanted, isOld);
}

/** The items of a text as widgets submit them: `[{"value":"red"},{"value":"blue"}]` is `red,blue`. */
const itemsOf = (text: string): string => text.match(/(?<="value":\s*")(?:[^"\\]|\\.)*/g)?.join() ?? text;

const languageOf = (control: Element): string | undefined => {
  const element = closest(control, '[lang]');
  return (element && domTree.attribute(element, 'lang')) || undefined;
};

/** The letters and digits of a string, without markup, accents and case, with Arabic and Persian digits as ASCII. */
const lettersOf = (text: string): string =>
  text
    .slice(0, maxLength)
    .normalize('NFKD')
    .replace(/<[^<>]*>|&#?\w+;/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .toUpperCase(); // lowercase differs: the uppercase of ß is SS

/** Whether two strings differ only in white space, case, punctuation, accents or markup. */
export function isSameText(a: string, b: string): boolean {
  const [lettersA, lettersB] = [lettersOf(a), lettersOf(b)];
  return lettersA === lettersB && (lettersA !== '' || a.trim() === b.trim());
}

/** A number whose punctuation decides about its value. */
const signedOrDecimal = /^[-\u2212]\s*[\d.,]*\d$|^\d[\d.,]*[.,]\d+$/;

/** A number with a decimal point, with or without groups of digits. */
const decimal = /^-?(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d+)?$/;
const maxNumberLength = 50;
const maxDateLength = 60;

/** The numbers that a string denotes with a decimal point and with a decimal comma, such as a price with its currency. */
function numbersOf(text: string): readonly number[] {
  if (text.length > maxNumberLength) return [];
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Sc}\s'\u2019]+|^[A-Z]{3}\b|\b[A-Z]{3}$/gu, '')
    .replace('\u2212', '-');
  const swapped = plain.replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'));
  return [plain, swapped].filter((each) => decimal.test(each)).map((each) => Number(each.replaceAll(',', '')));
}

/** Whether two strings denote the same number. */
const isSameNumber = (a: string, b: string): boolean =>
  (a.trim() !== '' && b.trim() !== '' && Number(a) === Number(b)) ||
  numbersOf(a).some((number) => numbersOf(b).includes(number));

/** The date and the minutes of `2026-12-31T14:30` and `December 31, 2026 at 2:30 PM`. Without a time, it is midnight. */
function dateTimeOf(text: string): readonly [date: string, minutes: number | undefined] {
  const pattern = /^\s*(\S.*?)(?:T|,? (?:\p{L}+ )?)(\d{1,2}[:.h]\d\d.*)$/u;
  const [, date, time] = text.length > maxDateLength ? [] : (pattern.exec(text.normalize('NFKC')) ?? []);
  const minutes = minutesOf(time);
  return date === undefined || minutes === undefined ? [text, 0] : [date, minutes];
}

/** The three numbers of a date, in the order of the string: `2026-12-31`, `31.12.2026`. */
function readDate(text: string): readonly number[] | undefined {
  const [, one, , two, three] = /^\s*(\d{1,4})([-./]|\. )(\d{1,2})\2(\d{1,4})\s*$/.exec(text) ?? [];
  const numbers = [one, two, three].map(Number);
  return numbers.some((number) => number > 31) && numbers.every((number) => number > 0) ? numbers : undefined;
}

/** Whether a string has the numbers of a date in any order, or its month as a word. */
function isSameDate(actual: string, numbers: readonly number[], control: Element): boolean {
  const found = (actual.normalize('NFKC').match(/\d+/g) ?? []).map((text) => Number(text));
  if (found.length === 1) return isRun(actual, numbers);
  if (sorted(found) === sorted(numbers)) return isSameOrder(found, numbers);
  if (sorted(found) === sorted(numbers.map((number) => number % 100))) return true; // a year with two digits
  const [year, month, day] = inOrder(numbers);
  const hasYearAndDay = sorted(found) === sorted([year, day]) || sorted(found) === sorted([year % 100, day]);
  return hasYearAndDay && monthNames(month, languageOf(control)).some((name) => lettersOf(actual).includes(name));
}

const sorted = (numbers: readonly number[]): string => numbers.toSorted((a, b) => a - b).join();

/** Year, month and day. The month is in the middle, except in the order of the United States, which only a day above 12 shows. */
function inOrder([one = 0, two = 0, three = 0]: readonly number[]): readonly [number, number, number] {
  if (one > 31) return [one, two, three];
  return two > 12 ? [three, one, two] : [three, two, one];
}

/** Whether day and month are not exchanged, where the numbers show it. */
function isSameOrder(found: readonly number[], numbers: readonly number[]): boolean {
  const isYearFirst = (each: readonly number[]): boolean => (each[0] ?? 0) > 31;
  return !(isYearFirst(found) && isYearFirst(numbers)) || found.join() === numbers.join();
}

/** Whether a string is a date without separators, as some masks write it. */
function isRun(actual: string, numbers: readonly number[]): boolean {
  const [year, month, day] = inOrder(numbers).map((number) => String(number).padStart(2, '0')) as [
    string,
    string,
    string,
  ];
  const digits = actual.replace(/\D+/g, '');
  return [`${year}${month}${day}`, `${day}${month}${year}`, `${month}${day}${year}`].includes(digits);
}

function monthNames(month: number, language: string | undefined): readonly string[] {
  const date = new Date(Date.UTC(2001, month - 1, 1));
  const languages = [language, navigator.language, 'en'].filter((each) => each !== undefined);
  return languages.flatMap((each) =>
    (['long', 'short'] as const).flatMap((style) => {
      try {
        return lettersOf(new Intl.DateTimeFormat(each, { month: style, timeZone: 'UTC' }).format(date));
      } catch {
        return []; // the page may declare an invalid language
      }
    }),
  );
}

/** The minutes of a time of day with or without seconds, as in `14:30`, `14.30` and `2:30 PM`. */
function minutesOf(text = ''): number | undefined {
  const match = /^\s*(\d{1,2})[:.h](\d{2})(?::(\d{2})(?:\.0+)?)?\s*(?:([ap])\.?\s?m\.?)?\s*$/i.exec(
    text.normalize('NFKC'),
  );
  if (!match) return undefined;
  const [, hours = '', minutes = '', seconds = '0', half] = match;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return hour * 60 + Number(minutes) + Number(seconds) / 60;
}

/**
 * Whether a string has all letters and digits of another one, and more: a prefix of a telephone number, a scheme, or markup.
 * Only the prefix of a telephone number may be missing.
 */
function isExtendedText(actual: string, wanted: string, isOld: boolean): boolean {
  const [a, b] = [lettersOf(actual), lettersOf(wanted)];
  if (/^\d+$/.test(a + b)) return isSameTelephone(a, b, wanted);
  if (isOld) return false;
  if (b.length >= minContainedLetters && (a.includes(b) || hasWordsOf(cut(actual), cut(wanted)))) return true;
  return b !== '' && b.length * 2 >= a.length && a.includes(b);
}

const cut = (text: string): string => text.slice(0, maxLength);

/** Whether one has the digits of the other, and an area code: `0301234567` is `+49301234567`. */
function isSameTelephone(actual: string, digits: string, wanted: string): boolean {
  const [a, b] = [actual, digits].map((text) => text.replace(/^0+/, '')) as [string, string];
  const isInternational = /^\s*(?:\+|00)/.test(wanted);
  return isPrefixed(a, b) || (isInternational && isPrefixed(b, a));
}

const isPrefixed = (text: string, digits: string): boolean =>
  digits.length >= minContainedDigits && text.endsWith(digits) && text.length - digits.length <= maxPrefix;
