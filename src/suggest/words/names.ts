import { nameSet } from '../../compiler/html/elements.js';
import { toolNamePattern } from '../../tool-name.js';
import { budgets } from '../../wording/words.js';
import { afterHead } from './verbs.js';

/** Words that a name does not need. */
const fillers = nameSet(
  'a an the your my our this that these those please now here just us we you i me it its is are was were be been do does did have has had s re ll t d ve would could will can should today free some any',
);

const letters: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ŋ: 'ng' }),
);

/** Removes accents from Latin letters, converts umlauts to two letters, and removes letters of other scripts. */
const toAscii = (text: string): string =>
  /^[\w ]*$/.test(text)
    ? text.toLowerCase()
    : text
        .toLowerCase()
        .normalize('NFC')
        .replace(/[äöü]/g, (letter) => `${letter.normalize('NFD').charAt(0)}e`)
        .normalize('NFD')
        .replace(/\p{M}+/gu, '')
        .replace(/[ßæœøłđðþıŋ]/g, (letter) => letters.get(letter) ?? '')
        .replace(/['’]/g, '');

/** The words of a string that can be in a name. */
export const nameWords = (text: string): readonly string[] =>
  (toAscii(text).match(/[a-z0-9]+/g) ?? []).filter((word) => !fillers.has(word));

const dangling = /(?:_(?:and|or|to|for|with|in|on|of|at|by|from|about|before))+$/;

/**
 * The words of a noun phrase for a name. A phrase that is too long is reduced to its head: `preferred programming language`
 * becomes `programming_language`, and `part of the Housing Act` becomes `part`. Empty if the phrase cannot be shortened.
 */
function nounWords(noun: string, room: number): readonly string[] {
  const all = nameWords(noun);
  const fits = (words: readonly string[]): boolean => words.join('_').length <= room;
  if (fits(all)) return all;
  if (all.includes('and') || all.includes('or')) return [];
  const end = all.findIndex((word, index) => index > 0 && afterHead.has(word));
  const head = end < 0 ? all : all.slice(0, end);
  const start = head.findIndex((_, index) => fits(head.slice(index)));
  return start < 0 ? [] : head.slice(start);
}

const roomAfter = (verb: string): number => budgets.name - verb.length - 1;

/** A name such as `submit_address`, `send_national_insurance_number`, or `submit_form` if the noun does not fit. */
export function verbNoun(verb: string, noun: string): readonly string[] {
  const all = nameWords(noun);
  const { length } = all.join('_');
  const isSent =
    verb === 'submit' && length > roomAfter('submit') && length <= roomAfter('send') && !all.includes('and');
  const words = nounWords(noun, roomAfter(isSent ? 'send' : verb));
  return [...(isSent ? ['send'] : verb.split(' ')), ...(words.length > 0 ? words : ['form'])];
}

/** Joins words to a tool name, truncated after a word. */
export function toName(words: readonly string[], maxLength: number = budgets.name): string {
  let name = '';
  for (const word of new Set(words.flatMap((each) => each.split('_')))) {
    const longer = name === '' ? word : `${name}_${word}`;
    if (longer.length > maxLength) break;
    name = longer;
  }
  const whole = name || (words[0] ?? '').slice(0, maxLength);
  return /(?:^|_)(?:sign|log|check|opt|move|fill|set|clock)_(?:in|on|out|up|off)$/.test(whole)
    ? whole
    : whole.replace(dangling, '');
}

const vagueWords = nameSet(
  'form forms basic horizontal vertical inline example default sample simple element elements layout page section custom modal title card input text button component validation javascript and or to for with in on of at by from',
);

/** The name, or a variant that is not taken: with a noun of the page, or else with a number. */
export function uniqueName(name: string, taken: ReadonlySet<string>, context: () => string): string {
  const isFree = (each: string): boolean => !taken.has(each) && toolNamePattern.test(each);
  if (isFree(name)) return name;
  const telling = nameWords(context()).filter(
    (word) => !name.split('_').includes(word) && !vagueWords.has(word) && !/^\d/.test(word),
  );
  const more = nounWords(telling.join(' '), budgets.name - name.length - 1);
  const longer = toName([name, ...more]);
  if (more.length > 0 && longer !== name && isFree(longer)) return longer;
  const numbered = (count: number): string => `${toName([name], budgets.name - 1 - String(count).length)}_${count}`;
  return numbered(firstFree((count) => isFree(numbered(count))));
}

/** A free number from 2, found in few steps, because a page can have thousands of equal forms with consecutive numbers. */
function firstFree(isFree: (count: number) => boolean): number {
  let high = 2;
  while (!isFree(high)) high *= 2;
  let low = Math.max(1, high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isFree(middle)) high = middle;
    else low = middle;
  }
  return high;
}
