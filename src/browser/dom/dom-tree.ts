import type { Tree } from '../../compiler/tree.js';
import { getter, method } from '../../platform/primordials.js';

/** A window with the constructors of its realm. */
export type Global = Window & typeof globalThis;

const nodeType = getter<Node, number>('Node', 'nodeType');
const parentNode = getter<Node, Node | null>('Node', 'parentNode');
const firstChild = getter<Node, Node | null>('Node', 'firstChild');
const nextSibling = getter<Node, Node | null>('Node', 'nextSibling');
const data = getter<Node, string>('CharacterData', 'data');
const localName = getter<Element, string>('Element', 'localName');
const namespaceURI = getter<Element, string | null>('Element', 'namespaceURI');
const shadowRoot = getter<Element, ShadowRoot | null>('Element', 'shadowRoot');
const shadowHost = getter<Node, Element>('ShadowRoot', 'host');
const getAttribute = method<Element, [string], string | null>('Element', 'getAttribute');
const matches = method<Element, [string], boolean>('Element', 'matches');
const closest = method<Element, [string], Element | null>('Element', 'closest');
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
const formElements = getter<Element, HTMLCollection>('HTMLFormElement', 'elements');
const ownerDocument = getter<Node, Document | null>('Node', 'ownerDocument');
const defaultView = getter<Document, Window | null>('Document', 'defaultView');
const urlOfDocument = getter<Document, string>('Document', 'URL');
export const baseUrl = getter<Node, string>('Node', 'baseURI');
export const isConnected = getter<Node, boolean>('Node', 'isConnected');
export const rootOf = method<Node, [], Node>('Node', 'getRootNode');
export const inputType = getter<Element, string>('HTMLInputElement', 'type');
const clientRects = method<Element, [], DOMRectList>('Element', 'getClientRects');
const checkVisibility = method<Element, [], boolean>('Element', 'checkVisibility');
/** Whether an element has a box. Most browsers answer without a layout, which each change of a large form would cost. */
export const isRendered =
  typeof Element !== 'undefined' && 'checkVisibility' in Element.prototype
    ? checkVisibility
    : (element: Element): boolean => clientRects(element).length > 0;
export const activeElement = getter<Document, Element | null>('Document', 'activeElement');

const formOwners: Readonly<Record<string, (control: Element) => Element | null>> = {
  button: getter('HTMLButtonElement', 'form'),
  fieldset: getter('HTMLFieldSetElement', 'form'),
  input: getter('HTMLInputElement', 'form'),
  object: getter('HTMLObjectElement', 'form'),
  output: getter('HTMLOutputElement', 'form'),
  select: getter('HTMLSelectElement', 'form'),
  textarea: getter('HTMLTextAreaElement', 'form'),
};

const html = 'http://www.w3.org/1999/xhtml';

/** The front end for the live DOM. Closed shadow roots are unreachable. */
export const domTree: Tree<Node, Element> = {
  isElement: (node): node is Element => nodeType(node) === 1,
  localName: (element) => (namespaceURI(element) === html ? localName(element) : `:${localName(element)}`),
  attribute: getAttribute,
  parent: parentNode,
  children: childrenOf,
  text: textOf,
  formOwner: (control) => (formOwners[localName(control)] ?? customFormOwner)(control),
  shadowRoot,
};

function toArray<List, Item>(
  list: List,
  length: (list: List) => number,
  item: (list: List, index: number) => Item,
): readonly Item[] {
  const items: Item[] = [];
  for (let index = 0, count = length(list); index < count; index++) items.push(item(list, index));
  return items;
}

export const nodesIn = (list: NodeList): readonly Node[] => toArray(list, nodeCount, nodeAt);
export const elementsIn = (collection: HTMLCollection): readonly Element[] =>
  toArray(collection, elementCount, elementAt);

/** https://html.spec.whatwg.org/#dom-form-elements */
export const elementsOfForm = (form: Element): readonly Element[] => elementsIn(formElements(form));

/** The descendants that match a selector, in tree order, without shadow trees. */
export function query(node: Node, selector: string): readonly Element[] {
  const select = queries[nodeType(node)];
  return select ? (nodesIn(select(node, selector)) as readonly Element[]) : [];
}

function textOf(node: Node): string | null {
  const type = nodeType(node);
  return type === 3 || type === 4 ? data(node) : null;
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (let child = firstChild(node); child !== null; child = nextSibling(child)) children.push(child);
  return children;
}

/**
 * `ElementInternals.form` is private to the element, and searching `form.elements` for each element takes quadratic time. Of
 * custom elements, only form-associated ones match these pseudo-classes.
 */
function customFormOwner(control: Element): Element | null {
  const id = getAttribute(control, 'form');
  const form = id === null ? closest(control, 'form') : elementById(rootOf(control), id);
  if (form === null || domTree.localName(form) !== 'form') return null;
  return matches(control, ':enabled, :disabled') ? form : null;
}

export function elementById(root: Node, id: string): Element | null {
  if (nodeType(root) === 1) return null;
  return (nodeType(root) === 9 ? elementInDocument : elementInFragment)(root, id);
}

export function hostOf(root: Node): Element | null {
  if (nodeType(root) !== 11) return null;
  try {
    return shadowHost(root);
  } catch {
    return null; // a DocumentFragment has no host
  }
}

export const documentOf = (node: Node): Document => ownerDocument(node) ?? (node as Document);

export const windowOf = (node: Node): Global | null => defaultView(documentOf(node)) as Global | null;

export const documentUrl = (node: Node): string => urlOfDocument(documentOf(node));
