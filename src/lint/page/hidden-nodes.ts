import { labelableElements, listedElements } from '../../compiler/html/elements.js';
import { collapseWhitespace } from '../../compiler/html/text.js';
import { descendants } from '../../compiler/tree.js';
import type { Parse5Element, Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';
import { hidingOf, type Hiding } from './hiding.js';

/** An element that hides its content from people. */
export interface HiddenNode extends Hiding {
  readonly element: Parse5Element;
  /** The beginning of its text. */
  readonly text: string;
}

interface Range {
  readonly start: number;
  end: number;
  /** The nearest hidden element that is this one or contains it. */
  readonly hidden: Parse5Element | undefined;
}

interface Frame {
  readonly nodes: readonly Parse5Node[];
  next: number;
  /** That of the element which contains the nodes. */
  readonly range: Range | undefined;
  readonly hidden: Parse5Element | undefined;
}

/** Pages without these words in their source have no hidden nodes. */
const mayHide = /\bhidden\b|\bstyle\s*=/i;

const withoutText = new Set([...labelableElements, 'script', 'style', 'template', 'option', 'datalist']);

/** The maximum length of the text of a hidden node, and the maximum number of hidden nodes in one element. */
const maxTextLength = 2000;
const maxNodes = 20;

/** The names of elements that rules look up. Elements with an ID, a role or the name of a custom element are looked up as well. */
const asked = new Set([...listedElements, ...labelableElements, 'label', 'legend', 'form']);

/** The hidden nodes of a page. Each element is visited once. Only the ranges of elements that rules look up are stored. */
export class HiddenNodes {
  readonly #page: Parse5Page;
  readonly #ranges = new Map<Parse5Element, Range>();
  #byPlace: ReadonlyMap<string, Parse5Element> | undefined;
  /** In document order. */
  readonly #hidden: (readonly [Parse5Element, Hiding])[] = [];

  constructor(html: string, page: Parse5Page) {
    this.#page = page;
    if (mayHide.test(html)) this.#walk();
  }

  get isEmpty(): boolean {
    return this.#hidden.length === 0;
  }

  /** The element whose start tag is at a place. */
  elementAt({ line, column }: { readonly line: number; readonly column: number }): Parse5Element | undefined {
    this.#byPlace ??= elementsByPlace(this.#ranges.keys());
    return this.#byPlace.get(`${line}:${column}`);
  }

  /** The hidden node that an element is in, but a control is not: the whole text of the element is hidden. */
  around(element: Parse5Element, control: Parse5Element): HiddenNode | undefined {
    const hidden = this.#ranges.get(element)?.hidden;
    const [range, inner] = [hidden && this.#ranges.get(hidden), this.#ranges.get(control)];
    if (!hidden || !range || (inner && contains(range, inner))) return undefined;
    const hiding = hidingOf(hidden);
    return hiding && { ...hiding, element: hidden, text: this.#textOf(element) };
  }

  /** The outermost hidden nodes in an element. */
  within(element: Parse5Element): readonly HiddenNode[] {
    const range = this.#ranges.get(element);
    if (!range) return [];
    const found: HiddenNode[] = [];
    let end = range.start;
    for (let index = this.#firstAfter(range.start); found.length < maxNodes; index++) {
      const [node, hiding] = this.#hidden[index] ?? [];
      const inner = node && this.#ranges.get(node);
      if (!node || !hiding || !inner || inner.start >= range.end) break;
      if (inner.start < end) continue;
      end = inner.end;
      found.push({ ...hiding, element: node, text: this.#textOf(node) });
    }
    return found;
  }

  #firstAfter(start: number): number {
    let [low, high] = [0, this.#hidden.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const [node] = this.#hidden[middle] as readonly [Parse5Element, Hiding];
      if ((this.#ranges.get(node)?.start ?? 0) > start) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #walk(): void {
    const { tree, document } = this.#page;
    const stack: Frame[] = [{ nodes: tree.children(document), next: 0, range: undefined, hidden: undefined }];
    let count = 0;
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const node = top.nodes[top.next++];
      if (node === undefined) {
        if (top.range) top.range.end = count;
        stack.pop();
      } else if (tree.isElement(node)) {
        const range = this.#enter(node, count++, top.hidden);
        const nodes = this.#nodesIn(node);
        if (nodes.length > 0) stack.push({ nodes, next: 0, range, hidden: range ? range.hidden : top.hidden });
      }
    }
  }

  #nodesIn(element: Parse5Element): readonly Parse5Node[] {
    const { tree } = this.#page;
    const shadow = tree.shadowRoot(element);
    const nodes = tree.children(element);
    return shadow === null ? nodes : [...nodes, ...tree.children(shadow)];
  }

  /** Returns the range of an element that hides its content, or that may be asked for. */
  #enter(element: Parse5Element, start: number, around: Parse5Element | undefined): Range | undefined {
    const { tagName, attrs } = element;
    let isAsked = asked.has(tagName) || tagName.includes('-');
    let mayBeHidden = false;
    for (const { name } of attrs) {
      if (name === 'id' || name === 'role') isAsked = true;
      else if (name === 'hidden' || name === 'style' || name === 'aria-hidden') mayBeHidden = true;
    }
    const hiding = mayBeHidden && !withoutText.has(this.#page.tree.localName(element)) ? hidingOf(element) : undefined;
    if (hiding) this.#hidden.push([element, hiding]);
    else if (!isAsked) return undefined;
    const range: Range = { start, end: start + 1, hidden: hiding ? element : around };
    this.#ranges.set(element, range);
    return range;
  }

  #textOf(element: Parse5Element): string {
    const { tree } = this.#page;
    const skip = (node: Parse5Node): boolean => tree.isElement(node) && withoutText.has(tree.localName(node));
    let text = '';
    for (const node of descendants(tree, element, skip)) {
      text += tree.isElement(node) ? ' ' : (tree.text(node) ?? '');
      if (text.length > maxTextLength) break;
    }
    return collapseWhitespace(text.slice(0, maxTextLength));
  }
}

function elementsByPlace(elements: Iterable<Parse5Element>): ReadonlyMap<string, Parse5Element> {
  const found = new Map<string, Parse5Element>();
  for (const element of elements) {
    const location = element.sourceCodeLocation;
    if (location) found.set(`${location.startLine}:${location.startCol}`, element);
  }
  return found;
}

const contains = (outer: Range, inner: Range): boolean => outer.start <= inner.start && inner.start < outer.end;
