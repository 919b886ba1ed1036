import { nameSet } from '../../compiler/html/elements.js';
import { isVerb, prepositions } from './verbs.js';

/** Verbs, pronouns, interrogatives and adverbs, which occur in sentences, not in noun phrases. */
const ofSentences = nameSet(
  'is are was were be been being am has have had does do did can could will would should may might must shall goes go went ' +
    'accept accepts allow allows i you we us he she they it me them there here now not with without only ' +
    "please who what which when where why how if because than then yes none don't can't cannot",
);
const beforeNouns = nameSet(
  `${prepositions} or and but over under after before until during between up down out off ` +
    'this that these those all any some each every no need needs want wants',
);
const notLast = nameSet(`${prepositions} or and but the a an off up out down`);

/** A verb in the third person with its object: `affects other sections`. */
const verbWithObject = /\p{L}s (?:other|the|an?|all|any|this|that|its|your)\b/iu;

/** Names of elements and placeholders, which do not describe a value. */
const ofMarkup = /^(?:foo|textarea|input|select|combobox|checkbox|placeholder|label)(?: label| text)?$/;

/** Words that are probably verbs if they are the only word. */
const bareVerb = /^(?:search|filter|sort|save|run|use|submit|display)$/;

const maxWords = 6;
const maxLength = 45;

/**
 * Whether an English string is certainly a noun phrase, so that it can follow "the". The test is strict: a string
 * that fails it is quoted instead, which is always correct.
 */
export function isNounPhrase(text: string): boolean {
  const parts = text
    .replace(/’/g, "'")
    .split(' ')
    .map((word) => (/^\p{Lu}{2,}$/u.test(word) ? `${word}-` : word.toLowerCase())); // the US is not the word "us"
  const [first = '', second] = parts;
  const last = parts.at(-1) ?? '';
  return (
    parts.length <= maxWords &&
    text.length <= maxLength &&
    /^[\p{Script=Latin}\d][\p{Script=Latin}\d'’&/ -]*$/u.test(text) &&
    /\p{L}{2}/u.test(last === first ? text : `${first} ${last}`) &&
    !parts.some((word) => ofSentences.has(word)) &&
    !verbWithObject.test(text) &&
    !beforeNouns.has(first) &&
    !notLast.has(last) &&
    !/[^e]ed$|(?<!fami|rep|supp|assemb|ju|ita)ly$/.test(last) &&
    !(second === undefined && bareVerb.test(first)) &&
    !ofMarkup.test(parts.join(' ')) &&
    !isVerb(first, second, false)
  );
}

/** Extracts the noun of a label: `Enter your name (optional):` becomes `name`. */
export const bareNoun = (text: string): string =>
  text
    .replace(/\s*(?:\([^()]*\)|\[[^[\]]*\])/g, '')
    .replace(/^(?:please )?(?:enter|type|choose|select|pick|insert|write)\s+(?!of\b)/i, '')
    .replace(/^add\s+(?=(?:a|an|the|your)\s)/i, '')
    .replace(/,(?= (?:in|per) )/i, '')
    .replace(/^(?:your|my|our|the|an?)\s+/i, '')
    .replace(/\s*[-–—]?\s*(?:optional|required)$/i, '')
    .replace(/[.!…;:*]+$/, '')
    .trim();

/** Replaces possessives: `the account` for `your account`. */
export const withoutOwner = (text: string): string => text.replace(/\b(?:your|my|our)\b/gi, 'the');

const dateParts: ReadonlySet<string> = new Set(['day', 'month', 'year']);
const rangeEnds = '(?:start|end|from|to|begin|until|min|max|minimum|maximum)';

/** A short noun for all fields: `date` for `day, month and year`; empty if more than two nouns remain. */
export function commonNoun(nouns: readonly string[]): string {
  const isDate = nouns.filter((noun) => dateParts.has(noun)).length > 1;
  const all = isDate ? [...nouns.filter((noun) => !dateParts.has(noun)), 'date'] : nouns;
  const [first = '', second = ''] = all;
  if (all.length > 2 || all.includes('')) return '';
  if (all.length < 2) return first;
  const range = rangeNoun(first);
  return range !== '' && range === rangeNoun(second) ? `${range}s` : `${first} and ${second}`;
}

/** The noun of a range without its side: `date` for `start date`. */
function rangeNoun(noun: string): string {
  const bare = noun.replace(new RegExp(`^${rangeEnds} | ${rangeEnds}$`), '');
  return bare === noun ? '' : bare;
}

/** The object of a verb, with or without a preposition (`to the list`); undefined unless it is certainly a noun phrase. */
export function sureObject(object: string): string | undefined {
  const noun = bareNoun(
    object.replace(/^(?:to|for|from|in|on|with) /i, '').replace(/^(?:this|these|that|all|selected) /i, ''),
  );
  return isNounPhrase(withoutOwner(noun).replace(/^the /, '')) ? object : undefined;
}
