/** The error for a pattern that has back references or modifiers, or exceeds a limit. */
export class UnsupportedPatternError extends Error {}

interface PatternLimits {
  /** The maximum number of characters of a pattern. */
  readonly length: number;
  /** The maximum number of steps of a pattern, including its lookarounds and repetitions. */
  readonly steps: number;
}

type Matcher = (character: string) => boolean;

type Assertion = '^' | '$' | '\\b' | '\\B';

type Direction = 1 | -1;

type Alternatives = readonly (readonly PatternNode[])[];

type Unit =
  | { readonly kind: 'character'; readonly matches: Matcher }
  | { readonly kind: 'assertion'; readonly assertion: Assertion };

type PatternNode =
  | Unit
  | { readonly kind: 'group'; readonly alternatives: Alternatives }
  | {
      readonly kind: 'lookaround';
      readonly alternatives: Alternatives;
      readonly direction: Direction;
      readonly isNegated: boolean;
    }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly min: number; readonly max: number };

const maxDepth = 500;

const bar = /\|/y;
const unsupported = /\(\?(?![:<=!])|\\[1-9k]/uy;
const group = /\((?:\?(?:(?<behind><?)(?<sign>[=!])|:|<[^>]*>))?/uy;
const element =
  /\[(?:\\.|[^\]\\])*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\.|./suy;
const quantifier = /(?:[*+?]|\{(?<min>\d+)(?<comma>,?)(?<max>\d*)\})\??/uy;

class Parser {
  readonly #source: string;
  readonly #matchers = new Map<string, Matcher>();
  #position = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): Alternatives {
    if (++this.#depth > maxDepth) throw new UnsupportedPatternError(`it has more than ${maxDepth} levels of groups`);
    const alternatives: PatternNode[][] = [[]];
    while (this.#position < this.#source.length && this.#source[this.#position] !== ')') {
      if (this.#take(bar)) alternatives.push([]);
      else alternatives.at(-1)?.push(this.#repeated());
    }
    this.#depth--;
    return alternatives;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#source);
    if (found) this.#position += found[0].length;
    return found;
  }

  #repeated(): PatternNode {
    const node = this.#element();
    const found = this.#take(quantifier);
    if (!found) return node;
    const { min, comma, max } = found.groups ?? {};
    const [sign] = found[0];
    if (min === undefined) return { kind: 'repeat', node, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    return { kind: 'repeat', node, min: Number(min), max: max ? Number(max) : comma ? Infinity : Number(min) };
  }

  #element(): PatternNode {
    if (this.#take(unsupported)) throw new UnsupportedPatternError('it has a back reference or a modifier');
    const start = this.#take(group);
    if (start) {
      const alternatives = this.alternatives();
      this.#position++;
      const { behind, sign } = start.groups ?? {};
      if (sign === undefined) return { kind: 'group', alternatives };
      return { kind: 'lookaround', alternatives, direction: behind ? -1 : 1, isNegated: sign === '!' };
    }
    const [text = ''] = this.#take(element) ?? [];
    if (text === '^' || text === '$' || text === '\\b' || text === '\\B') return { kind: 'assertion', assertion: text };
    return { kind: 'character', matches: this.#matcherOf(text) };
  }

  #matcherOf(text: string): Matcher {
    const matcher = this.#matchers.get(text) ?? characterMatcher(text);
    this.#matchers.set(text, matcher);
    return matcher;
  }
}

function characterMatcher(text: string): Matcher {
  if (/^[^\\.[]$/u.test(text)) return (character) => character === text;
  const expression = new RegExp(`^${text}$`, 'u');
  return (character) => expression.test(character);
}

type Split = { readonly kind: 'split'; /** Indices of steps. */ readonly next: number[] };

type Step =
  | Split
  | Unit
  | { readonly kind: 'lookaround'; readonly program: Program; readonly isNegated: boolean }
  | { readonly kind: 'match' };

/** An automaton that reads code points forward (1) or backward (-1). Its last step is the match. */
interface Program {
  readonly direction: Direction;
  readonly steps: readonly Step[];
}

class Compiler {
  readonly #steps: Step[] = [];
  /** The remaining number of steps, shared by all programs of the pattern. */
  readonly #left: { steps: number };
  readonly #direction: Direction;

  constructor(left: { steps: number }, direction: Direction) {
    this.#left = left;
    this.#direction = direction;
  }

  compile(alternatives: Alternatives): Program {
    this.#addAlternatives(alternatives);
    this.#add({ kind: 'match' });
    return { direction: this.#direction, steps: this.#steps };
  }

  #add(step: Step): void {
    if (--this.#left.steps < 0) throw new UnsupportedPatternError('it has too many steps');
    this.#steps.push(step);
  }

  /** Adds a jump. More targets can be added later. */
  #addSplit(...next: number[]): Split {
    const split: Split = { kind: 'split', next };
    this.#add(split);
    return split;
  }

  #addAlternatives(alternatives: Alternatives): void {
    const fork = this.#addSplit();
    const ends = alternatives.map((nodes) => {
      fork.next.push(this.#steps.length);
      for (const node of this.#direction === 1 ? nodes : [...nodes].reverse()) this.#addNode(node);
      return this.#addSplit();
    });
    for (const end of ends) end.next.push(this.#steps.length);
  }

  #addNode(node: PatternNode): void {
    switch (node.kind) {
      case 'character':
      case 'assertion':
        return this.#add(node);
      case 'repeat':
        return this.#addRepeat(node);
      case 'group':
        return this.#addAlternatives(node.alternatives);
      case 'lookaround': {
        const program = new Compiler(this.#left, node.direction).compile(node.alternatives);
        return this.#add({ kind: 'lookaround', program, isNegated: node.isNegated });
      }
    }
  }

  #addRepeat({ node, min, max }: Extract<PatternNode, { readonly kind: 'repeat' }>): void {
    for (let count = 0; count < min; count++) this.#addNode(node);
    if (max === Infinity) return this.#addLoop(node);
    const exits: Split[] = [];
    for (let count = min; count < max; count++) {
      exits.push(this.#addSplit(this.#steps.length + 1));
      this.#addNode(node);
    }
    for (const exit of exits) exit.next.push(this.#steps.length);
  }

  #addLoop(node: PatternNode): void {
    const start = this.#steps.length;
    const fork = this.#addSplit();
    this.#addNode(node);
    this.#addSplit(start);
    fork.next.push(start + 1, this.#steps.length);
  }
}

/** Limits the steps of matching. */
interface Work {
  /** @throws if the steps exceed the limit */
  spend(steps: number): void;
}

interface Run {
  readonly text: string;
  readonly work: Work;
  readonly lookarounds: Map<Program, Map<number, boolean>>;
}

/**
 * A pattern with the flag `u`, matched without backtracking: in linear time, or in quadratic time with lookarounds.
 * https://swtch.com/~rsc/regexp/regexp2.html
 */
export class LinearPattern {
  readonly #program: Program;

  /**
   * @throws {UnsupportedPatternError} if the pattern has back references or modifiers, or exceeds a limit
   * @throws {SyntaxError} if it is invalid
   */
  constructor(source: string, { length, steps }: PatternLimits) {
    if (source.length > length) throw new UnsupportedPatternError(`it has more than ${length} characters`);
    void new RegExp(source, 'u'); // throws if it is invalid, so that the parser can expect a valid pattern
    this.#program = new Compiler({ steps }, 1).compile(new Parser(source).alternatives());
  }

  /** Whether the pattern matches a whole string. */
  matches(text: string, work: Work): boolean {
    return runFrom({ text, work, lookarounds: new Map() }, this.#program, 0, text.length);
  }

  /** Whether the pattern matches a substring, as `RegExp.prototype.test` does. */
  test(text: string, work: Work): boolean {
    return runFrom({ text, work, lookarounds: new Map() }, this.#program, 0, undefined, true);
  }
}

/** Whether a program matches from `start` to `end` (by default, to any position). A search may also begin after `start`. */
function runFrom(run: Run, { steps, direction }: Program, start: number, end?: number, isSearch = false): boolean {
  let position = start;
  let threads: number[] = [0];
  for (;;) {
    const reached = followJumps(run, steps, threads, position);
    if (reached.has(steps.length - 1) && (end === undefined || position === end)) return true;
    const character = direction === 1 ? characterAt(run.text, position) : characterBefore(run.text, position);
    if (character === '' || reached.size === 0) return false;
    threads = advance(steps, reached, character);
    if (isSearch) threads.push(0);
    position += direction * character.length;
  }
}

/** The code point at a position; empty at the end. */
const characterAt = (text: string, position: number): string =>
  position < text.length ? String.fromCodePoint(text.codePointAt(position) as number) : '';

function characterBefore(text: string, position: number): string {
  const pair = characterAt(text, Math.max(position - 2, 0));
  return position > 1 && pair.length === 2 ? pair : text.slice(Math.max(position - 1, 0), position);
}

function advance(steps: readonly Step[], reached: ReadonlySet<number>, character: string): number[] {
  const threads: number[] = [];
  for (const index of reached) {
    const step = steps[index];
    if (step?.kind === 'character' && step.matches(character)) threads.push(index + 1);
  }
  return threads;
}

/** All steps that can be reached without consuming a character. */
function followJumps(run: Run, steps: readonly Step[], from: readonly number[], position: number): ReadonlySet<number> {
  const reached = new Set<number>();
  const stack = [...from];
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    if (reached.has(index)) continue;
    run.work.spend(1);
    reached.add(index);
    const step = steps[index];
    if (step?.kind === 'split') for (const each of step.next) stack.push(each);
    else if (step?.kind === 'assertion' && isAsserted(run, step.assertion, position)) stack.push(index + 1);
    else if (step?.kind === 'lookaround' && look(run, step.program, position) !== step.isNegated) stack.push(index + 1);
  }
  return reached;
}

function isAsserted({ text }: Run, assertion: Assertion, position: number): boolean {
  if (assertion === '^') return position === 0;
  if (assertion === '$') return position === text.length;
  const isWord = (at: number): boolean => /^\w$/.test(text.charAt(at));
  return (isWord(position - 1) !== isWord(position)) === (assertion === '\\b');
}

function look(run: Run, program: Program, position: number): boolean {
  const results = run.lookarounds.get(program) ?? new Map<number, boolean>();
  run.lookarounds.set(program, results);
  const result = results.get(position) ?? runFrom(run, program, position);
  results.set(position, result);
  return result;
}
