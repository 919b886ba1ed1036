import type { ControlDescription, FormDescription, LabelText, TextSource } from '../description.js';
import { groupBy } from '../group-by.js';
import { collapseWhitespace } from '../html/text.js';

/** What a person perceives of some words, white space collapsed. */
export const visibleText = ({ visible, text }: LabelText): string => visible ?? collapseWhitespace(text);

const from = (words: readonly LabelText[], source: TextSource): readonly LabelText[] =>
  words.filter((each) => each.source === source && visibleText(each));

/** The words of the first source that has any. */
function first(words: readonly LabelText[], sources: readonly TextSource[]): readonly LabelText[] {
  for (const source of sources) {
    const found = from(words, source);
    if (found.length > 0) return found;
  }
  return [];
}

const naming = ['label', 'legend', 'aria-label', 'aria-labelledby', 'text', 'title', 'placeholder'] as const;

/** What a control is called on the page, without its annotation. */
export const namingText = (words: readonly LabelText[]): string => first(words, naming).map(visibleText).join(' ');

export const annotationText = (words: readonly LabelText[]): string =>
  from(words, 'toolparamdescription').map(visibleText).join(' ');

/** The words that name a control or a group, then those that describe it further. */
export const rankTexts = (words: readonly LabelText[]): readonly LabelText[] => [
  ...first(words, ['toolparamdescription', ...naming]),
  ...first(words, ['aria-description', 'aria-describedby']),
];

/** The words of a control; the title of one with a pattern says what the pattern is. */
export function controlTexts({ words, attributes }: ControlDescription): readonly LabelText[] {
  const told = rankTexts(words);
  if (attributes.pattern === undefined) return told;
  return [...told, ...from(words, 'title').filter((each) => !told.includes(each))];
}

/** The words of one source make one text; each source makes a sentence. */
export const joinTexts = (words: readonly LabelText[]): string =>
  joinSentences([...groupBy(words, ({ source }) => source).values()].map((same) => same.map(visibleText).join(' ')));

/** The words of the nearest group around all controls that says anything. */
export function groupTexts(form: FormDescription, controls: readonly ControlDescription[]): readonly LabelText[] {
  const [{ groups } = { groups: [] }, ...others] = controls;
  const shared = groups.filter((group) => others.every((other) => other.groups.includes(group)));
  for (const index of shared) {
    const words = rankTexts(form.groups[index]?.words ?? []);
    if (words.length > 0) return words;
  }
  return [];
}

/** Joins the distinct texts to sentences: each but the last ends with a mark. */
export const joinSentences = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .filter(Boolean)
    .map((text, index, all) => (index < all.length - 1 && !/[.!?:;…。！？：；]$/.test(text) ? `${text}.` : text))
    .join(' ');
