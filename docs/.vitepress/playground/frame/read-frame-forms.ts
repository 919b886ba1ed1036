import { domTree } from '../../../../src/browser/dom/dom-tree.js';
import { readForms, type FoundForm, type Tree } from '../../../../src/compiler/index.js';
import { apply } from '../../../../src/platform/primordials.js';
import { readComparedForm } from '../compared-form.js';
import { patternAttribute } from '../inert-tags.js';
import { limits } from '../limits.js';

const { stringify } = JSON;

export const formsIn = (document: Document): readonly FoundForm<Element>[] => readForms(domTree, document);

/** The DOM with the patterns that the page has. */
function treeOf(marker: string): Tree<Node, Element> {
  const attribute = (element: Element, name: string): string | null =>
    (name === 'pattern' ? domTree.attribute(element, patternAttribute(marker)) : null) ??
    domTree.attribute(element, name);
  return { ...domTree, attribute };
}

/** The JSON text of the forms, as the worker reads them with parse5. */
export function readFormsText(marker: string): string {
  const tree = treeOf(marker);
  const forms = readForms(tree, document)
    .slice(0, limits.forms)
    .map(({ form, scope }) => readComparedForm(tree, form, scope));
  return apply(stringify as () => string, JSON, [forms]);
}
