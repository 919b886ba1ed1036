import { nameSet } from '../compiler/html/elements.js';
import { collapseWhitespace } from '../compiler/html/text.js';

/** Function words in English, German, French, Spanish, Italian, Dutch and Portuguese. */
const functionWords = nameSet(
  'a about after all also an and any are as at be been before but by can do does each for from get gets give given had ' +
    'has have her his how if in into is it its may more most must new no not of off on once one only or other our out ' +
    'over own per set sets she should so some such than that the their them then there these they this those to up use ' +
    'uses using via was were what when where which who will with within without would you your ' +
    'aber alle als am an auch auf aus bei bis da das dass dem den der des die dies diese dieser durch ein eine einem einen ' +
    'einer eines er es für hat ich ihr im in ist kann mit nach nicht noch nur oder ohne sich sie sind so über um und uns ' +
    'von vor war was wenn wer wie wird wo zu zum zur ' +
    'au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur ou où par pas plus pour qu que qui sa ' +
    'se ses son sont sur un une vos votre vous ' +
    'al como con del el ella en es esta este esto la las lo los más no para pero por que se sin su sus un una uno y ' +
    'alla che da dal dei della di ed gli ha il lo nel non per più sono ' +
    'aan als bij dat de een en het hij ik is met naar niet of om op te van voor wordt ' +
    'ao com da das do dos em na nas no nos os ou pela pelo uma',
);

/** The words of a string in lower case; camel case is split. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const contentWords = (text: string): readonly string[] =>
  wordsOf(text).filter((word) => word.length > 1 && !functionWords.has(word));

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export const isUnspaced = (text: string): boolean => unspaced.test(text);

/** The distinct first four letters of the content words with at least four letters. */
export const stemsOf = (text: string): readonly string[] => [
  ...new Set(contentWords(text).flatMap((word) => (word.length > 3 ? word.slice(0, 4) : []))),
];

/** The minimum number of stems for comparing a description with its page. */
export const minComparedStems = 3;

/** The first four letters of a word, without a plural ending. Most inflected forms of a word share them. */
const stem = (word: string): string => word.slice(0, 4).replace(/(?<=..)e?s$/, '');

export interface Vocabulary {
  /** All sequences of four letters in words, to find parts of compounds. */
  readonly quads: ReadonlySet<string>;
  readonly functionWords: ReadonlySet<string>;
}

export function vocabularyOf(text: string): Vocabulary {
  const quads = new Set<string>();
  const found = new Set<string>();
  for (const word of new Set(wordsOf(text.slice(0, 5_000_000)))) {
    if (functionWords.has(word)) found.add(word);
    for (let at = 0; at + 4 <= Math.min(word.length, 60); at++) quads.add(word.slice(at, at + 4));
  }
  return { quads, functionWords: found };
}

/** Whether a string contains a function word of the vocabulary, and is therefore probably in its language. */
export const sharesLanguage = (text: string, { functionWords: known }: Vocabulary): boolean =>
  wordsOf(text).some((word) => known.has(word));

const maxLabelLength = 60;
const placeholder = 'to ?do|tbd|fixme|x{3,}|asdf.*|lorem ipsum.*|n ?a';
const placeholderDescription = new RegExp(
  `^(?:${placeholder}|test|(?:(?:a|the|this|my|our|web|html) )*(?:tool|form|page|function|action|description|tool ?description|submit(?: (?:the )?form)?|formular|formulaire|formulario))$`,
);
const placeholderLabel = new RegExp(
  `^(?:${placeholder}|(?:(?:a|an|the|your|enter|type|please|select|choose|pick|one) )*(?:value|input|field|text|data|label|parameter|param|placeholder|option|options|select|choose|something|here)|(?:input|field|parameter|param|label|option) ?\\d+)$`,
);

/** Whether a label or a parameter description would fit any parameter. */
export function isPlaceholderLabel(text: string): boolean {
  if (text.length > maxLabelLength) return false;
  const words = withoutPunctuation(text);
  return words === '' || placeholderLabel.test(words);
}

/** Whether a tool description would fit any tool. */
export const isPlaceholderDescription = (text: string): boolean =>
  placeholderDescription.test(withoutPunctuation(text.slice(0, 1000)));

const withoutPunctuation = (text: string): string =>
  collapseWhitespace(text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' '));

/** Whether the name contains the stem of every content word of a description. */
export function repeats(name: string, description: string): boolean {
  const known = new Set(contentWords(name).map(stem));
  return contentWords(description).every((word) => known.has(stem(word)));
}

/** The maximum lengths in characters that Chrome recommends for tools. https://developer.chrome.com/docs/ai/webmcp */
export const budgets = { name: 30, description: 500, parameter: 150 } as const;
