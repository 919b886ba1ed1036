import { foldedView, maxExpansion } from './folded-view.js';
import { numberKeys, secretNumberKeys } from './number-notations.js';
import { minSecretLength, type SecretText } from './sent-secrets.js';
import { decodedView, unbrokenView, ungroupedView, unspacedView, viewOf, type TextView } from './text-view.js';

export const mark = '[hidden]';

/** Longer strings are searched in parts, because each character needs up to 40 bytes in the views. */
const maxPartLength = 2_000_000;

/** The maximum length of one encoded character, such as `&#x00000041;`. */
const maxSpellingLength = 12;
const minGroupedDigits = 12;

/** The minimum length for a search without spaces. Shorter secrets would also match ordinary words. */
const minBrokenLength = 8;

/** The marks after a truncated text. An ellipsis is folded to three dots. */
const cutMarks = ['...', mark].map((each) => Uint16Array.from(each, (character) => character.charCodeAt(0)));
const cutMark = String.raw`(?:\.{3}|…|\[hidden\])`;
const hasCutMark = new RegExp(cutMark);

/** The parts of `cutEscape`, which matches an incomplete escape before a mark of truncation. */
const [percent, hex] = ['%(?:25)*', String.raw`[\da-f]`];
const continued = `${percent}[89ab]${hex}`;
const cutBytes = `(?:${percent}(?:[cd]${hex}|e${hex}(?:${continued})?|f${hex}(?:${continued}){0,2}))?(?:${percent}${hex}?)?`;
const cutEscape = new RegExp(String.raw`(?:\\u${hex}{0,3}|&(?:#?\w{0,14})|${cutBytes})(?=${cutMark})`, 'gi');

interface Reading {
  readonly finder: SecretFinder;
  readonly view: (folded: TextView) => TextView;
}

/**
 * Replaces secrets in strings in linear time, also if they are encoded as in URLs, HTML and JSON. The beginning of a secret
 * before a mark of truncation is also replaced.
 */
export class SecretSearch {
  readonly #finder: SecretFinder;
  readonly #readings: readonly Reading[];
  readonly #numberKeys: ReadonlySet<string>;
  readonly #minLength: number;
  /** The overlap of the parts of a string: the maximum length of a secret in any encoding. */
  readonly #overlap: number;

