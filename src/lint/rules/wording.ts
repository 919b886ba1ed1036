import { collapseWhitespace } from '../../compiler/html/text.js';
import type { ControlDescription } from '../../compiler/index.js';
import { joinTexts } from '../../compiler/parameters/description-text.js';
import { preview } from '../../compiler/preview.js';
import { groupBy } from '../../group-by.js';
import {
  isPlaceholderDescription,
  isPlaceholderLabel,
  isUnspaced,
  minComparedStems,
  repeats,
  sharesLanguage,
  stemsOf,
  vocabularyOf,
  type Vocabulary,
} from '../../wording/words.js';
import { spellings } from '../page/place.js';
import { atDescription, defineRules, type LintedTool } from './rule.js';

export const wordingRules = defineRules({
  'vague-tool-description': {
    level: 'warning',
    summary: 'A tooldescription repeats the name, or is a placeholder.',
    *check({ form, element }) {
      const { name, description } = form.tool;
      const text = collapseWhitespace(description ?? '');
      if (text === '' || (isUnspaced(text) && text.length > 3)) return;
      const isPlaceholder = isPlaceholderDescription(text);
      if (!isPlaceholder && !repeats(name ?? '', text)) return;
      const problem = isPlaceholder ? 'is a placeholder' : 'repeats the name';
      const message = `The tooldescription ${problem}. Describe what the tool does, with which input, and when to use it.`;
      yield { message, element, attributes: spellings('tooldescription') };
    },
  },
  'equal-parameter-descriptions': {
    level: 'warning',
    summary: 'Two parameters of a tool have the same description.',
    *check(tool) {
      const alike = groupBy(tool.parameters, ({ words }) => joinTexts(words) || undefined);
      for (const [first, other] of alike.values()) {
        if (!other) continue;
        const message = `The parameter has the same description as ${preview(first.name)}. Put them under different legends or headings, or add a toolparamdescription.`;
        yield { message, ...atDescription(tool, other) };
      }
    },
  },
  'vague-parameter-description': {
    level: 'warning',
    summary: 'The description of a parameter is a placeholder.',
    *check(tool) {
      for (const parameter of tool.parameters) {
        const text = joinTexts(parameter.words);
        if (text === '' || !isPlaceholderLabel(text)) continue;
        const message =
          'The description of the parameter would fit any parameter. Describe the value in its label or a toolparamdescription.';
        yield { message, ...atDescription(tool, parameter) };
      }
    },
  },
  'description-not-on-page': {
    level: 'warning',
    summary: 'An annotation has no word in common with the page.',
    *check(tool, page) {
      let ofForm: Vocabulary | undefined;
      for (const { annotation, text, ...where } of tool.texts) {
        const stems = stemsOf(text.slice(0, comparedLength));
        if (stems.length < fewestStems[annotation] || isUnspaced(text)) continue;
        const control = where.control === undefined ? undefined : tool.form.controls[where.control];
        if (control && isNear(stems, control)) continue;
        ofForm ??= vocabularyOf(joinDistinct(textsOfForm(tool)));
        if (
          isIn(ofForm, stems) ||
          isIn(page.vocabulary(), stems) ||
          !sharesLanguage(text.slice(0, comparedLength), page.vocabulary())
        )
          continue;
        const message = `The ${annotation} has no word in common with the page. Describe what the page shows, in its own words.`;
        yield { message, ...where };
      }
    },
  },
});

/** The minimum number of stems for a comparison. It is higher for parameters, whose descriptions often add to the page. */
const fewestStems = {
  tooldescription: minComparedStems,
  tooltitle: minComparedStems,
  toolparamdescription: 12,
} as const;

/** The length of the part of an annotation that is compared with the page. */
const comparedLength = 2000;
const maxNearStems = 40;

/** A fast pretest. */
const isNear = (stems: readonly string[], control: ControlDescription): boolean =>
  textsOf(control).some((text) => {
    const start = text.slice(0, 1000).toLowerCase();
    return stems.slice(0, maxNearStems).some((stem) => start.includes(stem));
  });

const isIn = ({ quads }: Vocabulary, stems: readonly string[]): boolean => stems.some((stem) => quads.has(stem));

const maxFormLength = 5_000_000;

/** Joins distinct strings: controls may share long descriptions. */
function joinDistinct(texts: readonly string[]): string {
  let joined = '';
  for (const text of new Set(texts)) if (joined.length < maxFormLength) joined += ` ${text}`;
  return joined;
}

const textsOfForm = ({ form }: LintedTool): readonly string[] => [
  form.action ?? '',
  ...form.groups.flatMap(visibleTexts),
  ...form.controls.flatMap(textsOf),
];

const textsOf = (control: ControlDescription): readonly string[] => [
  ...visibleTexts(control),
  control.name,
  control.attributes.value ?? '',
  ...(control.options ?? []).slice(0, 100).map(({ text }) => text),
];

const visibleTexts = ({ words }: Pick<ControlDescription, 'words'>): readonly string[] =>
  words.filter(({ source }) => source !== 'toolparamdescription').map(({ text }) => text);
