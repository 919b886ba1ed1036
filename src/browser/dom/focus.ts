import { withoutPrototype } from '../../platform/collections.js';
import { documentOf, domTree } from './dom-tree.js';
import { activeElement, blur, documentHasFocus, focusElement, isConnected } from './members.js';

const preventScroll = withoutPrototype({ preventScroll: true });

/** Focuses an element without scrolling to it. */
export const focus = (element: Element): void => focusElement(element, preventScroll);

/** Whether the window of a node has the focus: in other windows, no focus events are dispatched. */
export const hasFocus = (node: Node): boolean => documentHasFocus(documentOf(node));

/** The element that has the focus, also inside of shadow trees; the body or null if no element has the focus. */
export const focusedElement = (node: Node): Element | null => activeInShadows(activeElement(documentOf(node)));

function activeInShadows(active: Element | null): Element | null {
  const shadow = active && (domTree.shadowRoot(active) as ShadowRoot | null);
  const inside = shadow ? shadow.activeElement : null;
  return inside ? activeInShadows(inside) : active;
}

/** Moves the focus back to the element that had it, if a listener of the page has moved it since. */
export function restoreFocus(node: Node, before: Element | null): void {
  const after = focusedElement(node);
  if (after === before || !after || !isHtml(after)) return;
  if (before && isHtml(before) && isConnected(before) && domTree.localName(before) !== 'body') focus(before);
  else blur(after);
}

const isHtml = (element: Element): boolean => !domTree.localName(element).startsWith(':');
