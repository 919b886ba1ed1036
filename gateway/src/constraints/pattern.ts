import { isValidPattern, unicodePattern } from 'webmcp-forms/headless';
import { compilePattern, UnsupportedPatternError, type Program } from './pattern-program.js';

/** `unknown`: no automaton can match the pattern. `too complex`: the work exceeds the budget of the call. */
export type PatternResult = 'match' | 'mismatch' | 'unknown' | 'too complex';

/** The remaining work for all patterns of a call, and their compiled programs. */
export interface PatternBudget {
  work: number;
  /** By source; undefined for unsupported patterns. */
  readonly programs: Map<string, Program | undefined>;
}

export const newBudget = (): PatternBudget => ({ work: 1_000_000, programs: new Map() });

class BudgetExceededError extends Error {}

/**
 * Whether a whole text matches the value of a `pattern` attribute. An automaton bounds the time for any pattern. Back
 * references and the syntax of the flag `v` that `u` does not have are `unknown`. Invalid patterns match, as in a
 * browser.
 * https://html.spec.whatwg.org/#compiled-pattern-regular-expression
 */
export function matchPattern(pattern: string, text: string, budget = newBudget()): PatternResult {
  if (!isValidPattern(pattern)) return 'match';
  if (!budget.programs.has(pattern)) budget.programs.set(pattern, compile(pattern));
  const program = budget.programs.get(pattern);
  if (!program) return 'unknown';
  const run: Run = { characters: [...text], budget, lookarounds: new Map() };
  try {
    return matches(run, program, 0, run.characters.length) ? 'match' : 'mismatch';
  } catch (error) {
    if (error instanceof BudgetExceededError) return 'too complex';
    throw error;
  }
}

function compile(pattern: string): Program | undefined {
  try {
    const source = unicodePattern(pattern);
    return source === undefined ? undefined : compilePattern(source);
  } catch (error) {
    if (error instanceof UnsupportedPatternError || error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Run {
  readonly characters: readonly string[];
  readonly budget: PatternBudget;
  readonly lookarounds: Map<Program, Map<number, boolean>>;
}

/** Whether a program matches from a position to `end`, or to any position. */
function matches(run: Run, { steps, direction }: Program, start: number, end?: number): boolean {
  let position = start;
  let threads: readonly number[] = [0];
  for (;;) {
    const reached = followJumps(run, steps, threads, position);
    if (reached.has(steps.length - 1) && (end === undefined || position === end)) return true;
    const character = run.characters[direction === 1 ? position : position - 1];
    if (character === undefined || reached.size === 0) return false;
    threads = [...reached].flatMap((index) => {
      const step = steps[index];
      return step?.type === 'character' && step.matches(character) ? index + 1 : [];
    });
    position += direction;
  }
}

/** All steps that can be reached without consuming a character. */
function followJumps(
  run: Run,
  steps: Program['steps'],
  threads: readonly number[],
  position: number,
): ReadonlySet<number> {
  const reached = new Set<number>();
  const stack = [...threads];
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    if (reached.has(index)) continue;
    if (--run.budget.work < 0) throw new BudgetExceededError();
    reached.add(index);
    const step = steps[index];
    if (step?.type === 'split') stack.push(...step.next);
    else if (step?.type === 'assertion' && isAsserted(run, step.kind, position)) stack.push(index + 1);
    else if (step?.type === 'lookaround' && look(run, step.program, position) !== step.isNegated) stack.push(index + 1);
  }
  return reached;
}

function isAsserted({ characters }: Run, kind: string, position: number): boolean {
  if (kind === 'start') return position === 0;
  if (kind === 'end') return position === characters.length;
  const isWord = (at: number): boolean => /^\w$/.test(characters[at] ?? '');
  return (isWord(position - 1) !== isWord(position)) === (kind === 'boundary');
}

function look(run: Run, program: Program, position: number): boolean {
  const results = run.lookarounds.get(program) ?? new Map<number, boolean>();
  run.lookarounds.set(program, results);
  const result = results.get(position) ?? matches(run, program, position);
  results.set(position, result);
  return result;
}
