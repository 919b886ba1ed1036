const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that tell nothing of what a text is about, of the languages in which the rules know words. */
const functionWords = list(
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
/** A text's words in lower case; names are taken apart. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** The words that tell what a text is about. */
export const contentWords = (text: string): readonly string[] =>
  wordsOf(text).filter((word) => word.length > 1 && !functionWords.has(word));

/** Letters of scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
export const isUnspaced = (text: string): boolean => unspaced.test(text);

/** The beginnings of the words of four letters and more that are no function words, each once. */
export const stems = (text: string): readonly string[] => [
  ...new Set(
    contentWords(text)
      .filter((word) => word.length > 3)
      .map((word) => word.slice(0, 4)),
  ),
];

/** What a text has for comparisons. */
export interface SeenWords {
  /** Every four letters in a row of its words, so that parts of compounds count. */
  readonly quads: ReadonlySet<string>;
  /** The function words that it says: they tell its language. */
  readonly functionWords: ReadonlySet<string>;
}

export function seenWords(text: string): SeenWords {
  const quads = new Set<string>();
  const said = new Set<string>();
  for (const word of new Set(wordsOf(text.slice(0, 5_000_000)))) {
    if (functionWords.has(word)) said.add(word);
    for (let at = 0; at + 4 <= Math.min(word.length, 60); at++) quads.add(word.slice(at, at + 4));
  }
  return { quads, functionWords: said };
}

/** Whether a text seems to be of the language of another: they share a word that tells nothing else. */
export const isOfLanguage = (text: string, { functionWords: said }: SeenWords): boolean =>
  wordsOf(text).some((word) => said.has(word));
