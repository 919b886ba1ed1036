import { domTree } from '../../../../src/browser/dom/dom-tree.js';
import { readForms, type FoundForm, type Tree } from '../../../../src/compiler/index.js';
import { readComparedForm } from '../compared-form.js';
import { limits } from '../limits.js';

/** The DOM, with the patterns that the frame does not check. */
const tree: Tree<Node, Element> = {
  ...domTree,
  attribute: (element, name) =>
    (name === 'pattern' ? domTree.attribute(element, 'data-inert-pattern') : null) ?? domTree.attribute(element, name),
};

export const formsIn = (document: Document): readonly FoundForm<Element>[] => readForms(tree, document);

/** The JSON text of the forms, as the worker reads them with parse5. */
export const readFormsText = (): string =>
  JSON.stringify(
    formsIn(document)
      .slice(0, limits.forms)
      .map(({ form, scope }) => readComparedForm(tree, form, scope)),
  );
