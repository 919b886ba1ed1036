import { PageLimitError, type Parse5Element, type Parse5Page, parseWithinLimits } from '../../parse5/parse5-tree.js';
import { mask, type MaskedText } from './masked-text.js';

/** A parsed template. Its tree has no masks: computed text and computed values are empty. */
export interface TemplatePage extends Parse5Page {
  readonly masked: MaskedText;
}

/**
 * @param locations - whether all locations are recorded, or only the locations of elements
 * @returns an error for a page that is too large or too deep
 */
export function parseTemplate(
  masked: MaskedText,
  locations: true | 'elements' = 'elements',
): TemplatePage | PageLimitError {
  const page = parseWithinLimits(masked.text, locations);
  if (page instanceof PageLimitError) return page;
  const tree = masked.constructs.length > 0 ? withoutMasks(page.tree) : page.tree;
  return { ...page, tree: /\basp-for\b/.test(masked.text) ? withTagHelpers(tree) : tree, masked };
}

const masks = new RegExp(`${mask}+`, 'g');

function withoutMasks(tree: Parse5Page['tree']): Parse5Page['tree'] {
  return {
    ...tree,
    attribute: (element, name) => {
      const value = tree.attribute(element, name);
      if (value?.includes(mask)) return name === 'method' ? 'post' : value.replace(masks, '');
      return value ?? (name === 'method' && element.tagName === 'form' && isScripted(element) ? 'post' : null);
    },
    text: (node) => tree.text(node)?.replace(masks, ' ') ?? null,
  };
}

/** Adds the attributes of ASP.NET tag helpers: https://learn.microsoft.com/aspnet/core/mvc/views/working-with-forms */
function withTagHelpers(tree: Parse5Page['tree']): Parse5Page['tree'] {
  return {
    ...tree,
    attribute: (element, name) => {
      const value = tree.attribute(element, name);
      if (value !== null || !(element.tagName === 'label' ? /^for$/ : /^(?:name|id)$/).test(name)) return value;
      const property = tree.attribute(element, 'asp-for')?.replace(/^@?Model\./, '');
      return property ? (name === 'name' ? property : property.replace(/[.[\]]/g, '_')) : null;
    },
  };
}

const handler =
  /^(?:on:?submit|@submit|v-on:submit|x-on:submit|ng-submit|\(submit\)|\(ngsubmit\)|wire:submit|hx-(?:post|put|patch|delete)|:method|v-bind|\[method\]|\[attr\.method\])(?:$|[.:|])/;

/** Whether a template or script determines the form's method. Such a form is treated as if it changes data. */
const isScripted = ({ attrs }: Parse5Element): boolean =>
  attrs.some(({ name }) => name.includes(mask) || handler.test(name));

/** Attributes that repeat their element: Vue, Angular, AngularJS, Thymeleaf, Owl, Alpine. */
const repeating = /^(?:v-for|\*ngfor|ng-repeat(?:-start)?|data-ng-repeat|th:each|data-th-each|t-foreach|x-for)$/;
const repeatingElements = new Set(['c:foreach', 's:iterator', 'ui:repeat']);

/** Whether an element is inside an element that the template repeats. */
export function isRepeatedByElement({ tree }: Parse5Page, element: Parse5Element): boolean {
  for (let up: Parse5Element | null = element; up; up = parentElement(tree, up))
    if (repeatingElements.has(up.tagName) || up.attrs.some(({ name }) => repeating.test(name))) return true;
  return false;
}

function parentElement(tree: Parse5Page['tree'], element: Parse5Element): Parse5Element | null {
  const parent = tree.parent(element);
  return parent !== null && tree.isElement(parent) ? parent : null;
}
