import type { Mutable } from '../../description.js';
import { nameSet } from '../../html/elements.js';
import { isHidden, isUnread, lineBreaking } from '../../html/tree-reader.js';
import { isIgnored } from '../../ignored.js';
import type { Budget } from '../../limits.js';
import type { Tree } from '../../tree.js';

/** A block element around lines of text and controls. */
export interface Block {
  readonly outer: Block | undefined;
  readonly depth: number;
  /** The number of controls in the block. Each control is counted only in the `maxBlocks` nearest blocks around it. */
  controls: number;
  /** The cell, if the block is a cell. `inCell` is the nearest inclusive cell. */
  readonly cell: Cell | undefined;
  readonly inCell: Cell | undefined;
  /** The nearest inclusive hidden element, article or quotation, whose text describes only its own controls. */
  readonly closed: Block | undefined;
  readonly isTerm: boolean;
}

export interface Cell {
  readonly row: Row;
  readonly index: number;
  readonly column: number;
  readonly isHeader: boolean;
  readonly lines: Line[];
  hasControls: boolean;
}

export interface Row {
  readonly table: Table;
  readonly index: number;
  readonly cells: Cell[];
  columns: number;
  hasControls: boolean;
  /** The row with the titles of its columns; null without such a row, undefined before the search. */
  head: Row | null | undefined;
}

interface Table {
  readonly rows: Row[];
}

/** A run of text, a control, a button, or an `end`: a heading, or an element whose text already describes a control. */
type LineItem<Element> =
  | { readonly kind: 'text'; text: string; readonly label: Element | undefined; isLink: boolean }
  | { readonly kind: 'control'; readonly control: Element }
  | { readonly kind: 'end'; readonly heading?: Element }
  | { readonly kind: 'button' };

/** The text and controls between two line breaks, in the order of the source. */
export interface Line<Element = unknown> {
  readonly items: LineItem<Element>[];
  readonly block: Block;
}

const headings = nameSet('h1 h2 h3 h4 h5 h6 legend caption summary');
const closing = nameSet('article blockquote pre');
const controlNames = nameSet('input select textarea');
const nodeCost = 20;
/** The maximum number of blocks around a control that count it. */
export const maxBlocks = 20;
/** The number of characters of an attribute that are compared. */
const maxRead = 500;

interface Frame<Node, Element> {
  readonly nodes: readonly Node[];
  next: number;
  readonly block: Block;
  readonly table: Table | undefined;
  readonly row: Row | undefined;
  /** The label element around the nodes. */
  readonly label: Element | undefined;
  readonly isLink: boolean;
  readonly endsLine: boolean;
}

interface LayoutOptions<Element> {
  readonly form: Element;
  /** The form, or an element around its controls. */
  readonly root: Element;
  /** Whether the text of an element describes controls already. */
  readonly isUsed: (element: Element) => boolean;
  readonly budget: Budget;
}

/**
 * Reads the lines of a form as a person sees them without style sheets. Returns no lines if the budget is too small for
 * all of them.
 */
export const readLines = <Node, Element extends Node>(
  tree: Tree<Node, Element>,
  options: LayoutOptions<Element>,
): readonly Line<Element>[] => new LayoutReader(tree, options).read(options.root);

class LayoutReader<Node, Element extends Node> {
  readonly #tree: Tree<Node, Element>;
  readonly #form: Element;
  readonly #isUsed: (element: Element) => boolean;
  readonly #budget: Budget;
  readonly #lines: Line<Element>[] = [];
  #line: Line<Element> | undefined;

  constructor(tree: Tree<Node, Element>, { form, isUsed, budget }: LayoutOptions<Element>) {
    this.#tree = tree;
    this.#form = form;
    this.#isUsed = isUsed;
    this.#budget = budget;
  }