  constructor(secrets: readonly SecretText[]) {
    const digits = secrets.map(({ text }) => text.replace(/[ -]/g, '')).filter((text) => /^\d{4,}$/.test(text));
    const patterns = [...secrets, ...digits.map((text) => ({ text }))].flatMap(patternsOf);
    const grouped = digits.filter(({ length }) => length >= minGroupedDigits);
    this.#finder = new SecretFinder(patterns);
    const groupedPatterns = grouped.flatMap((text) => patternsOf({ text }));
    this.#readings = [
      ...readingOf(ungroupedView, groupedPatterns),
      ...readingOf(unbrokenView, secrets.flatMap(brokenPatternsOf)),
    ];
    this.#numberKeys = new Set(secrets.flatMap(({ text, isNotation }) => (isNotation ? [] : secretNumberKeys(text))));
    this.#minLength = patterns.reduce((least, { view }) => Math.min(least, view.length / maxExpansion), Infinity);
    this.#overlap = patterns.reduce((most, { length }) => Math.max(most, length), 0) * maxSpellingLength;
  }

  hideIn(text: string): string {
    return withMarks(text, this.spansIn(text));
  }

  /**
   * The parts of a string to hide, which can overlap.
   *
   * @param mayBeCut - whether to find the beginning of a secret before a mark of truncation. Pages contain words before dots
   */
  spansIn(text: string, mayBeCut = true): readonly Span[] {
    if (text.length < this.#minLength && !(mayBeCut && this.#overlap > 0 && hasCutMark.test(text))) return [];
    const found: Span[] = [];
    for (let start = 0; start === 0 || start + this.#overlap < text.length; start += maxPartLength) {
      const part = text.slice(start, start + maxPartLength + this.#overlap);
      for (const spans of this.#find(part, mayBeCut)) for (const span of spans) found.push(shift(span, start));
    }
    return found.sort((one, other) => one.start - other.start);
  }

  #find(text: string, mayBeCut: boolean): readonly (readonly Span[])[] {
    const mayHaveEscapes = isEncoded(text);
    const uncut = mayHaveEscapes && mayBeCut ? text.replace(cutEscape, (each) => '\0'.repeat(each.length)) : text; // \0 is ignored
    const plain = viewOf(text);
    const encoded = mayHaveEscapes ? [plain, ...(uncut === text ? [] : [viewOf(uncut)])] : [];
    const views = [plain, ...encoded.map(decodedView)].map(foldedView);
    const found = views.map((view) => this.#finder.find(view, mayBeCut));
    for (const { finder, view } of this.#readings)
      found.push(...views.map((each) => finder.find(view(each), mayBeCut)));
    return found;
  }

  isSecretNumber(value: number): boolean {
    return String(value).length >= minSecretLength && numberKeys(value).some((key) => this.#numberKeys.has(key));
  }
}

const shift = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

const readingOf = (view: Reading['view'], patterns: readonly SecretPattern[]): readonly Reading[] =>
  patterns.length > 0 ? [{ view, finder: new SecretFinder(patterns) }] : [];

/** The patterns of a secret: unchanged and decoded (it can contain escapes), with and without white space around it. */
function patternsOf({ text, length }: SecretText): readonly SecretPattern[] {
  const rest = length === undefined ? 0 : length - text.length;
  const views = readingsOf(text).map(foldedView);
  const distinct = new Map(views.map((view) => [view.codes.subarray(0, view.length).join(), view]));
  return [...distinct.values()]
    .filter((view) => view.length >= minSecretLength)
    .map((view) => ({ view, length: view.length + rest }));
}

/** The distinct readings of a secret. Most secrets have neither escapes nor white space around them. */
function readingsOf(text: string): readonly TextView[] {
  const plain = viewOf(text);
  const trimmed = text.trim();
  if (trimmed === text && !isEncoded(text)) return [plain];
  const inner = viewOf(trimmed.replace(/\\+$/, '')); // a backslash at the end would escape the next character
  return [plain, decodedView(plain), viewOf(trimmed), decodedView(inner)];
}

const isEncoded = (text: string): boolean => /[%&\\]/.test(text);

/** The patterns of an encoded secret without plus signs, which are folded to spaces, for searches without spaces. */
const brokenPatternsOf = (secret: SecretText): readonly SecretPattern[] =>
  (secret.isEncoded ? patternsOf(secret) : [])
    .map(({ view, length }) => ({ view: unspacedView(view), rest: length - view.length }))
    .filter(({ view }) => view.length >= minBrokenLength)
    .map(({ view, rest }) => ({ view, length: view.length + rest }));

export function withMarks(text: string, found: readonly Span[]): string {
  const shown: string[] = [];
  let shownEnd = 0;
  for (const { start, end } of found.toSorted((one, other) => one.start - other.start)) {
    if (start >= shownEnd) shown.push(text.slice(shownEnd, start), mark);
    shownEnd = Math.max(shownEnd, end);
  }
  shown.push(text.slice(shownEnd));
  return shown.join('');
}

interface SecretPattern {
  readonly view: TextView;
  /** The number of code units to hide. It exceeds the length of the view if the view is only the beginning of the secret. */
  readonly length: number;
}

const startsWith = ({ codes, length }: TextView, at: number, text: Uint16Array): boolean =>
  at + text.length <= length && text.every((code, index) => codes[at + index] === code);

export interface Span {
  readonly start: number;
  readonly end: number;
}

const random = new Uint32Array(512);
let nextRandom = random.length;

/** Two odd random numbers, different for each finder, so that a page cannot craft collisions. */
function randomFactors(): readonly number[] {
  if (nextRandom === random.length) {
    crypto.getRandomValues(random);
    nextRandom = 0;
  }
  nextRandom += 2;
  return [...random.subarray(nextRandom - 2, nextRandom)].map((factor) => factor | 1);
}

/**
 * Finds all secrets in one pass with an Aho-Corasick automaton. Its states are the prefixes of the secrets. State 0 is the
 * empty prefix. https://doi.org/10.1145/360825.360855
 */
class SecretFinder {
  /** For each state, the state of the prefix without its last code unit (`#parents`), and this code unit (`#codes`). */
  readonly #parents: Int32Array;
  readonly #codes: Uint16Array;
  /** For each state, the state of the longest proper suffix that is a prefix of a secret. */
  readonly #fallbacks: Int32Array;
  /**
   * For each state, the length of the longest pattern that is a suffix (`#lengths`), the maximum number of code units to hide
   * after it (`#rests`), and the length of the prefix (`#depths`).
   */
  readonly #lengths: Int32Array;
  readonly #rests: Int32Array;
  readonly #depths: Int32Array;
  /** A hash table of the states by parent and code unit. */
  readonly #table: Int32Array;
  readonly #factors = randomFactors();
  #size = 1;

  constructor(patterns: readonly SecretPattern[]) {
    const maxSize = patterns.reduce((sum, { view }) => sum + view.length, 1);
    this.#parents = new Int32Array(maxSize);
    this.#codes = new Uint16Array(maxSize);
    this.#fallbacks = new Int32Array(maxSize);
    this.#lengths = new Int32Array(maxSize);
    this.#rests = new Int32Array(maxSize);
    this.#depths = new Int32Array(maxSize);
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
  find(view: TextView, mayBeCut: boolean): readonly Span[] {
    const { codes, starts, ends, length } = view;
    const spans: { start: number; end: number }[] = [];
    for (let [at, state] = [0, 0]; at < length; at++) {
      state = this.#next(state, codes[at] as number);
      const depth = this.#depths[state] as number;
      const isCut = mayBeCut && depth >= minSecretLength && cutMarks.some((each) => startsWith(view, at + 1, each));
      const found = isCut ? depth : (this.#lengths[state] as number);
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

  /** Returns the child of a state, added if it is missing. Shorter prefixes must be added first: they are the fallbacks. */
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
    this.#depths[state] = (this.#depths[parent] as number) + 1;
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
    const hash = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }
}
