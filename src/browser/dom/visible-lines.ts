import { collapseWhitespace } from '../../compiler/html/text.js';
import type { Tree } from '../../compiler/tree.js';
import { domTree } from './dom-tree.js';

const { getComputedStyle } = globalThis; // captured: see primordials.ts
const displayOf = (element: Element): string => getComputedStyle(element).display;
const isVisible = (element: Element): boolean => getComputedStyle(element).visibility === 'visible';

const maxNodes = 5000;
const maxDepth = 500;
const skipped = /^(?:script|style|template|noscript|select|datalist|textarea|:.*)$/;

/**
 * The rendered lines of text in a subtree, including shadow trees, without the text of controls and of elements with
 * `aria-hidden`.
 *
 * @param isLeftOut - whether a node and its descendants are left out
 */
export function visibleLines(root: Node, isLeftOut?: (node: Node) => boolean): readonly string[] {
  const lines = [''];
  let count = 0;
  const visit = (node: Node, depth: number, isTextVisible: boolean): void => {
    if (count++ > maxNodes || depth > maxDepth || isLeftOut?.(node)) return;
    const text = domTree.text(node);
    if (text !== null) lines.push((lines.pop() ?? '') + (isTextVisible ? text : ''));
    else if (domTree.isElement(node)) visitElement(node, depth);
    else visitChildren(node, depth, true);
  };
  const visitElement = (element: Element, depth: number): void => {
    if (skipped.test(domTree.localName(element)) || domTree.attribute(element, 'aria-hidden') === 'true') return;
    const display = displayOf(element);
    if (display === 'none') return;
    const isBlock = !/^(?:inline|contents|ruby)/.test(display) || domTree.localName(element) === 'br';
    if (isBlock) lines.push('');
    visitChildren(element, depth, isVisible(element));
    if (isBlock) lines.push('');
  };
  const visitChildren = (node: Node, depth: number, isTextVisible: boolean): void => {
    const shadow = domTree.isElement(node) ? domTree.shadowRoot(node) : null;
    if (shadow) visitChildren(shadow, depth + 1, isTextVisible);
    for (const child of domTree.children(node)) visit(child, depth + 1, isTextVisible);
  };
  visit(root, 0, true);
  return lines.map(collapseWhitespace).filter((line) => line !== '');
}

/** The live DOM without the elements that style sheets hide. Includes scripts, which may be JSON-LD. */
export const renderedTree: Tree<Node, Element> = {
  ...domTree,
  children: (node) => domTree.children(node).filter((child) => !domTree.isElement(child) || isRendered(child)),
};

const isRendered = (element: Element): boolean =>
  /^(?:head|script)$/.test(domTree.localName(element)) || displayOf(element) !== 'none';
