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
  budgets,
  type Vocabulary,
} from '../../wording/words.js';
import { spellings } from '../page/place.js';
import { atDescription, defineRules, atControl, type LintedTool } from './rule.js';

/** Rules about the strings of tools: their lengths, their wording, and the limits that they state. */
export const wordingRules = defineRules({
  'tool-name-too-long': {
    level: 'warning',
    summary: `A toolname has more than ${budgets.name} characters.`,
    *check({ form, element }) {
      const length = form.tool.name?.length ?? 0;
      if (length <= budgets.name) return;
      const message = `The toolname has ${length} characters, so agents may truncate it. Use at most ${budgets.name}.`;
      yield { message, element, attributes: spellings('toolname') };
    },
  },
  'tool-description-too-long': {
    level: 'warning',
    summary: `A tooldescription has more than ${budgets.description} characters.`,
    *check({ form, element }) {
      const length = countCharacters(form.tool.description ?? '');
      if (length <= budgets.description) return;
      const message = `The tooldescription has ${length} characters, so agents may truncate it. Use at most ${budgets.description}.`;
      yield { message, element, attributes: spellings('tooldescription') };
    },
  },
  'parameter-description-too-long': {
    level: 'warning',
    summary: `The description of a parameter has more than ${budgets.parameter} characters.`,
    *check(tool) {
      for (const parameter of tool.parameters) {
        const { words } = parameter;
        const length = countCharacters(joinTexts(words));
        if (length <= budgets.parameter) continue;
        const isAnnotated = words.some(({ source }) => source === 'toolparamdescription');
        const advice = isAnnotated ? 'Shorten it.' : 'Add a shorter toolparamdescription.';
        const message = `The description of the parameter has ${length} characters, so agents may truncate it after ${budgets.parameter}. ${advice}`;
        yield { message, ...atDescription(tool, parameter) };
      }
    },
  },
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
  'description-contradicts-control': {
    level: 'warning',
    summary: 'An annotation contradicts the constraints of its control.',
    *check(tool) {
      for (const [index, control] of tool.form.controls.entries()) {
        const text = control.words.find(({ source }) => source === 'toolparamdescription')?.text.slice(0, 2000) ?? '';
        const problem = optionalProblem(text, control) ?? rangeProblem(text, control) ?? lengthProblem(text, control);
        if (problem === undefined) continue;
        const message = `The toolparamdescription ${problem}. Correct one of them.`;
        yield { message, ...atControl(tool, index), attributes: spellings('toolparamdescription') };
      }
    },
  },
});

/** The length of a string in code points, with white space collapsed. */
function countCharacters(text: string): number {
  const collapsed = collapseWhitespace(text);
  return collapsed.length - (collapsed.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** The minimum number of stems for a comparison. Parameters need more, because descriptions often extend the page's text. */
const fewestStems = {
  tooldescription: minComparedStems,
  tooltitle: minComparedStems,
  toolparamdescription: 12,
} as const;

/** The length of the part of an annotation that is compared with the page. */
const comparedLength = 2000;
const maxNearStems = 40;

/** Whether a control contains one of the first stems: a fast pretest. */
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

const optional = /(?<![\p{L}-])(?:optional|freiwillig|facultati[fv]|opcional|facoltativ|optioneel)/iu;
const notOptional =
  /(?:not|no|never|nicht|pas|niet|nicht mehr) (?:optional|freiwillig|facultati|opcional|facoltativ)/iu;

/** Checks the first word, the last word and parentheses. Elsewhere, "optional" may refer to a part of the value. */
function optionalProblem(text: string, { attributes, type }: ControlDescription): string | undefined {
  if (attributes.required === undefined || type === 'radio' || type === 'checkbox') return undefined;
  const parts = text.match(/^\s*\p{L}+|\([^()]{0,40}\)|(?<!\p{L})\p{L}+[\s.]{0,5}$/gu) ?? [];
  if (!parts.some((part) => optional.test(part)) || notOptional.test(text)) return undefined;
  return 'calls the value optional, but the control is required';
}

const range =
  /(?<![\d.,-])(\d{1,15}(?:\.\d{1,15})?) ?(?:to|-|–|bis|à|hasta|a|tot) ?(\d{1,15}(?:\.\d{1,15})?)(?![\d.,-]{0,20}\d)/giu;

/** Ignores a description that also contains the correct limit, because its range then has another meaning. */
function rangeProblem(text: string, { type, attributes: { min, max } }: ControlDescription): string | undefined {
  if (type !== 'number' && type !== 'range') return undefined;
  const [found, ...others] = text.matchAll(range);
  if (!found || others.length > 0) return undefined;
  const [from, to] = [Number(found[1]), Number(found[2])];
  const isBelow = min !== undefined && from < Number(min);
  const isAbove = max !== undefined && to > Number(max);
  if (from >= to || !(isBelow || isAbove)) return undefined;
  const limit = Number(isBelow ? min : max);
  const rest = text.replace(found[0], ' ').match(/\d+(?:\.\d+)?/g) ?? [];
  if (rest.map(Number).includes(limit)) return undefined;
  return `allows ${from} to ${to}, but ${isBelow ? 'min' : 'max'} is ${limit}`;
}

const maximumLength =
  /(?:up to|at most|no more than|max(?:imum)?\.?(?: of)?|bis zu|höchstens|maximal|jusqu'à|maximum|hasta|máximo(?: de)?) (\d{1,7}) (?:characters|chars|letters|zeichen|caractères|caracteres|caratteri|tekens)/iu;

function lengthProblem(text: string, { attributes: { maxlength } }: ControlDescription): string | undefined {
  const allowed = maximumLength.exec(text)?.[1];
  if (allowed === undefined || !/^\d+$/.test(maxlength ?? '') || Number(allowed) <= Number(maxlength)) return undefined;
  return `allows ${allowed} characters, but maxlength is ${maxlength}`;
}
