import type { FormDescription } from '../compiler/index.js';
import { valuelessTypes } from '../compiler/html/elements.js';
import { namingText } from '../compiler/parameters/description-text.js';
import type { Parse5Element } from '../parse5/parse5-tree.js';
import { mask } from './templates/masked-text.js';

/** Attributes from which a component or a template computes the name of a control. */
const computesName =
  /^(?::name|v-bind|v-bind:name|\[name\]|\[attr\.name\]|x-bind:name|ng-attr-name|th:field|data-th-field|asp-for|v-field|v-slot)$/;

const maxNamed = 5;

/**
 * The problem of the controls of a component that have no name: the state of a framework has their values, so that they would
 * not be parameters of the tool.
 */
export function namelessProblem({ controls }: FormDescription, elements: readonly Parse5Element[]): string | undefined {
  const nameless = controls.filter((control, index) => {
    const isField = control.type !== 'hidden' && !valuelessTypes.has(control.type) && !control.sensitive;
    return isField && control.name === '' && !hasComputedName(elements[index]);
  });
  if (nameless.length === 0) return undefined;
  const texts = nameless.slice(0, maxNamed).map(({ words, type }) => `"${namingText(words).slice(0, 60) || type}"`);
  const more = nameless.length > maxNamed ? ` and ${nameless.length - maxNamed} more` : '';
  const [subject, verb, way] =
    nameless.length === 1
      ? ['control', 'has no name, so it would not be a parameter', 'Add a name to it']
      : ['controls', 'have no name, so they would not be parameters', 'Add a name to each'];
  return `missing-parameter-name: The ${subject} ${texts.join(', ')}${more} ${verb}. ${way}, also if a script reads the value.`;
}

const hasComputedName = (element: Parse5Element | undefined): boolean =>
  element?.attrs.some(
    ({ name, value }) => name.includes(mask) || computesName.test(name) || (name === 'name' && value.includes(mask)),
  ) === true;
