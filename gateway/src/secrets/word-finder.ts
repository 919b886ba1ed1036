/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds words in a text in one pass, however many and however alike they are: the automaton of Aho and Corasick. Its
 * states are the beginnings of the words, numbered from the shortest on; 0 is the empty one.
 * https://doi.org/10.1145/360825.360855
 */
export class WordFinder {
  /** Of each state: the one without its last character, and that character. */
  readonly #parents: Int32Array;
  readonly #codes: Uint16Array;
  /** The state of its longest end that is a beginning too. */
  readonly #fallbacks: Int32Array;
  readonly #depths: Int32Array;
  /** How long the longest word is that it ends with. */
  readonly #found: Int32Array;
  /** The states but the empty one, by their parents and codes. */
  readonly #table: Int32Array;
  #size = 1;

  constructor(words: readonly string[]) {
    const most = words.reduce((sum, { length }) => sum + length, 1);
    this.#parents = new Int32Array(most);
    this.#codes = new Uint16Array(most);
    this.#fallbacks = new Int32Array(most);
    this.#depths = new Int32Array(most);
    this.#found = new Int32Array(most);
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(most * 2)));
    let open = words.filter((word) => word !== '').map((word) => ({ word, state: 0 }));
    for (let depth = 1; open.length > 0; depth++) open = this.#grow(open, depth);
  }

  /** The parts of a text that the words cover; words that overlap are one part. */
  find(text: string): readonly Span[] {
    const spans: Span[] = [];
    for (let [at, state] = [0, 0]; at < text.length;) {
      state = this.#next(state, text.charCodeAt(at++));
      const length = this.#found[state] as number;
      if (length > 0) addSpan(spans, { start: at - length, end: at });
    }
    return spans;
  }

  /** How many characters at the end of a text are the beginning of a word. */
  begun(text: string): number {
    let state = 0;
    for (let at = 0; at < text.length; at++) state = this.#next(state, text.charCodeAt(at));
    return this.#depths[state] as number;
  }

  /** Takes the words one character further, and gives those that go on: level by level, fallbacks are there before. */
  #grow(open: readonly OpenWord[], depth: number): OpenWord[] {
    for (const each of open) {
      each.state = this.#childOf(each.state, each.word.charCodeAt(depth - 1), depth);
      if (each.word.length === depth) this.#found[each.state] = depth;
    }
    return open.filter(({ word }) => word.length > depth);
  }

  #childOf(parent: number, code: number, depth: number): number {
    const slot = this.#slotOf(parent, code);
    const known = this.#table[slot] as number;
    if (known > 0) return known;
    const fallback = parent === 0 ? 0 : this.#next(this.#fallbacks[parent] as number, code);
    const state = this.#size++;
    this.#table[slot] = state;
    [this.#parents[state], this.#codes[state], this.#depths[state]] = [parent, code, depth];
    [this.#fallbacks[state], this.#found[state]] = [fallback, this.#found[fallback] as number];
    return state;
  }

  #next(from: number, code: number): number {
    for (let state = from; ; state = this.#fallbacks[state] as number) {
      const next = this.#table[this.#slotOf(state, code)] as number;
      if (next > 0 || state === 0) return next;
    }
  }

  /** Where the table has a state, or has room for it. */
  #slotOf(parent: number, code: number): number {
    const last = this.#table.length - 1;
    for (let slot = hashOf(parent, code) & last; ; slot = (slot + 1) & last) {
      const state = this.#table[slot] as number;
      if (state === 0 || (this.#parents[state] === parent && this.#codes[state] === code)) return slot;
    }
  }
}

interface OpenWord {
  readonly word: string;
  state: number;
}

/** No page can know them, and so make words whose states share a hash. */
const [oneFactor, otherFactor] = [1, 2].map(() => Math.floor(Math.random() * 2 ** 31) | 1) as [number, number];

function hashOf(parent: number, code: number): number {
  const mixed = Math.imul(parent, oneFactor) + Math.imul(code, otherFactor);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 11;
}

/** Adds a part that ends after all the others. */
function addSpan(spans: Span[], { start, end }: Span): void {
  let first = start;
  for (let last = spans.at(-1); last && last.end > start; last = spans.at(-1)) {
    first = Math.min(first, last.start);
    spans.pop();
  }
  spans.push({ start: first, end });
}
