import { getter } from '../../platform/primordials.js';
import { domTree } from './dom-tree.js';

const activeInDocument = getter<Document, Element | null>('Document', 'activeElement');
const activeInShadow = getter<Node, Element | null>('ShadowRoot', 'activeElement');
const inputType = getter<Element, string>('HTMLInputElement', 'type');
const isContentEditable = getter<Element, boolean>('HTMLElement', 'isContentEditable');
const untyped = /^(?:button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/;

/** Whether a person may be typing: the focus is on what takes text. */
export function isTyping(document: Document): boolean {
  const active = deepest(activeInDocument(document));
  if (!active || !domTree.isElement(active)) return false;
  const name = domTree.localName(active);
  if (name === 'input') return !untyped.test(inputType(active));
  return name === 'textarea' || isContentEditable(active);
}

function deepest(active: Element | null): Element | null {
  const shadow = active && domTree.shadowRoot(active);
  const inside = shadow ? activeInShadow(shadow) : null;
  return inside ? deepest(inside) : active;
}
