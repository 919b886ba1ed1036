import { parsePattern, UnsupportedPatternError, type PatternNode, type Test } from './parse-pattern.js';

/** A step of an automaton: it consumes a character, asserts a position, or continues at once. */
interface Step {
  readonly kind: 'character' | 'assertion' | 'jump';
  readonly test: Test;
  /** The next steps, by number. */
  readonly next: number[];
}

const maxSteps = 2_000;
const maxWork = 2_000_000;

/**
 * Matches a pattern with the flag `u` without backtracking, so that no pattern can block the page.
 * https://swtch.com/~rsc/regexp/regexp1.html
 */
export class LinearPattern {
  readonly #steps: Step[] = [];
  readonly #end: number;
  readonly #source: string;

  /** @throws {UnsupportedPatternError} if the pattern needs backtracking or too many steps */
  constructor(source: string) {
    this.#source = source;
    this.#end = this.#add(parsePattern(source), this.#addStep('jump'));
  }

  /** Ajv reuses a pattern with the same text. */
  toString(): string {
    return this.#source;
  }

  /** Whether any part of a text matches. Throws if the text is too long for the pattern. */
  test(text: string): boolean {
    const characters = Array.from(text);
    const budget = { work: maxWork };
    let threads: number[] = [];
    for (let position = 0; position <= characters.length; position++) {
      const reached = this.#reach([...threads, 0], characters, position, budget);
      if (reached.has(this.#end)) return true;
      if (position === characters.length) break;
      threads = [...reached].flatMap((number) => {
        const { kind, next, test } = this.#step(number);
        return kind === 'character' && test(characters, position) ? next : [];
      });
    }
    return false;
  }

  /** All steps that can be reached without consuming a character. */
  #reach(
    threads: number[],
    characters: readonly string[],
    position: number,
    budget: { work: number },
  ): ReadonlySet<number> {
    const reached = new Set<number>();
    for (let number = threads.pop(); number !== undefined; number = threads.pop()) {
      if (reached.has(number)) continue;
      if (--budget.work < 0)
        throw new Error('A text of the input is too long for the pattern of its parameter. Shorten it.');
      reached.add(number);
      const { kind, next, test } = this.#step(number);
      if (kind === 'jump' || (kind === 'assertion' && test(characters, position))) threads.push(...next);
    }
    return reached;
  }

  #step(number: number): Step {
    return this.#steps[number] as Step;
  }

  #addStep(kind: Step['kind'], test: Test = () => true): number {
    if (this.#steps.length >= maxSteps) throw new UnsupportedPatternError(`it has more than ${maxSteps} steps`);
    return this.#steps.push({ kind, next: [], test }) - 1;
  }

  #jump(from: number, to = this.#addStep('jump')): number {
    this.#step(from).next.push(to);
    return to;
  }

  /** Adds a node after a step, and returns its end. */
  #add(node: PatternNode, start: number): number {
    switch (node.kind) {
      case 'alternatives': {
        const ends = node.nodes.map((nodes) => nodes.reduce((at, each) => this.#add(each, at), this.#jump(start)));
        const end = this.#addStep('jump');
        for (const each of ends) this.#jump(each, end);
        return end;
      }
      case 'repeat':
        return this.#addRepeat(node, start);
      default:
        return this.#jump(this.#jump(start, this.#addStep(node.kind, node.test)));
    }
  }

  #addRepeat({ node, min, max }: Extract<PatternNode, { readonly kind: 'repeat' }>, start: number): number {
    let last = start;
    for (let count = 0; count < min; count++) last = this.#add(node, last);
    const end = this.#addStep('jump');
    for (let count = min; count < max && max !== Infinity; count++) {
      this.#jump(last, end);
      last = this.#add(node, this.#jump(last));
    }
    if (max !== Infinity) return this.#jump(last, end);
    const fork = this.#jump(last);
    this.#jump(this.#add(node, this.#jump(fork)), fork);
    return this.#jump(fork, end);
  }
}
