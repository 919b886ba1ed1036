import { isValidPattern, unicodePattern } from 'webmcp-forms/headless';
import { compilePattern, UnsupportedPatternError, type Program, type Step } from './pattern-program.js';
import { WorkBudget } from './work-budget.js';

/** `unknown`: no automaton can match the pattern. */
export type PatternResult = 'match' | 'mismatch' | 'unknown';

/**
 * Whether a whole text matches the value of a `pattern` attribute. An automaton bounds the time for any pattern. Back
 * references and the syntax of the flag `v` that `u` does not have are `unknown`. Invalid patterns match, as in a
 * browser.
 * https://html.spec.whatwg.org/#compiled-pattern-regular-expression
 *
 * @throws {WorkExceededError} if the work exceeds the budget of the call
 */
export function matchPattern(pattern: string, text: string, budget = new WorkBudget()): PatternResult {
  const program = budget.programs.get(pattern) ?? compile(pattern, budget);
  budget.programs.set(pattern, program);
  if (typeof program === 'string') return program;
  const run: Run = { text, budget, lookarounds: new Map() };
  return matches(run, program, 0, text.length) ? 'match' : 'mismatch';
}

/** Longer patterns are not even parsed. */
const maxPatternLength = 10_000;

/** The work to parse a character of a pattern, and a property escape, which has thousands of characters. */
const [characterSteps, propertySteps] = [10, 2_000];

const parsingSteps = (pattern: string): number =>
  pattern.length * characterSteps + (pattern.match(/\\p/gi)?.length ?? 0) * propertySteps;

function compile(pattern: string, budget: WorkBudget): Program | 'match' | 'unknown' {
  if (pattern.length > maxPatternLength) return 'unknown';
  budget.spend(parsingSteps(pattern));
  if (!isValidPattern(pattern)) return 'match';
  try {
    const source = unicodePattern(pattern);
    return source === undefined ? 'unknown' : compilePattern(source);
  } catch (error) {
    if (error instanceof UnsupportedPatternError || error instanceof RangeError) return 'unknown';
    throw error;
  }
}

interface Run {
  readonly text: string;
  readonly budget: WorkBudget;
  readonly lookarounds: Map<Program, Map<number, boolean>>;
}

/** Whether a program matches from a position to `end`, or to any position. */
function matches(run: Run, { steps, direction }: Program, start: number, end?: number): boolean {
  let position = start;
  let threads: readonly number[] = [0];
  for (;;) {
    const reached = followJumps(run, steps, threads, position);
    if (reached.has(steps.length - 1) && (end === undefined || position === end)) return true;
    const character = direction === 1 ? characterAt(run.text, position) : characterBefore(run.text, position);
    if (character === '' || reached.size === 0) return false;
    threads = advance(steps, reached, character);
    position += direction * character.length;
  }
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** The code point at a position; empty at the end. */
const characterAt = (text: string, position: number): string =>
  position < text.length ? String.fromCodePoint(text.codePointAt(position) as number) : '';

function characterBefore(text: string, position: number): string {
  if (position === 0) return '';
  const isPair = position > 1 && isLowSurrogate(text.charCodeAt(position - 1));
  const pair = isPair ? characterAt(text, position - 2) : '';
  return pair.length === 2 ? pair : text.charAt(position - 1);
}

function advance(steps: readonly Step[], reached: ReadonlySet<number>, character: string): readonly number[] {
  const threads: number[] = [];
  for (const index of reached) {
    const step = steps[index];
    if (step?.type === 'character' && step.matches(character)) threads.push(index + 1);
  }
  return threads;
}

/** All steps that can be reached without consuming a character. */
function followJumps(
  run: Run,
  steps: readonly Step[],
  threads: readonly number[],
  position: number,
): ReadonlySet<number> {
  const reached = new Set<number>();
  const stack = [...threads];
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    if (reached.has(index)) continue;
    run.budget.spend(1);
    reached.add(index);
    const step = steps[index];
    if (step?.type === 'split') for (const each of step.next) stack.push(each);
    else if (step?.type === 'assertion' && isAsserted(run, step.kind, position)) stack.push(index + 1);
    else if (step?.type === 'lookaround' && look(run, step.program, position) !== step.isNegated) stack.push(index + 1);
  }
  return reached;
}

function isAsserted({ text }: Run, kind: string, position: number): boolean {
  if (kind === 'start') return position === 0;
  if (kind === 'end') return position === text.length;
  const isWord = (at: number): boolean => /^\w$/.test(text.charAt(at));
  return (isWord(position - 1) !== isWord(position)) === (kind === 'boundary');
}

function look(run: Run, program: Program, position: number): boolean {
  const results = run.lookarounds.get(program) ?? new Map<number, boolean>();
  run.lookarounds.set(program, results);
  const result = results.get(position) ?? matches(run, program, position);
  results.set(position, result);
  return result;
}
