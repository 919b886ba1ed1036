import type { ControlDescription, FormDescription, LabelText, TextSource } from '../description.js';
import { groupBy } from '../../group-by.js';
import { collapseWhitespace, stripEnd } from '../html/text.js';

/** In the order of https://www.w3.org/TR/accname-1.2/#comp_name_from_attribute, then what a person reads as the name. */
const naming = [
  'aria-labelledby',
  'aria-label',
  'label',
  'form-label',
  'legend',
  'text',
  'nearby',
  'title',
  'placeholder',
] as const;
const namingSources: ReadonlySet<string> = new Set(naming);

/** The visible text. The colon and the asterisk at the end of a label are not part of the name. */
export function visibleText({ source, visible, text }: LabelText): string {
  const shown = visible ?? collapsed(text);
  return namingSources.has(source) || source === 'section' ? stripEnd(shown, /[\s:*：＊]/) : shown;
}

/** Many controls may refer to one long text. */
let last = { text: '', shown: '' };

function collapsed(text: string): string {
  if (text !== last.text) last = { text, shown: collapseWhitespace(text) };
  return last.shown;
}

const fromSource = (texts: readonly LabelText[], source: TextSource): readonly LabelText[] =>
  texts.filter((each) => each.source === source && visibleText(each));

function firstSource(texts: readonly LabelText[], sources: readonly TextSource[]): readonly LabelText[] {
  if (texts.length === 0) return texts;
  for (const source of sources) {
    const found = fromSource(texts, source);
    if (found.length > 0) return found;
  }
  return [];
}

const joinVisible = (texts: readonly LabelText[]): string => texts.map(visibleText).join(' ');

/** The control's name on the page, excluding its annotation. */
export const namingText = (texts: readonly LabelText[]): string => joinVisible(firstSource(texts, naming));

export const annotationText = (texts: readonly LabelText[]): string =>
  joinVisible(fromSource(texts, 'toolparamdescription'));

/** The first source that has a name, then the first source that has a description. */
const rankTexts = (texts: readonly LabelText[]): readonly LabelText[] => [
  ...firstSource(texts, ['toolparamdescription', ...naming]),
  ...firstSource(texts, ['aria-description', 'aria-describedby']),
];

/** The ranked labels and descriptions of a control, after its section. If it has a pattern, they include the title. */
export function controlTexts({ words, attributes }: ControlDescription): readonly LabelText[] {
  const section = annotationText(words) === '' ? fromSource(words, 'section') : [];
  const ranked = [...section, ...rankTexts(words)];
  if (attributes.pattern === undefined) return ranked;
  return [...ranked, ...fromSource(words, 'title').filter((each) => !ranked.includes(each))];
}

/** The ranked labels of the nearest labeled group that contains all controls. */
export function groupTexts(form: FormDescription, controls: readonly ControlDescription[]): readonly LabelText[] {
  const question = fromSource(controls[0]?.words ?? [], 'question');
  if (question.length > 0) return question;
  const [nearest = [], ...others] = new Set(controls.map(({ groups }) => groups)); // siblings share a list
  const shared = others.reduce((common, groups) => common.filter((group) => groups.includes(group)), nearest);
  for (const index of shared) {
    const texts = rankTexts(form.groups[index]?.words ?? []);
    if (texts.length > 0) return texts;
  }
  // Copies of one control, such as for small windows, have one label.
  const [name, ...otherNames] = new Set(controls.map(({ words }) => namingText(words)));
  return name && otherNames.length === 0 ? firstSource(controls[0]?.words ?? [], naming) : [];
}

export const joinTexts = (texts: readonly LabelText[]): string =>
  joinSentences([...groupBy(texts, ({ source }) => source)].map(([source, each]) => joinVisible(each) + endOf(source)));

/** `Billing address: Street` */
const endOf = (source: TextSource): string => (source === 'section' ? ':' : '');

/** Joins distinct sentences, and ends each but the last with a punctuation mark. */
export const joinSentences = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .filter(Boolean)
    .map((text, index, all) => (index < all.length - 1 && !/[.!?:;…。！？：；]$/.test(text) ? `${text}.` : text))
    .join(' ');
