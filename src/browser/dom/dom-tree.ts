import { ignoreAttribute } from '../../compiler/ignored.js';
import type { Tree } from '../../compiler/tree.js';
import {
  documentOf,
  getAttribute,
  htmlName,
  isElement,
  isInside,
  nodeType,
  parentNode,
  rootOf,
  shadowRoot,
  windowOf,
} from '../../platform/dom.js';
import { getter } from '../../platform/primordials.js';
import {
  checkVisibility,
  clientRects,
  closest,
  dataOf,
  elementInDocument,
  firstChild,
  formElements,
  matches,
  nextSibling,
  urlOf,
} from './members.js';

const { getComputedStyle } = globalThis; // captured: see primordials.ts

export { documentOf, hostOf, query, rootOf, windowOf, type Global } from '../../platform/dom.js';

/** Whether an element has a box. In most browsers, this avoids layout, which is slow after each change of a large form. */
export const isRendered =
  typeof Element !== 'undefined' && 'checkVisibility' in Element.prototype
    ? checkVisibility
    : (element: Element): boolean => clientRects(element).length > 0;

/** Whether an element has a size and a place on the page, is not transparent, and is not clipped by an empty box. */
export function isSeen(element: Element): boolean {
  const window = windowOf(element) as Window;
  if (!isRendered(element, { checkOpacity: true, checkVisibilityCSS: true })) return false;
  let isFixed = false;
  for (let up: Node | null = element; up !== null && isElement(up); up = parentNode(up)) {
    const { overflow, position } = getComputedStyle(up);
    if (overflow !== 'visible' && sizedBoxes(up).length === 0) return false;
    isFixed ||= position === 'fixed';
  }
  const [left, top] = isFixed ? [0, 0] : [-window.scrollX, -window.scrollY];
  const isOnPage = (box: DOMRect): boolean =>
    box.right > left &&
    box.bottom > top &&
    !(isFixed && (box.left >= window.innerWidth || box.top >= window.innerHeight));
  return sizedBoxes(element).some(isOnPage);
}

const sizedBoxes = (element: Element): readonly DOMRect[] =>
  [...clientRects(element)].filter(({ width, height }) => width > 1 && height > 1);

const formOwners: Readonly<Record<string, (control: Element) => Element | null>> = {
  button: getter('HTMLButtonElement', 'form'),
  fieldset: getter('HTMLFieldSetElement', 'form'),
  input: getter('HTMLInputElement', 'form'),
  object: getter('HTMLObjectElement', 'form'),
  output: getter('HTMLOutputElement', 'form'),
  select: getter('HTMLSelectElement', 'form'),
  textarea: getter('HTMLTextAreaElement', 'form'),
};

/** Whether users choose the value in the calendar of flatpickr. A destroyed calendar has no `config`. */
const hasCalendar = (element: Element & { readonly _flatpickr?: { readonly config?: object } }): boolean =>
  element._flatpickr?.config !== undefined;

/** The front end for the live DOM. Closed shadow roots are unreachable. */
export const domTree: Tree<Node, Element> = {
  isElement,
  localName: htmlName,
  attribute: (element, name) => (name === 'readonly' && hasCalendar(element) ? null : getAttribute(element, name)),
  parent: parentNode,
  children: childrenOf,
  text: textOf,
  formOwner: (control) => (formOwners[htmlName(control)] ?? customFormOwner)(control),
  shadowRoot,
  isSeen,
};

/** https://html.spec.whatwg.org/#dom-form-elements */
export const elementsOfForm = (form: Element): readonly Element[] => [...formElements(form)];

function textOf(node: Node): string | null {
  const type = nodeType(node);
  return type === 3 || type === 4 ? dataOf(node) : null;
}

export function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (let child = firstChild(node); child !== null; child = nextSibling(child)) children.push(child);
  return children;
}

/**
 * `ElementInternals.form` is private to the element, and searching `form.elements` for each element takes quadratic time.
 * Among custom elements, only form-associated ones match `:enabled` or `:disabled`.
 */
function customFormOwner(control: Element): Element | null {
  const id = getAttribute(control, 'form');
  const form = id === null ? closest(control, 'form') : elementById(rootOf(control), id);
  if (form === null || domTree.localName(form) !== 'form') return null;
  return matches(control, ':enabled, :disabled') ? form : null;
}

export function elementById(root: Node, id: string): Element | null {
  if (nodeType(root) === 1) return null;
  return nodeType(root) === 9 ? elementInDocument(root, id) : (root as DocumentFragment).getElementById(id);
}

/** Whether an element, or a slot that it is in, is in an ignored part of the page. */
export const isInIgnored = (element: Element): boolean => !isInside(element, rootOf(element), ignoreAttribute);

export const documentUrl = (node: Node): string => urlOf(documentOf(node));
