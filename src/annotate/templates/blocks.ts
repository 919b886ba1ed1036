import type { Block, MaskedText } from './masked-text.js';

/** Whether a start tag is in a loop of its template, or has a block that does not end in it. */
interface TagContext {
  readonly isRepeated: boolean;
  readonly isConditional: boolean;
}

/** Reads the blocks around start tags, which are asked for in the order of the source. */
export class BlockReader {
  readonly #masked: MaskedText;
  readonly #open: Block[] = [];
  #next = 0;

  constructor(masked: MaskedText) {
    this.#masked = masked;
  }

  contextOf(start: number, end: number): TagContext {
    this.#readUntil(start);
    const isRepeated = this.#masked.repeated.has(start) || this.#open.some(({ isLoop }) => isLoop);
    const before = [...this.#open];
    this.#readUntil(end);
    const isSame = before.length === this.#open.length && before.every((block, index) => this.#open[index] === block);
    return { isRepeated, isConditional: !isSame };
  }

  #readUntil(offset: number): void {
    const { constructs } = this.#masked;
    for (let next = constructs[this.#next]; next && next.start < offset; next = constructs[++this.#next])
      for (const block of next.blocks) this.#read(block);
  }

  #read(block: Block): void {
    if (block.opens !== undefined) this.#open.push(block);
    if (block.closes === undefined) return;
    const at =
      block.closes === '' ? this.#open.length - 1 : this.#open.findLastIndex(({ opens }) => opens === block.closes);
    if (at >= 0) this.#open.splice(at);
  }
}
