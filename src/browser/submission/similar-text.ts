import { hasWordsOf } from '../adapters/editors/content.js';

const maxLength = 100_000;
const minContainedDigits = 5;
const minContainedLetters = 4;

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

/** A number with a decimal point, with or without groups of three digits. */
const decimal = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;
const maxNumberLength = 50;

/** The numbers that a string denotes with a decimal point and with a decimal comma, such as a price with its currency. */
function numbersOf(text: string): readonly number[] {
  if (text.length > maxNumberLength) return [];
  const plain = text.replace(/[\p{Sc}\s']+|^[A-Z]{3}\b|\b[A-Z]{3}$/gu, '');
  const swapped = plain.replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'));
  return [plain, swapped].filter((each) => decimal.test(each)).map((each) => Number(each.replaceAll(',', '')));
}

/** Whether two strings denote the same number. */
export const isSameNumber = (a: string, b: string): boolean =>
  (a.trim() !== '' && Number(a) === Number(b)) || numbersOf(a).some((number) => numbersOf(b).includes(number));

/**
 * Whether a string is derived from another: extended or shortened, another format of a number or a date, or
 * all its words in other markup, such as JSON.
 */
export function isDerivedText(text: string, original: string): boolean {
  if (isSameNumber(text, original)) return true;
  const [a, b] = [lettersOf(text), lettersOf(original)];
  const [short, long] = [a, b].sort((x, y) => x.length - y.length) as [string, string];
  const areDigits = /^\d+$/.test(short + long);
  if (!areDigits)
    return (
      isContained(short, long, minContainedLetters) ||
      (b.length >= minContainedLetters && hasWordsOf(text.slice(0, maxLength), original.slice(0, maxLength))) ||
      (short !== '' && short.length * 2 >= long.length && long.includes(short))
    );
  return isContained(withoutZeros(short), long, minContainedDigits) || isReordered(short, long);
}

const isContained = (short: string, long: string, minLength: number): boolean =>
  short.length >= minLength && long.includes(short);

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Formats of a date differ in the order of its numbers and in leading zeros. */
const isReordered = (a: string, b: string): boolean =>
  b.length >= minContainedDigits && sortedDigits(a) === sortedDigits(b);

const sortedDigits = (digits: string): string => [...digits.replaceAll('0', '')].sort().join('');
