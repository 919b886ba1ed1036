import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** Where an atom looks: at the code point behind the position, or at the one before it. */
export type Direction = 1 | -1;

/** A step of a program; `next` and the like are places in it. */
export type Instruction =
  | { readonly does: 'take'; readonly matches: (character: string) => boolean }
  | { readonly does: 'split'; next: readonly number[] }
  | { readonly does: 'assert'; readonly kind: 'start' | 'end' | 'boundary' | 'no boundary' }
  | { readonly does: 'look'; readonly at: Program; readonly isNegated: boolean }
  | { readonly does: 'match' };

/** An automaton for one direction through a text. */
export interface Program {
  readonly direction: Direction;
  readonly steps: readonly Instruction[];
}

/** Thrown for what no automaton can say, and for a pattern that would need too many steps. */
export class UnsayableError extends Error {}

const mostSteps = 20_000;

/** The automaton of a pattern of the flag `u`. https://swtch.com/~rsc/regexp/regexp2.html */
export function compilePattern(source: string): Program {
  const pattern = new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode: true });
  return program(pattern.alternatives, 1);
}

function program(alternatives: readonly AST.Alternative[], direction: Direction): Program {
  const writer: Writer = { steps: [], direction };
  writeAlternatives(writer, alternatives);
  emit(writer, { does: 'match' });
  return { direction, steps: writer.steps };
}

interface Writer {
  readonly steps: Instruction[];
  readonly direction: Direction;
}

function emit({ steps }: Writer, step: Instruction): void {
  if (steps.push(step) > mostSteps) throw new UnsayableError('The pattern is too long.');
}

/** A jump whose ends are not known yet. */
function emitSplit(writer: Writer): { next: readonly number[] } {
  const split: Instruction = { does: 'split', next: [] };
  emit(writer, split);
  return split;
}

function writeAlternatives(writer: Writer, alternatives: readonly AST.Alternative[]): void {
  const fork = emitSplit(writer);
  const starts: number[] = [];
  const ends: { next: readonly number[] }[] = [];
  for (const { elements } of alternatives) {
    starts.push(writer.steps.length);
    for (const element of writer.direction === 1 ? elements : elements.toReversed()) writeElement(writer, element);
    ends.push(emitSplit(writer));
  }
  fork.next = starts;
  for (const end of ends) end.next = [writer.steps.length];
}

function writeElement(writer: Writer, element: AST.Element): void {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return emit(writer, { does: 'take', matches: atom(element.raw) });
    case 'Group':
    case 'CapturingGroup':
      return writeAlternatives(writer, element.alternatives);
    case 'Quantifier':
      return writeQuantifier(writer, element);
    case 'Assertion':
      return writeAssertion(writer, element);
    case 'Backreference':
      throw new UnsayableError('No automaton can refer back.');
  }
}

/** One code point against one atom of the author's: no time can be lost with that. */
function atom(raw: string): (character: string) => boolean {
  const expression = new RegExp(`^${raw}$`, 'u');
  return (character) => expression.test(character);
}

function writeQuantifier(writer: Writer, { element, min, max }: AST.Quantifier): void {
  const { length } = writer.steps;
  for (let count = 0; count < min; count++) {
    writeElement(writer, element);
    if (writer.steps.length === length) return; // nothing, however often
  }
  if (max === Infinity) return writeLoop(writer, element);
  const exits: { next: readonly number[] }[] = [];
  for (let count = min; count < max; count++) {
    const exit = emitSplit(writer);
    exit.next = [writer.steps.length];
    exits.push(exit);
    writeElement(writer, element);
  }
  for (const exit of exits) exit.next = [...exit.next, writer.steps.length];
}

function writeLoop(writer: Writer, element: AST.QuantifiableElement): void {
  const start = writer.steps.length;
  const fork = emitSplit(writer);
  writeElement(writer, element);
  emitSplit(writer).next = [start];
  fork.next = [start + 1, writer.steps.length];
}

function writeAssertion(writer: Writer, assertion: AST.Assertion): void {
  switch (assertion.kind) {
    case 'start':
    case 'end':
      return emit(writer, { does: 'assert', kind: assertion.kind });
    case 'word':
      return emit(writer, { does: 'assert', kind: assertion.negate ? 'no boundary' : 'boundary' });
    default: {
      const direction = assertion.kind === 'lookahead' ? 1 : -1;
      const at = program(assertion.alternatives, direction);
      return emit(writer, { does: 'look', at, isNegated: assertion.negate });
    }
  }
}
