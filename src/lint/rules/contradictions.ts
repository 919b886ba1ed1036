import type { ControlDescription } from '../../compiler/index.js';
import { spellings } from '../page/place.js';
import { atControl, defineRules } from './rule.js';

export const contradictionRules = defineRules({
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

const optional = /(?<![\p{L}-])(?:optional|freiwillig|facultati[fv]|opcional|facoltativ|optioneel)/iu;
const notOptional =
  /(?:not|no|never|nicht|pas|niet|nicht mehr) (?:optional|freiwillig|facultati|opcional|facoltativ)/iu;

/** Checks only the first word, the last word and brackets: elsewhere, "optional" may refer to a part of the value. */
function optionalProblem(text: string, { attributes, type }: ControlDescription): string | undefined {
  if (attributes.required === undefined || type === 'radio' || type === 'checkbox') return undefined;
  const parts = text.match(/^\s*\p{L}+|\([^()]{0,40}\)|(?<!\p{L})\p{L}+[\s.]{0,5}$/gu) ?? [];
  if (!parts.some((part) => optional.test(part)) || notOptional.test(text)) return undefined;
  return 'calls the value optional, but the control is required';
}

const range =
  /(?<![\d.,-])(\d{1,15}(?:\.\d{1,15})?) ?(?:to|-|–|bis|à|hasta|a|tot) ?(\d{1,15}(?:\.\d{1,15})?)(?![\d.,-]{0,20}\d)/giu;

/** A description that also contains the correct limit is not reported: its range has another meaning. */
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
