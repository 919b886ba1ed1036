import { collapseWhitespace, stripEnds } from '../../html/text.js';

/**
 * The place of a string that a person reads as the label of a control: the cell beside it, the head of its column, a `dt`, a label
 * element of no control, the text beside or above it, the heading of a section with this control only, the name that a label
 * has in place of an ID, the content of the control or of the only button, or the word for the picture of a search.
 */
export type NearbyOrigin =
  | 'cell'
  | 'column'
  | 'term'
  | 'label'
  | 'text'
  | 'heading'
  | 'name'
  | 'option'
  | 'value'
  | 'button'
  | 'search';

export interface NearbyLabel {
  readonly text: string;
  readonly origin: NearbyOrigin;
}

export const hasLetters = (text: string): boolean => /\p{L}/u.test(text);
/** Punctuation, or a word between two fields. */
export const isSeparator = (text: string): boolean => !hasLetters(text) || between.test(text.slice(0, maxHintLength));
/** A range has a lowercase `to`. A label with a capital `To` is that of another field. */
const between = /^\P{L}*(?:and|or|OR|und|oder|et|ou|[yoeи]|или|to|bis|à|al?|hasta|até|до|по)\P{L}*$/u;
const maxHintLength = 500;
/** A longer text is not a label, even if most of it is white space. */
const maxRead = 5000;
/** Words before an example of a value. */
export const exampleWords =
  /^(?:e\.?\s?g|for example|ex\s?[.:]|p\.\s?ex|z\.\s?b|f\.\s?eks|ej|np|например|例)(?!\p{L})/iu;
/** Marks of required fields, and remarks in parentheses or about examples. */
export const isHint = (text: string): boolean => {
  const trimmed = text.trim().slice(0, maxHintLength);
  return isSeparator(trimmed) || /^[([（].*[)\]）]\W*$/su.test(trimmed) || exampleWords.test(trimmed);
};

export const isSentence = (text: string): boolean =>
  /[.!。！…]$/u.test(text) && (text.length > 40 || text.split(' ').length > 5);

/** The maximum length of the label of a field, in characters. A longer text is not one. */
export const maxLength = 100;
/** Texts that say nothing about the value of a field, or only whether one is required. They may be the labels of choices. */
export const generic =
  /^(?:(?:please |bitte )?(?:select|choose|(?:aus)?w[aä]hlen|choisi\S*|s?elija|seleccion\S*|выберите)(?: one| an? option| please)?|all|any|todos|todas|tous|alle|ok|go!?|submit|(?:ab)?send(?:en)?|\P{L}*(?:option(?:al|nel|eel)|facultati\p{L}+|opcional|freiwillig|необязательно|اختیاری|任意|可选|选填|required|mandatory|ob(?:r|bl?|l)iga\p{L}+|pflichtfeld(?:er)?|verplicht|必須|必填)(?: fields?)?\P{L}*)$/iu;

/** The label in a string, unless it is too long, a hint, or a sentence above a control. */
export function labelOf(raw: string, origin: NearbyOrigin, limit: number, isProse = false): NearbyLabel | undefined {
  if (raw.length > maxRead) return undefined;
  const text = stripEnds(collapseWhitespace(raw), /[\s:*：＊•·»«>|/\\\-–—→]/);
  if (
    !/\p{L}{2}|\p{Lo}/u.test(text) ||
    text.length > limit ||
    isHint(text) ||
    (limit <= maxLength && generic.test(text))
  )
    return undefined;
  return isProse && origin === 'text' && isSentence(text) ? undefined : { text, origin };
}
