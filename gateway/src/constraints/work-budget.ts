import type { LinearPattern } from 'webmcp-forms/headless';

/**
 * The steps that the checks of a call may take in all: those of patterns, and the pairs of a part of a value and a part of
 * the schema of a custom element. A step takes less than half a microsecond.
 */
export const maxCallSteps = 500_000;

/** The steps to fill a control, so that many calls in a request are bounded, too. */
export const controlSteps = 10;

/** The remaining work of a call, and what it has compiled. */
export class WorkBudget {
  #steps: number;
  /** By source. A string is the result of a pattern that cannot be checked. */
  readonly patterns = new Map<string, LinearPattern | 'match' | 'unknown'>();

  constructor(steps = maxCallSteps) {
    this.#steps = steps;
  }

  get steps(): number {
    return this.#steps;
  }

  /** @throws {WorkExceededError} */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new WorkExceededError();
  }
}

export class WorkExceededError extends Error {}
