import { maxBlocks, type Block, type Cell, type Line, type Row } from './lines.js';
import {
  hasLetters,
  isHint,
  isSentence,
  isSeparator,
  labelOf,
  maxLength,
  type NearbyLabel,
  type NearbyOrigin,
} from './nearby-text.js';

/** The labels of a control that the markup does not connect with it. */
interface NearbyLabels {
  readonly label?: NearbyLabel | undefined;
  /** The question that radio buttons or checkboxes of one name answer. Set for the first of them. */
  readonly question?: NearbyLabel | undefined;
}

/** The properties of a control that the search needs. */
export interface Labeled {
  readonly isChoice: boolean;
  /** The key that the choices of one question share. */
  readonly group: string;
}

/** The maximum length of the label of a choice, in characters. A longer text is not a label. */
const maxChoiceLength = 300;
/** The maximum number of blocks around a line up to the block that also contains its label. */
const maxSteps = 10;
/** The maximum number of lines with hints between a control and its label. */
const maxHints = 2;
/** The maximum number of fields that have one label together, such as the parts of a number. */
const maxParts = 12;
/** The maximum number of cells in a row, and of lines in a cell, of a table that arranges labels and controls. */
const maxCells = 100;
const maxCellLines = 20;

/** Finds the strings that a person reads as labels, by their places in the lines of a form. Ambiguous strings are not labels. */
export function findNearbyLabels<Element>(
  lines: readonly Line<Element>[],
  kindOf: (control: Element) => Labeled,
): ReadonlyMap<Element, NearbyLabels> {
  const found = new Map<Element, NearbyLabels>();
  const asked = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const shown = new ShownLine(lines, index, kindOf);
    for (const [position, item] of line.items.entries()) {
      if (item.kind !== 'control') continue;
      const { isChoice, group } = kindOf(item.control);
      if (!isChoice) found.set(item.control, { label: shown.fieldLabel(position) });
      else {
        const question = asked.has(group) ? undefined : shown.question(position);
        asked.add(group);
        found.set(item.control, { label: shown.choiceLabel(position), question });
      }
    }
  }
  return found;
}

class ShownLine<Element> {
  readonly #lines: readonly Line<Element>[];
  readonly #index: number;
  readonly #line: Line<Element>;
  readonly #kindOf: (control: Element) => Labeled;
  readonly #controlCount: number;
  /** The position of the first item that is not a string. */
  readonly #firstOther: number;
  /** Whether the labels of the line's choices are after them: a string or a label follows the last choice. */
  readonly #isLabeledAfter: boolean;

  constructor(lines: readonly Line<Element>[], index: number, kindOf: (control: Element) => Labeled) {
    this.#lines = lines;
    this.#index = index;
    this.#line = lines[index] as Line<Element>;
    this.#kindOf = kindOf;
    const { items } = this.#line;
    this.#controlCount = items.filter(({ kind }) => kind === 'control').length;
    this.#firstOther = items.findIndex(({ kind }) => kind !== 'text');
    const last = items.findLastIndex((item) => item.kind === 'control' && kindOf(item.control).isChoice);
    const next = items.slice(last + 1).find((item) => item.kind !== 'text' || hasLetters(item.text));
    this.#isLabeledAfter = next?.kind === 'text' || next?.kind === 'end';
  }

