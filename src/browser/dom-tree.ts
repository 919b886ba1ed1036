import type { Tree } from '../compiler/tree.js';
import { getter, method } from '../platform/captured.js';

const nodeType = getter<Node, number>('Node', 'nodeType');
const parentNode = getter<Node, Node | null>('Node', 'parentNode');
const firstChild = getter<Node, Node | null>('Node', 'firstChild');
const nextSibling = getter<Node, Node | null>('Node', 'nextSibling');
const getRootNode = method<Node, [], Node>('Node', 'getRootNode');
const data = getter<Node, string>('CharacterData', 'data');
const localName = getter<Element, string>('Element', 'localName');
const namespaceURI = getter<Element, string | null>('Element', 'namespaceURI');
const shadowRoot = getter<Element, ShadowRoot | null>('Element', 'shadowRoot');
const getAttribute = method<Element, [string], string | null>('Element', 'getAttribute');
const closest = method<Element, [string], Element | null>('Element', 'closest');
const formElements = getter<Element, HTMLFormControlsCollection>('HTMLFormElement', 'elements');
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
  return Array.prototype.includes.call(formElements(form), control) ? form : null;
}

function elementById(root: Node, id: string): Element | null {
  if (nodeType(root) === 1) return null;
  return (nodeType(root) === 9 ? elementInDocument : elementInFragment)(root, id);
}
