import { labelableElements } from './elements.js';
import { descendants, type Tree } from '../tree.js';

/** Collapses white space, as rendering does. */
export const collapseWhitespace = (text: string): string =>
  /^\s|\s$|\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ').trim() : text;

/** https://infra.spec.whatwg.org/#ascii-lowercase */
export const asciiLowercase = (text: string): string =>
  /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;

/** https://infra.spec.whatwg.org/#strip-and-collapse-ascii-whitespace */
export const stripAndCollapseAsciiWhitespace = (text: string): string =>
  text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '');

/** Cuts every such character off both ends; `+$` would take the square of a run's length. */
export function stripEnds(text: string, character: RegExp): string {
  let [start, end] = [0, text.length];
  while (start < end && character.test(text.charAt(start))) start++;
  while (start < end && character.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** https://infra.spec.whatwg.org/#split-on-ascii-whitespace */
export const splitOnAsciiWhitespace = (text: string): readonly string[] => text.split(/[\t\n\f\r ]+/).filter(Boolean);

/** https://dom.spec.whatwg.org/#concept-descendant-text-content */
export function descendantTextContent<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
  skip?: (node: Node) => boolean,
): string {
  let text = '';
  for (const node of descendants(tree, root, skip)) text += tree.text(node) ?? '';
  return text;
}

/** A label's text without the controls inside it. */
export const labelText = <Node, Element extends Node>(tree: Tree<Node, Element>, label: Element): string =>
  descendantTextContent(tree, label, (node) => tree.isElement(node) && labelableElements.has(tree.localName(node)));

const unseen = new Set([
  'script',
  ':script',
  'style',
  ':style',
  'template',
  'noscript',
  'datalist',
  'textarea',
  'select',
]);
const breaking = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'br',
  'dd',
  'details',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figure',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hr',
  'legend',
  'li',
  'main',
  'nav',
  'ol',
  'option',
  'p',
  'pre',
  'section',
  'summary',
  'table',
  'td',
  'th',
  'tr',
  'ul',
]);

/**
 * What a person perceives of an element's text, white space collapsed: no controls, scripts or hidden parts; by markup
 * alone, never by CSS.
 */
export function visibleText<Node, Element extends Node>(tree: Tree<Node, Element>, root: Element): string {
  const skip = (node: Node): boolean => tree.isElement(node) && isUnseen(tree, node);
  let text = '';
  for (const node of descendants(tree, root, skip))
    text += tree.isElement(node) ? gap(tree, node) : (tree.text(node) ?? '');
  return collapseWhitespace(text);
}

/** Whether an element's content is left out of what a person perceives. */
export function isUnseen<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean {
  const name = tree.localName(element);
  return unseen.has(name) || labelableElements.has(name) || isHidden(tree, element);
}

export const isHidden = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  tree.attribute(element, 'hidden') !== null || tree.attribute(element, 'aria-hidden')?.toLowerCase() === 'true';

function gap<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): string {
  const name = tree.localName(element);
  if (name === 'img') return tree.attribute(element, 'alt') ?? '';
  return breaking.has(name) ? ' ' : '';
}
