import type * as fc from 'fast-check';

/** One kind of input for one part of the product, with the invariants that hold for every case. */
export interface Target<Case = unknown> {
  readonly name: string;
  /** Generates cases, which are JSON values. */
  readonly cases: fc.Arbitrary<Case>;
  /** The number of cases that run together. */
  readonly batch: number;
  /** Whether the cases run in a browser. */
  readonly inBrowser?: true;
  open(): Promise<Runner<Case>>;
}

export interface Runner<Case = unknown> {
  /**
   * Runs cases. Returns one outcome for each.
   *
   * @param begin - called with the index of a case when it starts, for the watchdog
   */
  run(cases: readonly Case[], begin: (index: number) => void): Promise<readonly Outcome[]>;
  close(): Promise<void>;
}

export interface Outcome {
  readonly milliseconds: number;
  /** The broken invariant. */
  readonly failure?: string;
}

/** A broken invariant. Its message names the invariant first, then the details. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

export function hold(isHeld: boolean, invariant: string, details = ''): asserts isHeld {
  if (!isHeld) throw new BrokenInvariant(details === '' ? invariant : `${invariant}: ${details.slice(0, 2000)}`);
}

/** Any exception is a failure: the product reports invalid input in other ways. */
export const failureOf = (error: unknown): string =>
  error instanceof BrokenInvariant
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);

/** A target whose cases run one after another in this thread. */
export const sequential = <Case>(
  check: (each: Case) => void | Promise<void>,
  close: () => Promise<void> = () => Promise.resolve(),
): Runner<Case> => ({
  run: async (cases, begin) => {
    const outcomes: Outcome[] = [];
    for (const [index, each] of cases.entries()) {
      begin(index);
      outcomes.push(await outcomeOf(() => check(each)));
    }
    return outcomes;
  },
  close,
});

export async function outcomeOf(run: () => void | Promise<void>): Promise<Outcome> {
  const start = performance.now();
  try {
    await run();
    return { milliseconds: performance.now() - start };
  } catch (error) {
    return { milliseconds: performance.now() - start, failure: failureOf(error) };
  }
}

/** Runs cases in several lanes, each with its own servers and one case at a time. */
export async function inLanes<Case, Lane>(
  lanes: readonly Lane[],
  cases: readonly Case[],
  begin: (index: number) => void,
  check: (lane: Lane, each: Case) => Promise<void>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async (lane: Lane): Promise<void> => {
    for (let index = next++; index < cases.length; index = next++) {
      begin(index);
      outcomes[index] = await outcomeOf(() => check(lane, cases[index] as Case));
    }
  };
  await Promise.all(lanes.map(work));
  return outcomes;
}

interface CallablePage {
  call<Value>(name: string, argument: unknown, milliseconds: number): Promise<Value>;
  close(): Promise<void>;
}

const startMilliseconds = 20_000;
const caseMilliseconds = 100;

/**
 * A target whose cases run in a page, by a function that returns a broken invariant or null for each. If the page hangs or
 * crashes, the cases run again one by one.
 */
export const inChromium = <Case>(page: CallablePage, name: string, invariant: string): Runner<Case> => ({
  run: async (cases, begin) => {
    const start = performance.now();
    begin(0);
    try {
      const limit = startMilliseconds + cases.length * caseMilliseconds;
      const failures = await page.call<readonly (string | null)[]>(name, cases, limit);
      const milliseconds = (performance.now() - start) / cases.length;
      return failures.map((failure) => ({
        milliseconds,
        ...(failure !== null && { failure: `${invariant}: ${failure}` }),
      }));
    } catch (error) {
      if (cases.length === 1) return [{ milliseconds: performance.now() - start, failure: failureOf(error) }];
    }
    const outcomes: Outcome[] = [];
    for (const [index, each] of cases.entries()) {
      begin(index);
      outcomes.push(...(await inChromium<Case>(page, name, invariant).run([each], () => undefined)));
    }
    return outcomes;
  },
  close: () => page.close(),
});
