import { RegExpParser, type AST } from '@eslint-community/regexpp';

type Split = { readonly type: 'split'; /** Indices of steps. */ readonly next: number[] };

type Matcher = (character: string) => boolean;

export type Step =
  | Split
  | { readonly type: 'character'; readonly matches: Matcher }
  | { readonly type: 'assertion'; readonly kind: 'start' | 'end' | 'boundary' | 'no boundary' }
  | { readonly type: 'lookaround'; readonly program: Program; readonly isNegated: boolean }
  | { readonly type: 'match' };

/** An automaton that reads code points forward (1) or backward (-1). */
export interface Program {
  readonly direction: 1 | -1;
  readonly steps: readonly Step[];
}

/** The pattern cannot be compiled to an automaton, or has too many steps. */
export class UnsupportedPatternError extends Error {}

/** Longer patterns are left to the site. */
const maxLength = 10_000;

/** The steps of a pattern with all of its lookarounds and repetitions. */
const maxSteps = 20_000;

/**
 * Compiles a pattern with the flag `u` to an automaton. https://swtch.com/~rsc/regexp/regexp2.html
 *
 * @throws {UnsupportedPatternError}
 */
export function compilePattern(source: string): Program {
  if (source.length > maxLength) throw new UnsupportedPatternError('The pattern is too long.');
  const pattern = new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode: true });
  return new Compiler({ steps: 0, matchers: new Map() }, 1).compile(pattern.alternatives);
}

/** The state that a pattern's program and the programs of its lookarounds share. */
interface Compilation {
  /** The number of steps of all programs. */
  steps: number;
  /** By source. */
  readonly matchers: Map<string, Matcher>;
}

class Compiler {
  readonly #steps: Step[] = [];
  readonly #compilation: Compilation;
  readonly #direction: 1 | -1;

  constructor(compilation: Compilation, direction: 1 | -1) {
    this.#compilation = compilation;
    this.#direction = direction;
  }

  compile(alternatives: readonly AST.Alternative[]): Program {
    this.#addAlternatives(alternatives);
    this.#add({ type: 'match' });
    return { direction: this.#direction, steps: this.#steps };
  }

  #add(step: Step): void {
    if (++this.#compilation.steps > maxSteps) throw new UnsupportedPatternError('The pattern has too many steps.');
    this.#steps.push(step);
  }

  /** Adds a jump whose targets are set later. */
  #addSplit(...next: number[]): Split {
    const split: Split = { type: 'split', next };
    this.#add(split);
    return split;
  }

  #matcherOf({ raw }: AST.Node): Matcher {
    const { matchers } = this.#compilation;
    const known = matchers.get(raw);
    if (known) return known;
    const expression = new RegExp(`^${raw}$`, 'u');
    const matcher: Matcher = (character) => expression.test(character);
    matchers.set(raw, matcher);
    return matcher;
  }

  #addAlternatives(alternatives: readonly AST.Alternative[]): void {
    const fork = this.#addSplit();
    const ends = alternatives.map(({ elements }) => {
      fork.next.push(this.#steps.length);
      for (const element of this.#direction === 1 ? elements : elements.toReversed()) this.#addElement(element);
      return this.#addSplit();
    });
    for (const end of ends) end.next.push(this.#steps.length);
  }

  #addElement(element: AST.Element): void {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.#add({ type: 'character', matches: this.#matcherOf(element) });
      case 'Group':
      case 'CapturingGroup':
        return this.#addAlternatives(element.alternatives);
      case 'Quantifier':
        return this.#addQuantifier(element);
      case 'Assertion':
        return this.#addAssertion(element);
      case 'Backreference':
        throw new UnsupportedPatternError('Back references are not supported.');
    }
  }

  #addQuantifier({ element, min, max }: AST.Quantifier): void {
    const { length } = this.#steps;
    for (let count = 0; count < min; count++) {
      this.#addElement(element);
      if (this.#steps.length === length) return; // an element that matches nothing
    }
    if (max === Infinity) return this.#addLoop(element);
    const exits: Split[] = [];
    for (let count = min; count < max; count++) {
      exits.push(this.#addSplit(this.#steps.length + 1));
      this.#addElement(element);
    }
    for (const exit of exits) exit.next.push(this.#steps.length);
  }

  #addLoop(element: AST.QuantifiableElement): void {
    const start = this.#steps.length;
    const fork = this.#addSplit();
    this.#addElement(element);
    this.#addSplit(start);
    fork.next.push(start + 1, this.#steps.length);
  }

  #addAssertion(assertion: AST.Assertion): void {
    switch (assertion.kind) {
      case 'start':
      case 'end':
        return this.#add({ type: 'assertion', kind: assertion.kind });
      case 'word':
        return this.#add({ type: 'assertion', kind: assertion.negate ? 'no boundary' : 'boundary' });
      default: {
        const program = new Compiler(this.#compilation, assertion.kind === 'lookahead' ? 1 : -1).compile(
          assertion.alternatives,
        );
        return this.#add({ type: 'lookaround', program, isNegated: assertion.negate });
      }
    }
  }
}
