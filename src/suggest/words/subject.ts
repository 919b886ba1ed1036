import { bareNoun, isNounPhrase, withoutOwner } from './noun-phrase.js';

const dateParts: ReadonlySet<string> = new Set(['day', 'month', 'year']);
const rangeEnds = '(?:start|end|from|to|begin|until|min|max|minimum|maximum)';

/** One noun for all fields: of `day, month and year`, `date`. Empty if they have nothing in common. */
export function commonNoun(nouns: readonly string[]): string {
  const isDate = nouns.filter((noun) => dateParts.has(noun)).length > 1;
  const all = isDate ? [...nouns.filter((noun) => !dateParts.has(noun)), 'date'] : nouns;
  const [first = '', second = ''] = all;
  if (all.length > 2 || all.includes('')) return '';
  if (all.length < 2) return first;
  const range = rangeNoun(first);
  return range !== '' && range === rangeNoun(second) ? `${range}s` : `${first} and ${second}`;
}

/** Of `start date`, `appointment date end` and the like, the noun without the end of the range. */
function rangeNoun(noun: string): string {
  const bare = noun.replace(new RegExp(`^${rangeEnds} | ${rangeEnds}$`), '');
  return bare === noun ? '' : bare;
}

/** The object of a verb with or without a preposition, such as `to the list`; undefined unless it is surely a noun phrase. */
export function sureObject(object: string): string | undefined {
  const noun = bareNoun(
    object.replace(/^(?:to|for|from|in|on|with) /i, '').replace(/^(?:this|these|that|all|selected) /i, ''),
  );
  return isNounPhrase(withoutOwner(noun).replace(/^the /, '')) ? object : undefined;
}
