/** The work of one worker thread. */
export interface Job {
  readonly target: string;
  readonly seed: number;
  readonly cases: number;
  /** The first batch. */
  readonly from: number;
  /** A batch whose cases run one by one, to find the one that hangs. */
  readonly single: number | undefined;
  /** The number of cases of this batch that have run. */
  readonly skip: number;
  /** Kept cases, which run first. */
  readonly replay: readonly unknown[];
  /** The kinds of failures that were reported. */
  readonly known: readonly string[];
  readonly shared: SharedArrayBuffer;
}

/** Indices of the shared array, by which the worker reports the current case to the watchdog. */
export const state = { batch: 0, index: 1, ticks: 2, shrinking: 3, generating: 4, length: 5 } as const;

export interface FailureMessage {
  readonly type: 'failure';
  readonly kind: string;
  readonly isNew: boolean;
  /** Whether the case is a kept one. */
  readonly isKept: boolean;
  readonly batch: number;
  readonly index: number;
  readonly value: unknown;
  readonly failure: string;
}

export type Message =
  | FailureMessage
  | {
      readonly type: 'batch';
      readonly batch: number;
      readonly cases: number;
      readonly slowest: { readonly milliseconds: number; readonly index: number };
    }
  | { readonly type: 'end' };
