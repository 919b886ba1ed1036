import { ignoreAttribute } from '../../compiler/ignored.js';
import type { Tree } from '../../compiler/tree.js';
import {
  documentOf,
  getAttribute,
  htmlName,
  isElement,
  nodeType,
  parentNode,
  rootOf,
  shadowRoot,
  toArray,
} from '../../platform/dom.js';
import { getter, method } from '../../platform/primordials.js';

export { documentOf, hostOf, nodesIn, query, rootOf, windowOf, type Global } from '../../platform/dom.js';

export const isConnected = getter<Node, boolean>('Node', 'isConnected');
const firstChild = getter<Node, Node | null>('Node', 'firstChild');
const nextSibling = getter<Node, Node | null>('Node', 'nextSibling');
const data = getter<Node, string>('CharacterData', 'data');
export const matches = method<Element, [string], boolean>('Element', 'matches');
const closest = method<Element, [string], Element | null>('Element', 'closest');
const elementCount = getter<HTMLCollection, number>('HTMLCollection', 'length');
const elementAt = method<HTMLCollection, [number], Element>('HTMLCollection', 'item');
const elementInDocument = method<Node, [string], Element | null>('Document', 'getElementById');
const elementInFragment = method<Node, [string], Element | null>('DocumentFragment', 'getElementById');
const formElements = getter<Element, HTMLCollection>('HTMLFormElement', 'elements');
const urlOfDocument = getter<Document, string>('Document', 'URL');
export const baseUrl = getter<Node, string>('Node', 'baseURI');
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

/** The front end for the live DOM. Closed shadow roots are unreachable. */
export const domTree: Tree<Node, Element> = {
  isElement,
  localName: htmlName,
  attribute: getAttribute,
  parent: parentNode,
  children: childrenOf,
  text: textOf,
  formOwner: (control) => (formOwners[htmlName(control)] ?? customFormOwner)(control),
  shadowRoot,
};

export const elementsIn = (collection: HTMLCollection): readonly Element[] =>
  toArray(collection, elementCount, elementAt);

/** https://html.spec.whatwg.org/#dom-form-elements */
export const elementsOfForm = (form: Element): readonly Element[] => elementsIn(formElements(form));

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

/** Whether an element is in an ignored part of its tree scope. */
export const isInIgnored = (element: Element): boolean => closest(element, `[${ignoreAttribute}]`) !== null;

export const documentUrl = (node: Node): string => urlOfDocument(documentOf(node));
