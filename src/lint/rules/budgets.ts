import { collapse } from '../../compiler/html/text.js';
import type { ToolRule } from '../page/context.js';
import { spellings } from '../page/place.js';

/** Chrome's guidance for tools, in characters. https://developer.chrome.com/docs/ai/webmcp */
export const budgets = { name: 30, description: 500, parameter: 150 } as const;

export const budgetRules: ToolRule = function* (tool) {
  const { name, description } = tool.form.tool;
  const element = tool.element;
  if (name !== null && name.length > budgets.name)
    yield {
      code: 'tool-name-too-long',
      message: `The toolname has ${name.length} characters, and agents may cut it: use at most ${budgets.name}.`,
      element,
      attributes: spellings('toolname'),
    };
  if (description !== null && lengthOf(description) > budgets.description)
    yield {
      code: 'tool-description-too-long',
      message: `The tooldescription has ${lengthOf(description)} characters, and agents may cut it: use at most ${budgets.description}.`,
      element,
      attributes: spellings('tooldescription'),
    };
};

/** In characters as people count them. */
export const lengthOf = (text: string): number => [...collapse(text)].length;
