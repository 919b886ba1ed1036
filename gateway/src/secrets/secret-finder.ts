import type { TextView } from './text-view.js';

export interface SecretPattern {
  readonly view: TextView;
  /** The number of code units to hide: more than the view has, if it is the beginning of the secret. */
  readonly length: number;
}

/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds secrets in a text in one pass, in a time that depends on neither their number nor their content: the automaton
 * of Aho and Corasick. Its states are the prefixes of the secrets; 0 is the empty one. https://doi.org/10.1145/360825.360855
 */
export class SecretFinder {
  /** The prefix without its last code unit, and that code unit. */
  readonly #parents: Int32Array;
  readonly #codes: Uint16Array;
  /** The longest proper suffix that is a prefix of a secret. */
  readonly #fallbacks: Int32Array;
  /** The length of the longest pattern that is a suffix, and the greatest number of code units after it to hide. */
  readonly #lengths: Int32Array;
  readonly #rests: Int32Array;
  /** A hash table of the states by parent and code unit. */
  readonly #table: Int32Array;
  /** Random, so that a page cannot craft collisions. */
  readonly #factors = crypto.getRandomValues(new Uint32Array(2)).map((factor) => factor | 1);
  #size = 1;

  constructor(patterns: readonly SecretPattern[]) {
    const maxSize = patterns.reduce((sum, { view }) => sum + view.length, 1);
    this.#parents = new Int32Array(maxSize);
    this.#codes = new Uint16Array(maxSize);
    this.#fallbacks = new Int32Array(maxSize);
    this.#lengths = new Int32Array(maxSize);
    this.#rests = new Int32Array(maxSize);
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(maxSize * 2)));
    const longestFirst = patterns.toSorted((one, other) => other.view.length - one.view.length);
    const states = new Int32Array(longestFirst.length);
    for (let depth = 1; depth <= (longestFirst[0]?.view.length ?? 0); depth++) {
      for (const [index, { view, length }] of longestFirst.entries()) {
        if (view.length < depth) break;
        const state = this.#addChild(states[index] as number, view.codes[depth - 1] as number);
        states[index] = state;
        if (view.length === depth) this.#end(state, depth, length - depth);
      }
    }
  }

  #end(state: number, length: number, rest: number): void {
    this.#lengths[state] = length;
    this.#rests[state] = Math.max(this.#rests[state] as number, rest);
  }

  /** The parts of the text that secrets cover. Overlapping parts are merged. */
  find({ codes, starts, ends, length }: TextView): readonly Span[] {
    const spans: { start: number; end: number }[] = [];
    for (let [at, state] = [0, 0]; at < length; at++) {
      state = this.#next(state, codes[at] as number);
      const found = this.#lengths[state] as number;
      if (found === 0) continue;
      const last = Math.min(length - 1, at + (this.#rests[state] as number));
      const span = { start: starts[at + 1 - found] as number, end: ends[last] as number };
      for (let other = spans.at(-1); other && other.end > span.start; other = spans.at(-1)) {
        span.start = Math.min(span.start, other.start);
        span.end = Math.max(span.end, other.end);
        spans.pop();
      }
      spans.push(span);
    }
    return spans;
  }

  /** Adds the states of one length after those of smaller lengths, on which their fallbacks depend. */
  #addChild(parent: number, code: number): number {
    const slot = this.#slotOf(parent, code);
    const known = this.#table[slot] as number;
    if (known > 0) return known;
    const fallback = parent === 0 ? 0 : this.#next(this.#fallbacks[parent] as number, code);
    const state = this.#size++;
    this.#table[slot] = state;
    this.#parents[state] = parent;
    this.#codes[state] = code;
    this.#fallbacks[state] = fallback;
    this.#lengths[state] = this.#lengths[fallback] as number;
    this.#rests[state] = this.#rests[fallback] as number;
    return state;
  }

  #next(from: number, code: number): number {
    for (let state = from; ; state = this.#fallbacks[state] as number) {
      const next = this.#table[this.#slotOf(state, code)] as number;
      if (next > 0 || state === 0) return next;
    }
  }

  /** The slot of a state, or an empty slot for it. */
  #slotOf(parent: number, code: number): number {
    const mask = this.#table.length - 1;
    for (let slot = this.#hashOf(parent, code) & mask; ; slot = (slot + 1) & mask) {
      const state = this.#table[slot] as number;
      if (state === 0 || (this.#parents[state] === parent && this.#codes[state] === code)) return slot;
    }
  }

  #hashOf(parent: number, code: number): number {
    const [one = 1, other = 1] = this.#factors;
    const mixed = Math.imul(parent, one) + Math.imul(code, other);
    return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 11;
  }
}
