import type { ControlDescription, FormDescription, LabelText, TextSource } from '../description.js';
import { groupBy } from '../../group-by.js';
import { collapseWhitespace, stripEnd } from '../html/text.js';

/**
 * The sources of a name, in the order of https://www.w3.org/TR/accname-1.2/#comp_name_from_attribute, with `form-label`
 * and `nearby` before `title` and `placeholder`.
 */
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

/** The visible text, without the colon or asterisk at the end of a label. */
export function visibleText({ source, visible, text }: LabelText): string {
  const shown = visible ?? collapsed(text);
  return namingSources.has(source) || source === 'section' ? stripEnd(shown, /[\s:*：＊]/) : shown;
}

/** Caches the last string, because many controls may refer to one long string. */
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

/** The strings of the first source with a name, then those of the first source with a description. */
const rankTexts = (texts: readonly LabelText[]): readonly LabelText[] => [
  ...firstSource(texts, ['toolparamdescription', ...naming]),
  ...firstSource(texts, ['aria-description', 'aria-describedby']),
];

/**
 * The ranked labels and descriptions of a control. Without an annotation, its section comes first. With a pattern, the
 * title is included.
 */
export function controlTexts({ words, attributes }: ControlDescription): readonly LabelText[] {
  const section = annotationText(words) === '' ? fromSource(words, 'section') : [];
  const ranked = [...section, ...rankTexts(words)];
  if (attributes.pattern === undefined) return ranked;
  return [...ranked, ...fromSource(words, 'title').filter((each) => !ranked.includes(each))];
}

/**
 * The question of the controls, else the ranked labels of the nearest labeled group around all of them, else their
 * common label.
 */
export function groupTexts(form: FormDescription, controls: readonly ControlDescription[]): readonly LabelText[] {
  const question = fromSource(controls[0]?.words ?? [], 'question');
  if (question.length > 0) return question;
  const [nearest = [], ...others] = new Set(controls.map(({ groups }) => groups)); // siblings share a list
  const shared = others.reduce((common, groups) => common.filter((group) => groups.includes(group)), nearest);
  for (const index of shared) {
    const texts = rankTexts(form.groups[index]?.words ?? []);
    if (texts.length > 0) return texts;
  }
  // Controls with the same label are copies of one control, such as for small windows.
  const [name, ...otherNames] = new Set(controls.map(({ words }) => namingText(words)));
  return name && otherNames.length === 0 ? firstSource(controls[0]?.words ?? [], naming) : [];
}

export const joinTexts = (texts: readonly LabelText[]): string =>
  joinSentences([...groupBy(texts, ({ source }) => source)].map(([source, each]) => joinVisible(each) + endOf(source)));

/** As in `Billing address: Street`. */
const endOf = (source: TextSource): string => (source === 'section' ? ':' : '');

/** Joins distinct sentences, and ends each but the last with a punctuation mark. */
export const joinSentences = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .filter(Boolean)
    .map((text, index, all) => (index < all.length - 1 && !/[.!?:;…。！？：；]$/.test(text) ? `${text}.` : text))
    .join(' ');