  read(root: Element): readonly Line<Element>[] {
    const stack = [outermost<Node, Element>(this.#tree.children(root))];
    let isCut = false;
    for (let top = stack.at(-1); top && !isCut; top = stack.at(-1)) {
      const node = top.nodes[top.next++];
      if (node === undefined) {
        stack.pop();
        if (top.endsLine) this.#line = undefined;
        continue;
      }
      const text = this.#tree.text(node);
      isCut = !this.#budget.spend(nodeCost + (text?.length ?? 0));
      if (text !== null) this.#addText(text, top);
      else if (this.#tree.isElement(node)) {
        const inner = this.#enter(node, top);
        if (inner) stack.push(inner);
      }
    }
    return isCut ? [] : this.#lines;
  }

  /** Returns the content to read next. */
  #enter(element: Element, top: Frame<Node, Element>): Frame<Node, Element> | undefined {
    const tree = this.#tree;
    const name = tree.localName(element);
    if (name === 'br') this.#line = undefined;
    if (controlNames.has(name)) return this.#addControl(element, top.block);
    if (name === 'button') return this.#add({ kind: 'button' }, top.block);
    if (name === 'form' && element !== this.#form) return undefined;
    const isOut = isHidden(tree, element);
    if (isOut ? isIgnored(tree, element) : isUnread(tree, element)) return undefined;
    if (headings.has(name)) {
      this.#line = undefined;
      this.#add({ kind: 'end', heading: element }, top.block);
      this.#line = undefined;
      return undefined;
    }
    if (this.#isUsed(element)) {
      this.#add({ kind: 'end' }, top.block);
      return { ...top, nodes: this.#controlsIn(element), next: 0, endsLine: false };
    }
    if (name === 'img') this.#addText(tree.attribute(element, 'alt') ?? '', top);
    const isClosed = closing.has(name) || isOut || isStyledAway(tree, element);
    const breaks = isClosed || lineBreaking.has(name);
    if (breaks) this.#line = undefined;
    return inside(tree, element, top, breaks, isClosed);
  }

  #add(item: LineItem<Element>, block: Block): undefined {
    if (this.#line?.block !== block) {
      this.#line = { items: [], block };
      this.#lines.push(this.#line);
      block.inCell?.lines.push(this.#line);
    }
    this.#line.items.push(item);
    if (item.kind !== 'text' && block.inCell) block.inCell.hasControls = block.inCell.row.hasControls = true;
  }

  #addText(text: string, { block, label, isLink }: Frame<Node, Element>): void {
    const isSpace = text.trim() === '';
    const last = this.#line?.block === block ? this.#line.items.at(-1) : undefined;
    if (last?.kind === 'text' && (isSpace || last.label === label)) {
      last.text += text;
      last.isLink &&= isLink || isSpace;
    } else if (!isSpace) this.#add({ kind: 'text', text, label, isLink }, block);
  }

  #addControl(element: Element, block: Block): undefined {
    const type = this.#tree.attribute(element, 'type')?.toLowerCase() ?? '';
    if (type === 'hidden') return undefined;
    if (/^(?:submit|image|reset|button)$/.test(type)) return this.#add({ kind: 'button' }, block);
    this.#add({ kind: 'control', control: element }, block);
    for (let up: Block | undefined = block, level = 0; up && level < maxBlocks; up = up.outer, level++) up.controls++;
  }

  /** The controls in an element whose text already describes a control. */
  #controlsIn(label: Element): readonly Node[] {
    const found: Node[] = [];
    const pending = [this.#tree.children(label).values()];
    for (let top = pending.at(-1); top; top = pending.at(-1)) {
      const { value: node } = top.next();
      if (node === undefined || !this.#budget.spend(nodeCost)) pending.pop();
      else if (!this.#tree.isElement(node)) continue;
      else if (controlNames.has(this.#tree.localName(node))) found.push(node);
      else pending.push(this.#tree.children(node).values());
    }
    return found;
  }
}

function outermost<Node, Element>(nodes: readonly Node[]): Frame<Node, Element> {
  const none = { outer: undefined, cell: undefined, inCell: undefined, closed: undefined };
  const block = { ...none, depth: 0, controls: 0, isTerm: false };
  return { nodes, next: 0, block, table: undefined, row: undefined, label: undefined, isLink: false, endsLine: false };
}

function inside<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  element: Element,
  top: Frame<Node, Element>,
  breaks: boolean,
  isClosed: boolean,
): Frame<Node, Element> {
  const name = tree.localName(element);
  const table = name === 'table' ? { rows: [] } : top.table;
  const row = name === 'table' ? undefined : name === 'tr' && table ? addRow(table) : top.row;
  const isCell = name === 'td' || name === 'th';
  const cell = isCell && row ? addCell(row, name === 'th', Number(tree.attribute(element, 'colspan'))) : undefined;
  const rest = { table, row, label: name === 'label' ? element : top.label, isLink: top.isLink || name === 'a' };
  const { block: outer } = top;
  const content = { nodes: tree.children(element), next: 0, ...rest, endsLine: breaks };
  if (!breaks) return { ...content, block: outer };
  const block: Mutable<Block> = {
    outer,
    depth: outer.depth + 1,
    controls: 0,
    cell,
    inCell: cell ?? outer.inCell,
    closed: outer.closed,
    isTerm: name === 'dt',
  };
  if (isClosed) block.closed = block;
  return { ...content, block };
}

function addRow(table: Table): Row {
  const row = { table, index: table.rows.length, cells: [], columns: 0, hasControls: false, head: undefined };
  table.rows.push(row);
  return row;
}

function addCell(row: Row, isHeader: boolean, span: number): Cell {
  const cell = { row, index: row.cells.length, column: row.columns, isHeader, lines: [], hasControls: false };
  row.cells.push(cell);
  row.columns += span > 1 && span < 100 ? Math.floor(span) : 1;
  return cell;
}

/** Whether an element is hidden by its `style` attribute. */
const isStyledAway = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(
    (tree.attribute(element, 'style') ?? '').slice(0, maxRead),
  );
