import { nameWords } from './names.js';
import { withoutOwner } from './noun-phrase.js';
import { isVerb, thirdPerson, verbs, withArticle } from './verbs.js';

/** A short English text of a page, such as `Create a new project`. */
export interface Phrase {
  /** Absent if the text does not begin with a verb. */
  readonly verb?: string;
  /** The words after the verb, or the whole text; empty for `Register`. */
  readonly object: string;
  readonly isQuestion: boolean;
  /** Whether the text addresses somebody, so that it can only be quoted. */
  readonly isSpeech: boolean;
}

const phrasal: ReadonlySet<string> = new Set(
  'sign up,sign in,sign out,log in,log out,log on,set up,fill in,fill out,check out,check in,back up,opt in,opt out,look up,get in touch,try out,turn on,turn off,roll back,hand in,send out'.split(
    ',',
  ),
);
const trailing = /[\s,]*\b(?:now|today|here|please|for free|free|below|!)+$/i;
const leading =
  /^(?:please|click(?: here)? to|click|yes,?|no,?|let['’]?s|i want to|i would like to|just|step \d+(?: of \d+)?:?|\d+[.)]|quick(?:ly)?)\s+/i;
const speech =
  /\b(?:us|we|we['’]re|you|me|i|i['’]m|don['’]t|didn['’]t|can['’]t|welcome|hello|hi|thanks|thank|oops|hey)\b|[!…]|\.\s/i;

/** Splits a string, in sentence case, into its verb and its object. */
export function readPhrase(raw: string, isButton: boolean): Phrase {
  const isQuestion = /\?$/.test(raw);
  const text = sentenceCase(
    raw
      .replace(leading, '')
      .replace(/[.!]+$/, '')
      .replace(trailing, '')
      .replace(/\s*\([^()]*\)$/, '') || raw,
  );
  const [first = '', second, ...rest] = text.split(' ');
  const isSpeech = speech.test(raw.replace(/^contact us$/i, '').replace(/[.!…]+$/, ''));
  const head = first.toLowerCase();
  if (!isQuestion && second !== undefined && phrasal.has(`${head} ${second.toLowerCase()}`))
    return { verb: `${head} ${second.toLowerCase()}`, object: rest.join(' '), isQuestion, isSpeech };
  if (!isQuestion && isVerb(head, second?.toLowerCase(), isButton))
    return {
      verb: head,
      object: [second, ...rest]
        .filter(Boolean)
        .join(' ')
        .replace(/\s*\b(?:by|for|to|with|of|from)$/, ''),
      isQuestion,
      isSpeech,
    };
  return { object: text, isQuestion, isSpeech };
}

/** Converts to lower case, except names and abbreviations: `Create Project` to `create project`. */
export function sentenceCase(text: string): string {
  const words = text.split(' ');
  const long = words.filter((word) => /^\p{L}{4,}/u.test(word));
  const isTitle = long.length > 1 ? long.every((word) => /^\p{Lu}/u.test(word)) : words.length < 4;
  const isUpper = /\p{Lu}/u.test(text) && text === text.toUpperCase();
  return words
    .map((word, index) => {
      if (isUpper && text.length > 4) return word.toLowerCase();
      if (/^\P{Ll}*\p{Lu}\P{Ll}*\p{Lu}/u.test(word) || /\p{Ll}\p{Lu}/u.test(word)) return word;
      if (/^I$|^I['’]/.test(word)) return word;
      if (index === 0 && !isTitle && /^\p{Lu}/u.test(words[1] ?? '') && !verbs.has(word.toLowerCase())) return word;
      return index === 0 || isTitle ? word.toLowerCase() : word;
    })
    .join(' ');
}

/** A sentence from a verb and its object: `Creates a project`. */
export function sentenceOf(verb: string, object: string): string {
  const [main = '', ...particles] = verb.split(' ');
  const what = object === '' ? '' : ` ${withArticle(main, withoutOwner(object))}`;
  return `${thirdPerson(main)}${particles.map((word) => ` ${word}`).join('')}${what}`;
}

/** The words of a phrase for a name. */
export const phraseWords = ({ verb, object }: Phrase): readonly string[] => [
  ...(verb === undefined ? [] : verb.split(' ')),
  ...nameWords(object),
];