  /**
   * The string that labels a text field or select: before it in its line, else beside or above the line or, for the
   * only control of the line, after it.
   */
  fieldLabel(position: number): NearbyLabel | undefined {
    const fields = this.#sharing(position);
    if (fields.length > maxParts) return undefined;
    const [first = position] = fields;
    const count = fields.length;
    if (count > 1 && this.#labelsBefore(first) === count)
      return this.#textAt(first - count + fields.indexOf(position), maxLength);
    const isFirst = count === 1 ? this.#isFirst(first) : this.#firstOther >= first;
    const own = this.#textBefore(first) ?? (isFirst ? this.#context(count) : undefined);
    const label = own ?? (this.#controlCount === 1 ? this.#textAfter(position) : undefined);
    if (!label || count === 1) return label;
    return { ...label, text: `${label.text} (${fields.indexOf(position) + 1}/${count})` };
  }

  /**
   * The text after a checkbox or radio button, or before it if the last choice of the line has no text after it. The
   * text for a control that is alone in its line is near the line.
   */
  choiceLabel(position: number): NearbyLabel | undefined {
    if (this.#isLabeledAfter) return this.#textAt(position + 1, maxChoiceLength);
    const before = this.#textAt(position - 1, maxChoiceLength);
    if (before || this.#line.items.length > 1) return before;
    const after = this.#textAfterLine();
    return after && !isSentence(after.text) ? after : (this.#context(1) ?? after);
  }

  question(position: number): NearbyLabel | undefined {
    if (!this.#isFirst(position)) return undefined;
    const isLabeled = this.#line.items[position - 1]?.kind === 'end'; // its own label begins before it
    const own = isLabeled || this.#isLabeledAfter ? this.#textBefore(isLabeled ? position - 1 : position) : undefined;
    return own ?? this.#context(Infinity);
  }

  /** The positions of the fields that share one label, because only separators are between them. */
  #sharing(position: number): readonly number[] {
    const { items } = this.#line;
    const isPart = (at: number): boolean => {
      const item = items[at];
      if (item?.kind === 'control') return !/^(?:checkbox|radio|password) /.test(this.#kindOf(item.control).group);
      return item?.kind === 'text' && isSeparator(item.text);
    };
    let [start, end] = [position, position];
    const isShort = (): boolean => end - start <= 2 * maxParts;
    while (isShort() && isPart(start - 1)) start--;
    while (isShort() && isPart(end + 1)) end++;
    const fields: number[] = [];
    for (let at = start; at <= end; at++) if (items[at]?.kind === 'control') fields.push(at);
    return fields;
  }

  /** The number of consecutive label elements before a position. */
  #labelsBefore(position: number): number {
    const isLabel = (item: Line<Element>['items'][number] | undefined): boolean =>
      item?.kind === 'text' && item.label !== undefined;
    let count = 0;
    while (count <= maxParts && isLabel(this.#line.items[position - 1 - count])) count++;
    return count;
  }

  /** The text after a field. It may be the rest of the value: `…@example.com`. */
  #textAfter(position: number): NearbyLabel | undefined {
    const found = this.#textAt(position + 1, maxLength);
    return found && { ...found, text: found.text.replace(/^[@.]/, '…$&') };
  }

  #isFirst(position: number): boolean {
    const isLabeled = this.#firstOther === position - 1 && this.#line.items[position - 1]?.kind === 'end';
    return isLabeled || this.#firstOther >= position;
  }

  #textBefore(position: number): NearbyLabel | undefined {
    const before = this.#line.items[position - 2];
    const item = this.#line.items[position - 1];
    const areLabels = before?.kind === 'text' && item?.kind === 'text' && before.label && item.label;
    const isTaken = areLabels || (before?.kind === 'control' && this.#kindOf(before.control).isChoice);
    if (isTaken || (item?.kind === 'text' && item.isLink)) return undefined;
    return this.#textAt(position - 1, maxLength);
  }

  #textAt(position: number, limit: number): NearbyLabel | undefined {
    const item = this.#line.items[position];
    return item?.kind === 'text' ? labelOf(item.text, item.label ? 'label' : 'text', limit) : undefined;
  }

  /** The text of the lines before this one, the cells beside it, or the head of its column. */
  #context(controls: number): NearbyLabel | undefined {
    let { block }: { block: Block | undefined } = this.#line;
    const above = this.#lineAbove(controls);
    if (above) return above;
    for (let level = 0; block && level < maxBlocks; level++, block = block.outer) {
      if (block.controls > controls && block.controls > this.#controlCount) return undefined;
      if (!block.cell) continue;
      const found = besideCell(block.cell, this.#line.block.closed);
      if (found) return found;
    }
    return undefined;
  }

  /** The nearest line of text before this one, if no other control is near it. */
  #lineAbove(controls: number): NearbyLabel | undefined {
    const own = this.#line.block;
    for (let at = this.#index - 1, hints = 0; at >= 0 && hints <= maxHints; at--, hints++) {
      const line = this.#lines[at] as Line<Element>;
      const item = line.items.at(-1);
      if (item?.kind !== 'text' || (line.items.length > 1 && !item.label)) return undefined;
      if (isHint(item.text)) continue;
      if (line.block.closed && line.block.closed !== own.closed) return undefined;
      const shared = commonBlock(own, line.block);
      if (!shared || item.isLink || inCells(own, shared) || inCells(line.block, shared)) return undefined;
      if ((childOf(line.block, shared)?.controls ?? 0) > 0) return undefined;
      const around = childOf(own, shared);
      const isAlone = around ? around.controls <= Math.max(controls, this.#controlCount) : !this.#isFollowed();
      if (!isAlone) return undefined;
      return labelOf(item.text, line.block.isTerm ? 'term' : item.label ? 'label' : 'text', maxLength, true);
    }
    return undefined;
  }

  /** Whether the next line of the same block is a control alone. The string before this line then labels both lines. */
  #isFollowed(): boolean {
    const next = this.#lines[this.#index + 1];
    return next?.block === this.#line.block && next.items[0]?.kind === 'control' && next.items.length === 1;
  }

  /** The text in the next line or cell, for a checkbox that is alone in its line. */
  #textAfterLine(): NearbyLabel | undefined {
    const next = this.#lines[this.#index + 1];
    const [item, ...others] = next?.items ?? [];
    if (!next || item?.kind !== 'text' || others.length > 0) return undefined;
    const shared = commonBlock(this.#line.block, next.block);
    if (!shared || shared.controls !== 1 || shared.depth === 0) return undefined;
    return labelOf(item.text, next.block.cell ? 'cell' : 'text', maxChoiceLength);
  }
}

/**
 * The text of the nearest non-empty cell before a cell in its row, else the head of its column. The text of the row's
 * first cell follows the head, if a non-empty cell is before the cell.
 */
function besideCell(cell: Cell, closed: Block | undefined): NearbyLabel | undefined {
  const { row, index, column } = cell;
  if (row.cells.length > maxCells) return undefined;
  const nearest = row.cells.slice(0, index).findLast((each) => each.lines.length > 0);
  const beside = nearest && cellText(nearest, 'cell', closed);
  if (beside) return beside;
  const head = headOf(row);
  const title = head && titleIn(head, row, column);
  const isNear =
    head && (head.index === row.index - 1 || head.cells.every((each) => each.isHeader) || row.cells.length > 1);
  const columnLabel = title && isNear ? cellText(title, 'column', closed) : undefined;
  if (!nearest || !columnLabel) return columnLabel;
  const first = row.cells[0] && cellText(row.cells[0], 'cell', closed);
  return first ? { ...columnLabel, text: `${columnLabel.text}, ${first.text}` } : columnLabel;
}

/** The cell above a column, or the only title above a cell that is alone in its row. */
function titleIn(head: Row, row: Row, column: number): Cell | undefined {
  if (head.columns === row.columns) return head.cells.find((each) => each.column === column);
  const [title, ...others] = head.cells.filter(({ lines }) => lines.length > 0);
  return row.cells.length === 1 && head.index === row.index - 1 && others.length === 0 ? title : undefined;
}

/**
 * The nearest preceding row without controls. A row with one column, such as the title of a table, is not the head of
 * several columns.
 */
function headOf(row: Row): Row | null {
  if (row.head !== undefined) return row.head;
  const columns = Math.min(2, row.columns);
  row.head = null;
  for (let at = row.index - 1; at >= 0; at--) {
    const before = row.table.rows[at] as Row;
    const isHead = !before.hasControls && before.columns >= columns;
    if (isHead) row.head = before;
    else if (before.head !== undefined && Math.min(2, before.columns) === columns) row.head = before.head;
    else continue;
    break;
  }
  return row.head;
}

function cellText(cell: Cell, origin: NearbyOrigin, closed: Block | undefined): NearbyLabel | undefined {
  if (cell.hasControls || cell.lines.length > maxCellLines) return undefined;
  const shown = cell.lines.filter(({ block }) => !block.closed || block.closed === closed);
  const texts = shown.flatMap(({ items }) => items.map((item) => (item.kind === 'text' ? item.text : '')));
  const first = texts.find((text) => !isHint(text));
  return first === undefined ? undefined : labelOf(first, origin, maxLength);
}

const chainOf = (block: Block, limit: number): readonly Block[] => {
  const chain: Block[] = [];
  for (let up: Block | undefined = block; up && chain.length <= limit; up = up.outer) chain.push(up);
  return chain;
};

function commonBlock(one: Block, other: Block): Block | undefined {
  const around = new Set(chainOf(one, maxSteps));
  return chainOf(other, maxSteps).find((block) => around.has(block));
}

/** The block around `inner` whose outer block is `outer`. */
const childOf = (inner: Block, outer: Block): Block | undefined =>
  chainOf(inner, maxSteps).find((block) => block.outer === outer);

/** Whether `inner` is in a cell inside `outer`. In a table, labels are found by rows and columns instead. */
function inCells(inner: Block, outer: Block): boolean {
  for (let up: Block | undefined = inner; up && up !== outer; up = up.outer) if (up.cell) return true;
  return false;
}
