import { getter, method } from './primordials.js';

export const nodeType = getter<Node, number>('Node', 'nodeType');
export const parentNode = getter<Node, Node | null>('Node', 'parentNode');
export const rootOf = method<Node, [], Node>('Node', 'getRootNode');
export const shadowRoot = getter<Element, ShadowRoot | null>('Element', 'shadowRoot');
const assignedSlot = getter<Element, Element | null>('Element', 'assignedSlot');
export const getAttribute = method<Element, [string], string | null>('Element', 'getAttribute');
const localName = getter<Element, string>('Element', 'localName');
const namespaceURI = getter<Element, string | null>('Element', 'namespaceURI');
const ownerDocument = getter<Node, Document | null>('Node', 'ownerDocument');
const readyState = getter<Document, DocumentReadyState>('Document', 'readyState');
export const viewOf = getter<Document, Window | null>('Document', 'defaultView');
const queries: Readonly<Record<number, (node: Node, selector: string) => NodeListOf<Element>>> = {
  1: method('Element', 'querySelectorAll'),
  9: method('Document', 'querySelectorAll'),
  11: method('DocumentFragment', 'querySelectorAll'),
};

/** A window with the constructors of its realm. */
export type Global = Window & typeof globalThis;

const html = 'http://www.w3.org/1999/xhtml';

export const isElement = (node: Node): node is Element => nodeType(node) === 1;

/** The local name of an HTML element. The names of other elements begin with a colon. */
export const htmlName = (element: Element): string =>
  namespaceURI(element) === html ? localName(element) : `:${localName(element)}`;

/** The descendants that match a selector, in tree order, without shadow trees. */
export function query(node: Node, selector: string): readonly Element[] {
  const select = queries[nodeType(node)];
  return select ? [...select(node, selector)] : [];
}

export const inclusiveDescendants = (node: Node): readonly Element[] =>
  isElement(node) ? [node, ...query(node, '*')] : query(node, '*');

/** The host of a shadow root. */
export const hostOf = (root: Node): Element | null =>
  nodeType(root) === 11 ? ((root as Partial<ShadowRoot>).host ?? null) : null;

/**
 * Whether a node is `root` or inside of it, including its shadow trees.
 *
 * @param ignored - an attribute that excludes an element and its content
 */
export function isInside(node: Node, root: Node, ignored?: string): boolean {
  let isFound = false;
  for (
    let up: Node | null = node;
    up !== null;
    up = (isElement(up) && assignedSlot(up)) || (parentNode(up) ?? hostOf(up))
  ) {
    if (ignored && isElement(up) && getAttribute(up, ignored) !== null) return false;
    isFound ||= up === root;
  }
  return isFound;
}

export const documentOf = (node: Node): Document => ownerDocument(node) ?? (node as Document);

export const isLoading = (node: Node): boolean => readyState(documentOf(node)) === 'loading';

export const windowOf = (node: Node): Global | null => viewOf(documentOf(node)) as Global | null;
