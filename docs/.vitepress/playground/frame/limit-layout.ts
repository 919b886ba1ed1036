import { domTree } from '../../../../src/browser/dom/dom-tree.js';
import { descendants } from '../../../../src/compiler/tree.js';
import { method, setter } from '../../../../src/platform/primordials.js';

const setAttribute = method<Element, [string, string], void>('Element', 'setAttribute');
const removeAttribute = method<Element, [string], void>('Element', 'removeAttribute');
const setData = setter<Node, string>('CharacterData', 'data');
const remove = method<Element, [], void>('Element', 'remove');
const adoptStyles = setter<Document, readonly CSSStyleSheet[]>('Document', 'adoptedStyleSheets');

/** The policy of the frame blocks the styles of the page, but not those that a script constructs. */
const hidden = new CSSStyleSheet();
hidden.replaceSync(':root { display: none !important }');

const numbers = ['span', 'size', 'rows', 'cols'];
const maxNumber = 50;
const spans = ['rowspan', 'colspan'];
/** The number of places in tables that cells may span. */
const maxSpanned = 20_000;
const maxTextLength = 5000;
const slowElements: ReadonlySet<string> = new Set([':svg', ':math', 'marquee', 'frameset', 'canvas', 'video', 'audio']);
/** https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Keeps the document from being laid out until it is limited: WebKit lays it out when its writing ends, even in a frame that is
 * not displayed.
 */
export const preventLayout = (document: Document): void => adoptStyles(document, [hidden]);
export const allowLayout = (document: Document): void => adoptStyles(document, []);

/**
 * Removes what can make the layout of a small page take minutes, where the frame shares its thread with the page around it.
 * The policy of the frame blocks styles and scripts.
 */
export function limitLayout(root: Node, budget = { spanned: maxSpanned }): void {
  for (const node of [...descendants(domTree, root)]) {
    if (!domTree.isElement(node)) limitText(node);
    else if (slowElements.has(domTree.localName(node))) remove(node);
    else limitElement(node, budget);
  }
}

function limitElement(element: Element, budget: { spanned: number }): void {
  for (const name of numbers) if (numberOf(element, name) > maxNumber) setAttribute(element, name, String(maxNumber));
  const [rows = 1, columns = 1] = spans.map((name) => numberOf(element, name) || Infinity); // 0 spans all rows that follow
  const spanned = rows * columns;
  if (spanned <= budget.spanned) budget.spanned -= spanned - 1;
  else for (const name of spans) removeAttribute(element, name);
  const shadow = domTree.shadowRoot(element);
  if (shadow !== null) limitLayout(shadow, budget);
}

/** The number in an attribute, 1 without it, or Infinity if it has anything but up to five digits, which browsers read in many ways. */
function numberOf(element: Element, name: string): number {
  const text = domTree.attribute(element, name)?.trim() ?? '1';
  return /^[0-9]{1,5}$/.test(text) ? Number(text) : Infinity;
}

function limitText(node: Node): void {
  const text = domTree.text(node);
  const limited = text?.replace(directions, '').slice(0, maxTextLength);
  if (limited !== undefined && limited !== text) setData(node, limited);
}
