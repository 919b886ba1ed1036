import { getter, method } from './primordials.js';

export const nodeType = getter<Node, number>('Node', 'nodeType');
export const parentNode = getter<Node, Node | null>('Node', 'parentNode');
export const rootOf = method<Node, [], Node>('Node', 'getRootNode');
export const shadowRoot = getter<Element, ShadowRoot | null>('Element', 'shadowRoot');
export const getAttribute = method<Element, [string], string | null>('Element', 'getAttribute');
const localName = getter<Element, string>('Element', 'localName');
const namespaceURI = getter<Element, string | null>('Element', 'namespaceURI');
const shadowHost = getter<Node, Element>('ShadowRoot', 'host');
const ownerDocument = getter<Node, Document | null>('Node', 'ownerDocument');
export const viewOf = getter<Document, Window | null>('Document', 'defaultView');
const nodeCount = getter<NodeList, number>('NodeList', 'length');
const nodeAt = method<NodeList, [number], Node>('NodeList', 'item');
const queries: Readonly<Record<number, (node: Node, selector: string) => NodeList>> = {
  1: method('Element', 'querySelectorAll'),
  9: method('Document', 'querySelectorAll'),
  11: method('DocumentFragment', 'querySelectorAll'),
};

/** A window with the constructors of its realm. */
export type Global = Window & typeof globalThis;

const html = 'http://www.w3.org/1999/xhtml';

export const isElement = (node: Node): node is Element => nodeType(node) === 1;

/** The local name of an HTML element. Those of other namespaces begin with a colon. */
export const htmlName = (element: Element): string =>
  namespaceURI(element) === html ? localName(element) : `:${localName(element)}`;

export function toArray<List, Item>(
  list: List,
  length: (list: List) => number,
  item: (list: List, index: number) => Item,
): readonly Item[] {
  const items: Item[] = [];
  for (let index = 0, count = length(list); index < count; index++) items.push(item(list, index));
  return items;
}

export const nodesIn = (list: NodeList): readonly Node[] => toArray(list, nodeCount, nodeAt);

/** The descendants that match a selector, in tree order, without shadow trees. */
export function query(node: Node, selector: string): readonly Element[] {
  const select = queries[nodeType(node)];
  return select ? (nodesIn(select(node, selector)) as readonly Element[]) : [];
}

export const inclusiveDescendants = (node: Node): readonly Element[] =>
  isElement(node) ? [node, ...query(node, '*')] : query(node, '*');

export function hostOf(root: Node): Element | null {
  if (nodeType(root) !== 11) return null;
  try {
    return shadowHost(root);
  } catch {
    return null; // a DocumentFragment has no host
  }
}

/**
 * Whether a node is a root or in it, also in its shadow trees.
 *
 * @param ignored - an attribute that excludes an element and its content
 */
export function isInside(node: Node, root: Node, ignored?: string): boolean {
  let isFound = false;
  for (let up: Node | null = node; up !== null; up = parentNode(up) ?? hostOf(up)) {
    if (ignored && isElement(up) && getAttribute(up, ignored) !== null) return false;
    isFound ||= up === root;
  }
  return isFound;
}

export const documentOf = (node: Node): Document => ownerDocument(node) ?? (node as Document);

export const windowOf = (node: Node): Global | null => viewOf(documentOf(node)) as Global | null;
