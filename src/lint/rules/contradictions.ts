import type { ControlDescription } from '../../compiler/index.js';
import type { ToolRule } from '../page/context.js';
import { spellings } from '../page/place.js';

/** What a `toolparamdescription` promises and its control refuses. */
export const contradictionRules: ToolRule = function* ({ form, controls, element }) {
  for (const [index, control] of form.controls.entries()) {
    const told = control.words.find(({ source }) => source === 'toolparamdescription')?.text;
    const message = told === undefined ? undefined : contradiction(told.slice(0, 2000), control);
    if (message === undefined) continue;
    yield {
      code: 'description-contradicts-control',
      message,
      element: controls[index] ?? element,
      attributes: spellings('toolparamdescription'),
      parameter: control.name,
    };
  }
};

const contradiction = (text: string, control: ControlDescription): string | undefined =>
  optional(text, control) ?? range(text, control) ?? length(text, control);

const saysOptional = /(?<![\p{L}-])(?:optional|freiwillig|facultati[fv]|opcional|facoltativ|optioneel)/iu;
const saysOtherwise =
  /(?:not|no|never|nicht|pas|niet|nicht mehr) (?:optional|freiwillig|facultati|opcional|facoltativ)/iu;

/** Another part of a control may be optional: only what begins or ends with the word, or has it in brackets, says so. */
function optional(text: string, { attributes, type }: ControlDescription): string | undefined {
  if (attributes.required === undefined || type === 'radio' || type === 'checkbox') return undefined;
  const [said] =
    /^\s*\p{L}+|\([^()]{0,40}\)|\p{L}+[\s.]*$/gu[Symbol.match](text)?.filter((part) => saysOptional.test(part)) ?? [];
  if (said === undefined || saysOtherwise.test(text)) return undefined;
  return 'The toolparamdescription says that the value is optional, and the control is required: correct one of them.';
}

const saysRange = /(?<![\d.,-])(\d+(?:\.\d+)?) ?(?:to|-|–|bis|à|hasta|a|tot) ?(\d+(?:\.\d+)?)(?![\d.,-]*\d)/giu;

function range(text: string, { type, attributes: { min, max } }: ControlDescription): string | undefined {
  if (type !== 'number' && type !== 'range') return undefined;
  const ranges = [...text.matchAll(saysRange)];
  if (ranges.length !== 1) return undefined;
  const [from, to] = [Number(ranges[0]?.[1]), Number(ranges[0]?.[2])];
  const isBelow = min !== undefined && from < Number(min);
  const isAbove = max !== undefined && to > Number(max);
  if (from >= to || !(isBelow || isAbove)) return undefined;
  if (numbersOf(text.replace(ranges[0]?.[0] ?? '', ' ')).includes(Number(isBelow ? min : max))) return undefined;
  const limit = isBelow ? `its min is ${Number(min)}` : `its max is ${Number(max)}`;
  return `The toolparamdescription says ${from} to ${to}, and ${limit}: correct one of them.`;
}

/** A text that says the control's own limit too speaks of another case. */
const numbersOf = (text: string): readonly number[] => (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);

const saysLength =
  /(?:up to|at most|no more than|max(?:imum)?\.?(?: of)?|bis zu|höchstens|maximal|jusqu'à|maximum|hasta|máximo(?: de)?) (\d{1,7}) (?:characters|chars|letters|zeichen|caractères|caracteres|caratteri|tekens)/iu;

function length(text: string, { attributes: { maxlength } }: ControlDescription): string | undefined {
  const said = saysLength.exec(text)?.[1];
  if (said === undefined || !/^\d+$/.test(maxlength ?? '') || Number(said) <= Number(maxlength)) return undefined;
  return `The toolparamdescription allows ${said} characters, and its maxlength is ${maxlength}: correct one of them.`;
}
