import { ancestors, descendants, type Tree } from '../tree.js';
import { labelableElements, nameSet } from './elements.js';
import { collapseWhitespace } from './text.js';

const invisible = new Set([...nameSet('script :script style :style template noscript datalist'), ...labelableElements]);
const lineBreaking = nameSet(
  'address article aside blockquote br dd details div dl dt fieldset figure footer h1 h2 h3 h4 h5 h6 header hr legend ' +
    'li main nav ol option p pre section summary table td th tr ul',
);

/** The roles of widgets, whose text is their value: scripts put these next to the control that they replace. */
const widgetRoles = nameSet('combobox listbox textbox searchbox spinbutton slider');

export const isHidden = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  tree.attribute(element, 'hidden') !== null || tree.attribute(element, 'aria-hidden')?.toLowerCase() === 'true';

export class TreeReader<Node, Element extends Node> {
  protected readonly tree: Tree<Node, Element>;

  constructor(tree: Tree<Node, Element>) {
    this.tree = tree;
  }

  isNamed(node: Node, name: string): node is Element {
    return this.tree.isElement(node) && this.tree.localName(node) === name;
  }

  closest(element: Element, name: string, root: Element): Element | undefined {
    for (const up of ancestors(this.tree, element)) {
      if (up === root) return undefined;
      if (this.isNamed(up, name)) return up;
    }
    return undefined;
  }

  /** https://dom.spec.whatwg.org/#concept-descendant-text-content */
  descendantTextContent(root: Node, skip?: (node: Node) => boolean): string {
    let text = '';
    for (const node of descendants(this.tree, root, skip)) text += this.tree.text(node) ?? '';
    return text;
  }

  /** https://dom.spec.whatwg.org/#concept-child-text-content */
  childTextContent(element: Element): string {
    let text = '';
    for (const child of this.tree.children(element)) text += this.tree.text(child) ?? '';
    return text;
  }

  /** The visible text without controls and widgets, with white space collapsed. Considers only markup, not CSS. */
  visibleText(root: Node): string {
    const { tree } = this;
    const skip = (node: Node): boolean =>
      tree.isElement(node) &&
      (invisible.has(tree.localName(node)) ||
        isHidden(tree, node) ||
        widgetRoles.has(tree.attribute(node, 'role') ?? ''));
    let text = '';
    for (const node of descendants(tree, root, skip)) {
      text += tree.isElement(node) ? this.#renderedElement(node) : (tree.text(node) ?? '');
    }
    return collapseWhitespace(text);
  }

  #renderedElement(element: Element): string {
    const name = this.tree.localName(element);
    if (name === 'img') return this.tree.attribute(element, 'alt') ?? '';
    return lineBreaking.has(name) ? ' ' : '';
  }
}
