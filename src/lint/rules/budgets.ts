import { collapseWhitespace } from '../../compiler/html/text.js';
import { joinTexts } from '../../compiler/parameters/description-text.js';
import { budgets } from '../../wording/words.js';
import { spellings } from '../page/place.js';
import { atDescription, defineRules } from './rule.js';

export const budgetRules = defineRules({
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
});

/** The length of a string in code points. */
function countCharacters(text: string): number {
  const collapsed = collapseWhitespace(text);
  return collapsed.length - (collapsed.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
