import { valuelessTypes } from '../../compiler/html/elements.js';
import type { FormDescription } from '../../compiler/index.js';
import { namingText } from '../../compiler/parameters/description-text.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import { mask } from './masked-text.js';

/** The rules about elements outside of the form. A template may render only one of its forms, as with a PHP `switch`. */
export const ofOthers: ReadonlySet<string> = new Set(['label-outside-form', 'repeated-id']);

/** The rules about markup that a template may complete. */
export const completedByTemplates: ReadonlySet<string> = new Set([
  'missing-submit-button',
  'missing-parameter-name',
  'missing-parameter-description',
  'duplicate-parameter-name',
  'unreachable-required-control',
  'invalid-pattern',
  'unsupported-pattern',
  'no-options',
  'no-legal-value',
  'unreachable-value',
  'hidden-text',
]);

/** Attributes from which a component or a template computes the name of a control. */
const computesName =
  /^(?::name|v-bind|v-bind:name|\[name\]|\[attr\.name\]|x-bind:name|ng-attr-name|th:field|data-th-field|asp-for|v-field|v-slot)$/;

const maxNamed = 5;

/**
 * The problem that controls of a component have no name. A framework holds their values in its state, so they are not
 * parameters of the tool.
 *
 * @param isTool - whether the form is a tool, or could be one
 */
export function namelessProblem(
  { controls }: FormDescription,
  elements: readonly Parse5Element[],
  isTool: boolean,
): string | undefined {
  const fields = [...controls.entries()].filter(
    ([, { type, sensitive }]) => type !== 'hidden' && !valuelessTypes.has(type) && !sensitive,
  );
  const nameless = fields.flatMap(([index, control]) =>
    control.name === '' && !hasComputedName(elements[index]) ? [control] : [],
  );
  if (nameless.length === 0) return undefined;
  const texts = nameless.slice(0, maxNamed).map(({ words, type }) => `"${namingText(words).slice(0, 60) || type}"`);
  const more = nameless.length > maxNamed ? ` and ${nameless.length - maxNamed} more` : '';
  const isEmpty = isTool && nameless.length === fields.length;
  const [subject, verb, way] =
    nameless.length === 1
      ? ['control', `has no name, so it ${isTool ? 'is not' : 'would not be'} a parameter`, 'Add a name to it']
      : ['controls', `have no name, so they ${isTool ? 'are not' : 'would not be'} parameters`, 'Add a name to each'];
  return `The ${subject} ${texts.join(', ')}${more} ${verb}${isEmpty ? ', and the tool has none' : ''}. ${way}, also if a script reads the value.`;
}

const hasComputedName = (element: Parse5Element | undefined): boolean =>
  element?.attrs.some(
    ({ name, value }) => name.includes(mask) || computesName.test(name) || (name === 'name' && value.includes(mask)),
  ) === true;
