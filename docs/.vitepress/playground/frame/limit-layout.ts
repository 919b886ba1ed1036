import { domTree } from '../../../../src/browser/dom/dom-tree.js';
import { descendants } from '../../../../src/compiler/tree.js';
import { method, setter } from '../../../../src/platform/primordials.js';

const setAttribute = method<Element, [string, string], void>('Element', 'setAttribute');
const setData = setter<Node, string>('CharacterData', 'data');
const remove = method<Element, [], void>('Element', 'remove');

const numbers = ['rowspan', 'colspan', 'span', 'size', 'rows', 'cols'];
const maxNumber = 50;
const maxTextLength = 5000;
const slowElements: ReadonlySet<string> = new Set([':svg', ':math', 'marquee', 'frameset', 'canvas', 'video', 'audio']);
/** https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes what can make the layout of a small page take minutes, where the frame shares its thread with the page around it.
 * The policy of the frame blocks styles and scripts.
 */
export function limitLayout(root: Node): void {
  for (const node of [...descendants(domTree, root)]) {
    if (!domTree.isElement(node)) limitText(node);
    else if (slowElements.has(domTree.localName(node))) remove(node);
    else limitElement(node);
  }
}

function limitElement(element: Element): void {
  for (const name of numbers)
    if (Number(domTree.attribute(element, name)) > maxNumber) setAttribute(element, name, String(maxNumber));
  const shadow = domTree.shadowRoot(element);
  if (shadow !== null) limitLayout(shadow);
}

function limitText(node: Node): void {
  const text = domTree.text(node);
  const limited = text?.replace(directions, '').slice(0, maxTextLength);
  if (limited !== undefined && limited !== text) setData(node, limited);
}
