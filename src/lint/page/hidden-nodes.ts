import { labelableElements } from '../../compiler/html/elements.js';
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

/** Pages without these words in their source have no hidden nodes. */
const mayHide = /\bhidden\b|\bstyle\s*=/i;

const withoutText = new Set([...labelableElements, 'script', 'style', 'template', 'option', 'datalist']);

/** The limit for a text, and for the hidden nodes in one element. */
const maxTextLength = 2000;
const maxNodes = 20;

/** The hidden nodes of a page. Each element is visited once. */
export class HiddenNodes {
  readonly #page: Parse5Page;
  readonly #ranges = new Map<Parse5Element, Range>();
  readonly #byPlace = new Map<string, Parse5Element>();
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
    const stack: { readonly nodes: readonly Parse5Node[]; next: number; readonly range?: Range }[] = [
      { nodes: tree.children(document), next: 0 },
    ];
    let count = 0;
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const node = top.nodes[top.next++];
      if (node === undefined) {
        if (top.range) top.range.end = count;
        stack.pop();
      } else if (tree.isElement(node)) {
        const range = this.#enter(node, count++, top.range?.hidden);
        const shadow = tree.shadowRoot(node);
        const nodes = [...tree.children(node), ...(shadow === null ? [] : tree.children(shadow))];
        stack.push({ nodes, next: 0, range });
      }
    }
  }

  #enter(element: Parse5Element, start: number, around: Parse5Element | undefined): Range {
    const hiding = withoutText.has(this.#page.tree.localName(element)) ? undefined : hidingOf(element);
    const range: Range = { start, end: start + 1, hidden: hiding ? element : around };
    this.#ranges.set(element, range);
    if (hiding) this.#hidden.push([element, hiding]);
    const location = element.sourceCodeLocation;
    if (location) this.#byPlace.set(`${location.startLine}:${location.startCol}`, element);
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

const contains = (outer: Range, inner: Range): boolean => outer.start <= inner.start && inner.start < outer.end;
