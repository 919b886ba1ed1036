import { labelableElements, listedElements } from '../../compiler/html/elements.js';
import { collapseWhitespace } from '../../compiler/html/text.js';
import { descendants } from '../../compiler/tree.js';
import type { Parse5Element, Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';
import { attributeOf } from './place.js';

/** An element that hides its content from people. */
export interface HiddenNode extends Hiding {
  readonly element: Parse5Element;
  /** The beginning of its text. */
  readonly text: string;
}

interface Range {
  readonly start: number;
  end: number;
  /** The nearest hidden element that is or contains this element. */
  readonly hidden: Parse5Element | undefined;
}

interface Frame {
  readonly nodes: readonly Parse5Node[];
  next: number;
  /** The range of the element that contains the nodes. */
  readonly range: Range | undefined;
  readonly hidden: Parse5Element | undefined;
}

/** A fast pretest: pages without a match have no hidden nodes. */
const mayHide = /\bhidden\b|\bstyle\s*=/i;

const withoutText = new Set([...labelableElements, 'script', 'style', 'template', 'option', 'datalist']);

/** The maximum length of the text of a hidden node, and the maximum number of hidden nodes in one element. */
const maxTextLength = 2000;
const maxNodes = 20;

/** The names of elements that rules look up, besides custom elements and elements with an ID or a role. */
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

  /** The hidden node that contains an element; undefined if the node also contains the control. */
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

  /** Returns the range of an element that may hide its content, or that rules may look up. */
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

/** The reason why people do not see the content of an element. */
interface Hiding {
  /** The attribute or declaration, for messages. */
  readonly how: string;
  /**
   * `nobody`: hidden from people and from screen readers. `unseen`: available only to screen readers. `trick`: a style whose
   * only purpose is to hide text.
   */
  readonly kind: 'nobody' | 'unseen' | 'trick';
}

/** The hiding of an element by its own attributes. Style sheets are not considered. */
function hidingOf(element: Parse5Element): Hiding | undefined {
  if (attributeOf(element, 'hidden') !== undefined) return { how: 'hidden', kind: 'nobody' };
  const style = attributeOf(element, 'style');
  const byStyle = style === undefined ? undefined : hidingOfStyle(style);
  if (byStyle) return byStyle;
  return attributeOf(element, 'aria-hidden')?.trim().toLowerCase() === 'true'
    ? { how: 'aria-hidden', kind: 'unseen' }
    : undefined;
}

const maxStyleLength = 10_000;

function hidingOfStyle(style: string): Hiding | undefined {
  const styles = declarations(style.slice(0, maxStyleLength));
  for (const [name, isHiding, kind] of table) {
    const value = styles.get(name);
    if (value !== undefined && isHiding(value)) return { how: `${name}: ${value.slice(0, 40)}`, kind };
  }
  return boxHiding(styles);
}

interface Length {
  readonly number: number;
  readonly unit: string;
}

function lengthOf(value: string): Length | undefined {
  const [, number, unit = ''] = /^([+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20}))([a-z%]{0,4})$/.exec(value) ?? [];
  return number === undefined ? undefined : { number: Number(number), unit };
}

const pixelUnits = new Set(['', 'px', 'pt']);

/** Whether a length is zero or one pixel. */
function isTiny(value: string): boolean {
  const { number = 9, unit = '' } = lengthOf(value) ?? {};
  return number === 0 || (pixelUnits.has(unit) && Math.abs(number) <= 1);
}

/** Whether a length moves a box out of the page. */
function isFar(value: string): boolean {
  const { number = 0, unit = '' } = lengthOf(value) ?? {};
  return number <= (pixelUnits.has(unit) ? -500 : -90);
}

const matches = (pattern: RegExp) => (value: string) => pattern.test(value);

function isTransparent(value: string): boolean {
  const [, alpha] = /^(?:rgb|hsl)a?\([^)]*[,/]\s*(\d*\.?\d+)%?\s*\)$/.exec(value) ?? [];
  const hasAlpha = value.includes('/') || value.split(',').length === 4;
  if (alpha !== undefined && hasAlpha) return Number(alpha) === 0;
  return /^transparent$|^#[\da-f]{3}0$|^#[\da-f]{6}00$/.test(value);
}

const table: readonly (readonly [name: string, isHiding: (value: string) => boolean, kind: Hiding['kind']])[] = [
  ['display', matches(/^none$/), 'nobody'],
  ['visibility', matches(/^(?:hidden|collapse)$/), 'nobody'],
  ['content-visibility', matches(/^hidden$/), 'nobody'],
  ['font-size', isTiny, 'trick'],
  ['font', matches(/(?:^|\s)0(?:px|pt|em|rem|%)?(?:\/|\s)/), 'trick'],
  ['opacity', (value) => Number.parseFloat(value) <= (value.endsWith('%') ? 5 : 0.05), 'trick'],
  ['color', isTransparent, 'trick'],
  ['text-indent', isFar, 'unseen'],
  ['clip', matches(/^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)$/), 'unseen'],
  ['clip-path', matches(/^(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0)/), 'unseen'],
  ['transform', matches(/^scale\(\s*0(?:\.0*)?\s*[,)]/), 'trick'],
];

const sides = ['left', 'right', 'top', 'bottom', 'inset-inline-start', 'margin-left', 'margin-top'];
const sizes = ['width', 'height', 'max-width', 'max-height'];

/** Finds styles that move a box out of the page, or that clip the content of a box of at most one pixel. */
function boxHiding(styles: ReadonlyMap<string, string>): Hiding | undefined {
  const find = (names: readonly string[], isHiding: (value: string) => boolean): Hiding | undefined => {
    const name = names.find((each) => isHiding(styles.get(each) ?? ''));
    return name === undefined ? undefined : { how: `${name}: ${styles.get(name)}`, kind: 'unseen' };
  };
  const isPositioned = /^(?:absolute|fixed|relative)$/.test(styles.get('position') ?? '');
  const isCut = /^(?:hidden|clip)$/.test(styles.get('overflow') ?? '');
  return find(isPositioned ? sides : sides.slice(-2), isFar) ?? (isCut ? find(sizes, isTiny) : undefined);
}

/** The declarations of a style attribute, in lower case. The last declaration of a name takes precedence. */
function declarations(style: string): ReadonlyMap<string, string> {
  const plain = style
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replace(/\\([\da-f]{1,6})[\t\n\f\r ]?|\\(.)/gi, (_, hex: string | undefined, character: string) =>
      hex === undefined ? character : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
    )
    .toLowerCase();
  const found = new Map<string, string>();
  for (const declaration of plain.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const value = declaration.slice(colon + 1).replace(/!\s*important\s*$/, '');
    found.set(declaration.slice(0, colon).trim(), value.trim());
  }
  return found;
}
