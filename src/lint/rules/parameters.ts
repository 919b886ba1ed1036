import { spoken } from '../../compiler/parameters/description-text.js';
import type { ToolRule } from '../page/context.js';
import { spellings } from '../page/place.js';
import { budgets, lengthOf } from './budgets.js';
import { plain } from './wording.js';

/** What describes parameters. */
export const parameterRules: ToolRule = function* ({ form, parameters, controls, element }) {
  for (const { words, units } of parameters) {
    if (words.length === 0) continue;
    const text = spoken(words);
    const isLong = text.length > budgets.parameter && lengthOf(text) > budgets.parameter;
    if (!isLong && (text === '' || text.length > longestVague || !isVague(plain(text)))) continue;
    const index = units[0].controls[0] ?? -1;
    const where = { element: controls[index] ?? element, attributes, parameter: form.controls[index]?.name ?? '' };
    const isOwn = words.some(({ source }) => source === 'toolparamdescription');
    if (isLong) yield { code: 'parameter-description-too-long', message: tooLong(lengthOf(text), isOwn), ...where };
    else yield { code: 'vague-parameter-description', message: vague, ...where };
  }
};

const attributes = spellings('toolparamdescription');

const tooLong = (length: number, isOwn: boolean): string => {
  const wayOut = isOwn ? 'shorten it' : 'say it shorter in a toolparamdescription';
  return `What describes the parameter has ${length} characters, and agents may cut it after ${budgets.parameter}: ${wayOut}.`;
};

const vague =
  'What describes the parameter would fit any other: say what to give in its label or a toolparamdescription.';

const longestVague = 60;
const emptyLabel =
  /^(?:to ?do|tbd|fixme|x{3,}|asdf.*|lorem ipsum.*|n ?a|(?:(?:a|an|the|your|enter|type|please|select|choose|pick|one) )*(?:value|input|field|text|data|label|parameter|param|placeholder|option|options|select|choose|something|here)|(?:input|field|parameter|param|label|option) ?\d+)$/;

/** A text that would fit any control. */
const isVague = (text: string): boolean => text === '' || emptyLabel.test(text);
