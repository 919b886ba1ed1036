import type { ControlDescription, FormDescription, Words, WordsSource } from '../description.js';
import { groupBy } from '../group-by.js';
import { collapse } from '../html/text.js';

/** What a person perceives of some words, white space collapsed. */
export const perceived = ({ visible, text }: Words): string => visible ?? collapse(text);

const from = (words: readonly Words[], source: WordsSource): readonly Words[] =>
  words.filter((each) => each.source === source && perceived(each));

/** The words of the first source that has any. */
function first(words: readonly Words[], sources: readonly WordsSource[]): readonly Words[] {
  for (const source of sources) {
    const found = from(words, source);
    if (found.length > 0) return found;
  }
  return [];
}

const naming = ['label', 'legend', 'aria-label', 'aria-labelledby', 'text', 'title', 'placeholder'] as const;

/** What a control is called on the page, without its annotation. */
export const ownText = (words: readonly Words[]): string => first(words, naming).map(perceived).join(' ');

export const annotatedText = (words: readonly Words[]): string =>
  from(words, 'toolparamdescription').map(perceived).join(' ');

/** The words that name a control or a group, then those that describe it further. */
export const telling = (words: readonly Words[]): readonly Words[] => [
  ...first(words, ['toolparamdescription', ...naming]),
  ...first(words, ['aria-description', 'aria-describedby']),
];

/** The words of a control; the title of one with a pattern says what the pattern is. */
export function controlWords({ words, attributes }: ControlDescription): readonly Words[] {
  const told = telling(words);
  if (attributes.pattern === undefined) return told;
  return [...told, ...from(words, 'title').filter((each) => !told.includes(each))];
}

/** The words of one source make one text; each source makes a sentence. */
export const spoken = (words: readonly Words[]): string =>
  sentences([...groupBy(words, ({ source }) => source).values()].map((same) => same.map(perceived).join(' ')));

/** The words of the nearest group around all controls that says anything. */
export function groupWords(form: FormDescription, controls: readonly ControlDescription[]): readonly Words[] {
  const [{ groups } = { groups: [] }, ...others] = controls;
  const shared = groups.filter((group) => others.every((other) => other.groups.includes(group)));
  for (const index of shared) {
    const words = telling(form.groups[index]?.words ?? []);
    if (words.length > 0) return words;
  }
  return [];
}

/** Joins the distinct texts to sentences: each but the last ends with a mark. */
export const sentences = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .filter(Boolean)
    .map((text, index, all) => (index < all.length - 1 && !/[.!?:;…。！？：；]$/.test(text) ? `${text}.` : text))
    .join(' ');
