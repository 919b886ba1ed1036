import { htmlName, isElement, parentNode } from '../../../platform/dom.js';
import { isRendered, query } from '../../dom/dom-tree.js';
import { contains, matches, nextElement, previousElement } from '../../dom/members.js';

const editables = '[contenteditable]:not([contenteditable=false],[tabindex="-1"])'; // Quill 1 has a second one for pasting
const controls = 'textarea,input[type=hidden]:is([toolparamdescription],[data-toolparamdescription])';

/** The outermost matching elements among an element and its descendants. */
function outermost(element: Element | null, selector: string): readonly Element[] {
  if (!element) return [];
  const found: Element[] = [];
  for (const each of matches(element, selector) ? [element] : query(element, selector)) {
    const last = found.at(-1);
    if (!last || !contains(last, each)) found.push(each);
  }
  return found;
}

/**
 * The element that matches the selector beside a control without a box: in a sibling, or in the closest ancestor with a match.
 * Undefined if several elements match, or if the ancestor contains another such control.
 */
export function findBeside(control: Element, selector = editables): Element | undefined {
  let found: readonly Element[] = [nextElement(control), previousElement(control)].flatMap((each) =>
    outermost(each, selector),
  );
  let parent = parentNode(control);
  while (found.length === 0 && parent && isElement(parent) && htmlName(parent) !== 'body') {
    found = outermost(parent, selector);
    if (found.length > 0 && (isRendered(control) || isShared(parent, control))) return undefined;
    parent = htmlName(parent) === 'form' ? null : parentNode(parent);
  }
  return found.length === 1 && !isRendered(control) ? found[0] : undefined;
}

const isShared = (field: Element, control: Element): boolean =>
  query(field, controls).some((each) => each !== control && !isRendered(each));
