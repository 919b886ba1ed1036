import type { Tree } from '../../compiler/tree.js';
import { getter, method } from '../../platform/primordials.js';

const nodeType = getter<Node, number>('Node', 'nodeType');
const parentNode = getter<Node, Node | null>('Node', 'parentNode');
const firstChild = getter<Node, Node | null>('Node', 'firstChild');
const nextSibling = getter<Node, Node | null>('Node', 'nextSibling');
const getRootNode = method<Node, [], Node>('Node', 'getRootNode');
const data = getter<Node, string>('CharacterData', 'data');
const localName = getter<Element, string>('Element', 'localName');
const namespaceURI = getter<Element, string | null>('Element', 'namespaceURI');
const shadowRoot = getter<Element, ShadowRoot | null>('Element', 'shadowRoot');
const hostOf = getter<Node, Element>('ShadowRoot', 'host');
const getAttribute = method<Element, [string], string | null>('Element', 'getAttribute');
const closest = method<Element, [string], Element | null>('Element', 'closest');
/** By the type of the node. */
const queries: Readonly<Record<number, (node: Node, selector: string) => NodeList>> = {
  1: method('Element', 'querySelectorAll'),
  9: method('Document', 'querySelectorAll'),
  11: method('DocumentFragment', 'querySelectorAll'),
};
const nodeCount = getter<NodeList, number>('NodeList', 'length');
const nodeAt = method<NodeList, [number], Node>('NodeList', 'item');
const elementCount = getter<HTMLCollection, number>('HTMLCollection', 'length');
const elementAt = method<HTMLCollection, [number], Element>('HTMLCollection', 'item');
const elementInDocument = method<Node, [string], Element | null>('Document', 'getElementById');
const elementInFragment = method<Node, [string], Element | null>('DocumentFragment', 'getElementById');

const owners: Readonly<Record<string, (control: Element) => Element | null>> = {
  button: getter('HTMLButtonElement', 'form'),
  fieldset: getter('HTMLFieldSetElement', 'form'),
  input: getter('HTMLInputElement', 'form'),
  object: getter('HTMLObjectElement', 'form'),
  output: getter('HTMLOutputElement', 'form'),
  select: getter('HTMLSelectElement', 'form'),
  textarea: getter('HTMLTextAreaElement', 'form'),
};

const html = 'http://www.w3.org/1999/xhtml';

/** The front end over the live DOM. A closed shadow root is out of its reach. */
export const domTree: Tree<Node, Element> = {
  isElement: (node): node is Element => nodeType(node) === 1,
  localName: (element) => (namespaceURI(element) === html ? localName(element) : `:${localName(element)}`),
  attribute: getAttribute,
  parent: parentNode,
  children: childrenOf,
  text: (node) => (isText(nodeType(node)) ? data(node) : null),
  formOwner: (control) => (owners[localName(control)] ?? customFormOwner)(control),
  shadowRoot,
};

/** A form's listed elements, whatever the form has a control named `elements`. */
export const elementsOf = getter<Element, HTMLCollection>('HTMLFormElement', 'elements');

export function listOf(collection: HTMLCollection): readonly Element[] {
  const elements: Element[] = [];
  for (let index = 0, count = elementCount(collection); index < count; index++) {
    elements.push(elementAt(collection, index));
  }
  return elements;
}

/** The elements below a node that match a selector, in tree order, without those in shadow trees. */
export function query(node: Node, selector: string): readonly Element[] {
  const select = queries[nodeType(node)];
  if (!select) return [];
  const list = select(node, selector);
  const elements: Element[] = [];
  for (let index = 0, count = nodeCount(list); index < count; index++) elements.push(nodeAt(list, index) as Element);
  return elements;
}

const isText = (type: number): boolean => type === 3 || type === 4;

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (let child = firstChild(node); child !== null; child = nextSibling(child)) children.push(child);
  return children;
}

/** A form-associated custom element keeps its owner to itself, but the form lists it among its elements. */
function customFormOwner(control: Element): Element | null {
  const id = getAttribute(control, 'form');
  const form = id === null ? closest(control, 'form') : elementById(getRootNode(control), id);
  if (form === null || domTree.localName(form) !== 'form') return null;
  return listOf(elementsOf(form)).includes(control) ? form : null;
}

export function elementById(root: Node, id: string): Element | null {
  if (nodeType(root) === 1) return null;
  return (nodeType(root) === 9 ? elementInDocument : elementInFragment)(root, id);
}

/** The host of a shadow root; null for any other node. */
export function hostAround(root: Node): Element | null {
  if (nodeType(root) !== 11) return null;
  try {
    return hostOf(root);
  } catch {
    return null; // a fragment
  }
}

const ownerDocument = getter<Node, Document | null>('Node', 'ownerDocument');
const defaultView = getter<Document, Window | null>('Document', 'defaultView');

/** The document that a node is in, or the node itself if it is one. */
export const documentOf = (node: Node): Document => ownerDocument(node) ?? (node as Document);

/** The window that a node's document is shown in. */
export const viewOf = (node: Node): (Window & typeof globalThis) | null =>
  defaultView(documentOf(node)) as (Window & typeof globalThis) | null;

const urlOfDocument = getter<Document, string>('Document', 'URL');

/** The URL of the document that a node is in. */
export const documentUrl = (node: Node): string => urlOfDocument(documentOf(node));
/** Against which the URLs of a node are resolved. */
export const baseOf = getter<Node, string>('Node', 'baseURI');
