import { getter, method } from '../../../platform/primordials.js';
import { domTree, isRendered, query } from '../../dom/dom-tree.js';

const nextSibling = getter<Element, Element | null>('Element', 'nextElementSibling');
const previousSibling = getter<Element, Element | null>('Element', 'previousElementSibling');
const contains = method<Node, [Node], boolean>('Node', 'contains');
const select = method<Element, [string], NodeList>('Element', 'querySelectorAll');
const nodeCount = getter<NodeList, number>('NodeList', 'length');
const nodeAt = method<NodeList, [number], Element>('NodeList', 'item');
const matches = method<Element, [string], boolean>('Element', 'matches');

const editables = '[contenteditable]:not([contenteditable=false],[tabindex="-1"])'; // Quill 1 has a second one for pasting
const controls = 'textarea,input[type=hidden]:is([toolparamdescription],[data-toolparamdescription])';

/** The outermost elements that match, of an element and its descendants. */
function outermost(element: Element | null, selector: string): readonly Element[] {
  if (!element) return [];
  const found: Element[] = [];
  for (const each of matches(element, selector) ? [element] : query(element, selector)) {
    const last = found.at(-1);
    if (!last || !contains(last, each)) found.push(each);
  }
  return found;
}

/** The only element that matches beside a control without a box: in a sibling, or in the closest ancestor with a match. */
export function findBeside(control: Element, selector = editables): Element | undefined {
  let found: readonly Element[] = [nextSibling(control), previousSibling(control)].flatMap((each) =>
    outermost(each, selector),
  );
  let parent = domTree.parent(control);
  while (found.length === 0 && parent && domTree.isElement(parent) && domTree.localName(parent) !== 'body') {
    found = outermost(parent, selector);
    if (found.length > 0 && (isRendered(control) || isShared(parent, control))) return undefined;
    parent = domTree.localName(parent) === 'form' ? null : domTree.parent(parent);
  }
  return found.length === 1 && !isRendered(control) ? found[0] : undefined;
}

function isShared(field: Element, control: Element): boolean {
  const list = select(field, controls);
  for (let index = 0, count = nodeCount(list); index < count; index++) {
    const each = nodeAt(list, index);
    if (each !== control && !isRendered(each)) return true;
  }
  return false;
}
