import { hasWordsOf, isMarkup } from '../adapters/editors/content.js';
import { domTree } from '../dom/dom-tree.js';
import { closest, inputType } from '../dom/members.js';
import { parseUrl } from '../../platform/urls.js';
import { isSameAmount, isSameMoment, isSameNumber, plainOf } from './notations.js';

/** The outcome of setting a value: the page has kept it, rewritten it with the same meaning, or changed its meaning. */
export type ValueOutcome = 'kept' | 'rewritten' | 'lost';

const maxLength = 100_000;
const maxNotation = 100; // of both values together
const minContainedDigits = 5;
const minLongText = 16;
const maxPrefix = 4;

/**
 * Compares the value that a control has, or a form submits, with the value of the call. Pages write values in upper case, with
 * a mask, with groups of digits or a currency, or in another notation of a date, a time or a number.
 * @param before - values before the call. If the page has restored one of them, it is not accepted as an extension of `wanted`
 */
export function outcomeOfText(
  control: Element,
  actual: string,
  wanted: string,
  before: readonly string[] = [],
): ValueOutcome {
  if (actual === wanted) return 'kept';
  if (isLong(actual) || isLong(wanted)) return isSameText(actual, wanted) ? 'rewritten' : 'lost';
  return isRewritten(control, itemsOf(actual), itemsOf(wanted), isAnyOf(before, actual)) ? 'rewritten' : 'lost';
}

const isLong = ({ length }: string): boolean => length > maxLength;

/** Whether a string is one of the values before a call. */
export const isAnyOf = (before: readonly string[], text: string): boolean =>
  text !== '' && before.some((old) => isSameText(text, old));

function isRewritten(control: Element, actual: string, wanted: string, isOld: boolean): boolean {
  const type = domTree.localName(control) === 'input' ? inputType(control) : '';
  if (/^(?:number|range)$/.test(type)) return isSameNumber(actual, wanted);
  const [shown, given] = [plainOf(actual), plainOf(wanted)];
  if (given.trim() === '') return lettersOf(actual) === ''; // an empty mask has only punctuation
  return (
    (shown.length + given.length > maxNotation
      ? undefined
      : (isSameAmount(shown, given) ?? isSameMoment(shown, given, languageOf(control)))) ??
    (isSameText(actual, wanted) ||
      (/%|xn--/i.test(actual + wanted) && isSameText(hrefOf(actual), hrefOf(wanted))) ||
      isSameNumber(shown, given) ||
      isMasked(shown, given, type === 'tel') ||
      (!isOld && isExtended(actual, wanted)))
  );
}

/** The items of a list as widgets submit it: `red,blue` for `[{"value":"red"},{"value":"blue"}]`. */
const itemsOf = (text: string): string => text.match(/(?<="value":\s*")(?:[^"\\]|\\.)*/g)?.join() ?? text;

/** A string parsed as a URL and serialized: percent-encoded, with an ASCII domain name. Unchanged if it is not a URL. */
const hrefOf = (text: string): string => parseUrl(text.includes('@') ? `//${text}` : text, 'http://a')?.href ?? text;

const languageOf = (control: Element): string | undefined => {
  const element = closest(control, '[lang]');
  return (element && domTree.attribute(element, 'lang')) || undefined;
};

/**
 * The words of a string without markup, accents and case. Punctuation becomes a space, except some symbols, minus signs of
 * numbers, and separators between digits. White space around these separators has no effect.
 */
const wordsOf = (text: string, umlaut?: string): string =>
  plainOf(
    text
      .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
      .replaceAll('&amp;', '&')
      .replace(/&#?\w+;/g, ' ')
      .replace(/^\s*(?:https?:\/\/|[#@])/i, '')
      .replaceAll('&', ' and '),
    umlaut,
  ).replace(/(?<=\d)\s*([-/:.,])\s*(?=\d)|(?<!\S)(-)(?=\d)|[^\p{L}\p{N}\p{M}+#<>@=*%^~|]/gu, '$1$2 ');

const lettersOf = (text: string, umlaut?: string): string => wordsOf(text, umlaut).replaceAll(' ', '');

/** Whether two strings differ only in white space, case, punctuation without meaning, accents or markup. */
function isSameText(a: string, b: string): boolean {
  if (isLong(a) || isLong(b)) return a.trim() === b.trim();
  if (lettersOf(a) === '') return a.trim() === b.trim();
  return ['', 'e'].some((umlaut) => lettersOf(a, umlaut) === lettersOf(b, umlaut));
}

/** A telephone number, or at least three groups of letters or digits: two groups may be a range or a fraction. */
const separated = /^\s*(?:(?:[+(]|0\d)[\d\s()./-]{4,}|[\dA-Z]+(?:[-/.][\dA-Z]+)+[-/][\dA-Z]+\s*)$/;
const international = /^\s*\(?(?:\+|00)/;

/** Whether two strings differ in the separators of a mask, or in the prefix of a telephone number or an identifier. */
function isMasked(actual: string, wanted: string, isTelephone: boolean): boolean {
  const [a, b] = [actual, wanted].map((text) => lettersOf(text).replace(/[-+/:.]+/g, '')) as [string, string];
  if (
    isTelephone ||
    (b === wanted.trim() && b.length > 3) ||
    (b.length >= minContainedDigits && separated.test(wanted))
  ) {
    if (a === b || a.replace(/^[A-Z]{2}(?=\d{7})/, '') === b) return true;
  }
  return (
    /^\d+$/.test(a + b) &&
    (((isTelephone || international.test(actual)) && isPrefixed(a, b)) ||
      (international.test(wanted) && isPrefixed(b, a)))
  );
}

/** Whether two telephone numbers differ only in a country or area code: `+49301234567` is `0301234567`. */
function isPrefixed(long: string, short: string): boolean {
  const [text, digits] = [long, short].map((each) => each.replace(/^0+/, '')) as [string, string];
  return digits.length >= minContainedDigits && text.endsWith(digits) && text.length - digits.length <= maxPrefix;
}

/**
 * Whether a string extends another one: it is markup or JSON that has all words of the other, or it contains the other
 * string and adds no letters. A long string of several words may also grow to twice its length.
 */
function isExtended(actual: string, wanted: string): boolean {
  const [a, b] = [actual, wanted].map((text) => ` ${wordsOf(text)} `.replace(/ +/g, ' ')) as [string, string];
  if (!/\p{L}{4}/u.test(b)) return false;
  if ((isMarkup(actual + wanted) || /^\s*[[{]/.test(actual)) && hasWordsOf(actual, wanted)) return true;
  if (!a.includes(b)) return false;
  return (
    !/\p{L}/u.test(a.replace(b, ' ')) || (b.length >= minLongText && / .* /.test(b.trim()) && b.length * 2 >= a.length)
  );
}
