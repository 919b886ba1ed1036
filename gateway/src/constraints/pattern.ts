import { isValidPattern, unicodePattern } from 'webmcp-forms/headless';
import { compilePattern, UnsayableError, type Program } from './pattern-program.js';

/**
 * What a pattern says of a text: `unknown` where no automaton can say it, `too much` where it would take one more steps
 * than a call may.
 */
export type PatternAnswer = 'match' | 'mismatch' | 'unknown' | 'too much';

/** What the patterns of one call may cost together, and what is made of them. */
export interface PatternBudget {
  work: number;
  /** By source; undefined where there is none. */
  readonly programs: Map<string, Program | undefined>;
}

export const newBudget = (): PatternBudget => ({ work: 1_000_000, programs: new Map() });

class TooMuchWork extends Error {}

/**
 * Whether a text as a whole matches the value of a `pattern` attribute, in a time that the author's pattern cannot make
 * long: by an automaton, which takes each code point once. What no automaton says (references back, the flag `v` beyond
 * `u`) is `unknown`; what is no pattern matches everything, as in a browser.
 * https://html.spec.whatwg.org/#compiled-pattern-regular-expression
 */
export function matchPattern(pattern: string, text: string, budget = newBudget()): PatternAnswer {
  if (!isValidPattern(pattern)) return 'match';
  const program = programOf(pattern, budget);
  if (!program) return 'unknown';
  const run: Run = { characters: [...text], budget, looks: new Map() };
  try {
    return reaches(run, program, 0, run.characters.length) ? 'match' : 'mismatch';
  } catch (error) {
    if (error instanceof TooMuchWork) return 'too much';
    throw error;
  }
}

function programOf(pattern: string, { programs }: PatternBudget): Program | undefined {
  if (!programs.has(pattern)) programs.set(pattern, compiled(pattern));
  return programs.get(pattern);
}

function compiled(pattern: string): Program | undefined {
  try {
    const source = unicodePattern(pattern);
    return source === undefined ? undefined : compilePattern(source);
  } catch (error) {
    if (error instanceof UnsayableError || error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Run {
  readonly characters: readonly string[];
  readonly budget: PatternBudget;
  /** What the lookarounds have found, by position. */
  readonly looks: Map<Program, Map<number, boolean>>;
}

/** Whether a program matches from a position: up to `end`, or up to anywhere. */
function reaches(run: Run, { steps, direction }: Program, from: number, end?: number): boolean {
  let position = from;
  let places: readonly number[] = [0];
  for (;;) {
    const reached = closure(run, steps, places, position);
    if (reached.has(steps.length - 1) && (end === undefined || position === end)) return true;
    const character = run.characters[direction === 1 ? position : position - 1];
    if (character === undefined || reached.size === 0) return false;
    places = [...reached].filter((place) => takes(steps, place, character)).map((place) => place + 1);
    position += direction;
  }
}

function takes(steps: Program['steps'], place: number, character: string): boolean {
  const step = steps[place];
  return step?.does === 'take' && step.matches(character);
}

/** All places that can be come to without taking anything. */
function closure(run: Run, steps: Program['steps'], places: readonly number[], position: number): ReadonlySet<number> {
  const reached = new Set<number>();
  const stack = [...places];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (reached.has(place)) continue;
    if (--run.budget.work < 0) throw new TooMuchWork();
    reached.add(place);
    const step = steps[place];
    if (step?.does === 'split') stack.push(...step.next);
    else if (step?.does === 'assert' && holds(run, step.kind, position)) stack.push(place + 1);
    else if (step?.does === 'look' && look(run, step.at, position) !== step.isNegated) stack.push(place + 1);
  }
  return reached;
}

function holds({ characters }: Run, kind: string, position: number): boolean {
  if (kind === 'start') return position === 0;
  if (kind === 'end') return position === characters.length;
  const isWord = (at: number): boolean => /^\w$/.test(characters[at] ?? '');
  return (isWord(position - 1) !== isWord(position)) === (kind === 'boundary');
}

function look(run: Run, program: Program, position: number): boolean {
  const known = run.looks.get(program) ?? new Map<number, boolean>();
  run.looks.set(program, known);
  const found = known.get(position) ?? reaches(run, program, position);
  known.set(position, found);
  return found;
}
