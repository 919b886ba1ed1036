import { collapseWhitespace, stripEnds } from '../../html/text.js';

/**
 * The place of a string that a person reads as the label of a control. `cell`: the cell beside it; `column`: the head
 * of its column; `term`: a `dt`; `label`: a label element without a control; `text`: the text beside or above it;
 * `heading`: the heading of a section with this control only; `name`: a label whose `for` is the name of the control;
 * `option` or `value`: a prompt in the control; `button`: the only button of a search; `search`: no place, because the
 * label is the default for search fields.
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
/** Whether a string is punctuation, or a word between two fields. */
export const isSeparator = (text: string): boolean => !hasLetters(text) || between.test(text.slice(0, maxHintLength));
/** Words between two fields. Only a lowercase `to` is in a range: a capital `To` is the label of a field. */
const between = /^\P{L}*(?:and|or|OR|und|oder|et|ou|[yoeи]|или|to|bis|à|al?|hasta|até|до|по)\P{L}*$/u;
const maxHintLength = 500;
/** A longer text is not a label, even if most of it is white space. */
const maxRead = 5000;
/** Words before an example of a value. */
export const exampleWords =
  /^(?:e\.?\s?g|for example|ex\s?[.:]|p\.\s?ex|z\.\s?b|f\.\s?eks|ej|np|например|例)(?!\p{L})/iu;
/** Whether a string is a separator, a mark of a required field, or a remark in parentheses or about examples. */
export const isHint = (text: string): boolean => {
  const trimmed = text.trim().slice(0, maxHintLength);
  return isSeparator(trimmed) || /^[([（].*[)\]）]\W*$/su.test(trimmed) || exampleWords.test(trimmed);
};

export const isSentence = (text: string): boolean =>
  /[.!。！…]$/u.test(text) && (text.length > 40 || text.split(' ').length > 5);

/** The maximum length of the label of a field, in characters. A longer text is not a label. */
export const maxLength = 100;
/**
 * Strings that do not describe the value of a field, or only state whether it is required. They may be the labels of
 * choices.
 */
export const generic =
  /^(?:(?:please |bitte )?(?:select|choose|(?:aus)?w[aä]hlen|choisi\S*|s?elija|seleccion\S*|выберите)(?: one| an? option| please)?|all|any|todos|todas|tous|alle|ok|go!?|submit|(?:ab)?send(?:en)?|\P{L}*(?:option(?:al|nel|eel)|facultati\p{L}+|opcional|freiwillig|необязательно|اختیاری|任意|可选|选填|required|mandatory|ob(?:r|bl?|l)iga\p{L}+|pflichtfeld(?:er)?|verplicht|必須|必填)(?: fields?)?\P{L}*)$/iu;

/** The label in a string; undefined if it is too long, a hint, generic or, with `isProse` and the origin `text`, a sentence. */
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
