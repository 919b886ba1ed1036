import { isValidPattern, unicodePattern } from '../../compiler/html/pattern.js';
import { LinearPattern, UnsupportedPatternError } from '../../linear-pattern.js';

/**
 * The maximum number of steps for the checks of a call. A step is one step of a pattern, or the check of one part of a custom
 * element's value against one part of its schema. A step takes less than half a microsecond.
 */
export const maxCallSteps = 500_000;

/** The number of steps that filling a control counts as, so that many calls in one request are limited, too. */
export const controlSteps = 10;

/** The remaining work of a call, and its compiled patterns. */
export class WorkBudget {
  #steps: number;
  /** The compiled patterns by flag and source. A pattern that cannot be compiled has its result instead. */
  readonly patterns = new Map<string, LinearPattern | 'match' | 'unknown'>();

  constructor(steps = maxCallSteps) {
    this.#steps = steps;
  }

  get steps(): number {
    return this.#steps;
  }

  /** @throws {WorkExceededError} if fewer steps remain */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new WorkExceededError();
  }
}

export class WorkExceededError extends Error {}

/** `unknown`: the pattern is too long, or an automaton cannot match it. */
export type PatternResult = 'match' | 'mismatch' | 'unknown';

/**
 * Whether a whole string matches the value of a `pattern` attribute. An automaton bounds the time for any pattern. Back
 * references and syntax that only the flag `v` supports are `unknown`. Invalid patterns match, as in a browser.
 * https://html.spec.whatwg.org/#compiled-pattern-regular-expression
 *
 * @throws {WorkExceededError} if the work exceeds the budget of the call
 */
export function matchPattern(pattern: string, text: string, budget = new WorkBudget()): PatternResult {
  const compiled = compiledFor('v', pattern, budget);
  if (typeof compiled === 'string') return compiled;
  return compiled.matches(text, budget) ? 'match' : 'mismatch';
}

/**
 * Whether a substring matches the `pattern` of a JSON Schema.
 * https://json-schema.org/draft/2020-12/json-schema-validation#name-pattern
 *
 * @throws {WorkExceededError} if the work exceeds the budget
 */
export function searchPattern(pattern: string, text: string, budget: WorkBudget): PatternResult {
  const compiled = compiledFor('u', pattern, budget);
  if (typeof compiled === 'string') return compiled;
  return compiled.test(text, budget) ? 'match' : 'mismatch';
}

/** The limits of a pattern: its length in characters, and its number of steps. Longer patterns are not parsed. */
const limits = { length: 10_000, steps: 20_000 } as const;

/** The steps for parsing a character of a pattern, and a property escape, which matches thousands of characters. */
const [characterSteps, propertySteps] = [10, 2_000];

const parsingSteps = (pattern: string): number =>
  pattern.length * characterSteps + (pattern.match(/\\p/gi)?.length ?? 0) * propertySteps;

type Flag = 'u' | 'v';

function compiledFor(flag: Flag, pattern: string, budget: WorkBudget): LinearPattern | 'match' | 'unknown' {
  const key = `${flag} ${pattern}`;
  const compiled = budget.patterns.get(key) ?? compile(flag, pattern, budget);
  budget.patterns.set(key, compiled);
  return compiled;
}

function compile(flag: Flag, pattern: string, budget: WorkBudget): LinearPattern | 'match' | 'unknown' {
  if (pattern.length > limits.length) return 'unknown';
  budget.spend(parsingSteps(pattern));
  if (flag === 'v' && !isValidPattern(pattern)) return 'match';
  try {
    const source = flag === 'v' ? unicodePattern(pattern) : pattern;
    return source === undefined ? 'unknown' : new LinearPattern(source, limits);
  } catch (error) {
    if (error instanceof SyntaxError) return 'match';
    if (error instanceof UnsupportedPatternError || error instanceof RangeError) return 'unknown';
    throw error;
  }
}
