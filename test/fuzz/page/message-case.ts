/** Strings that stand for values that JSON cannot contain, or that only the frame knows. */
export const placeholders = [
  '$greeting',
  '$document',
  '$sparse',
  '$deep',
  '$map',
  '$date',
  '$bytes',
  '$error',
  '$cycle',
  '$undefined',
  '$long',
  '$bigint',
] as const;

export interface MessageStep {
  /** Whether the message goes to the window or through a port that the frame has. */
  readonly to: 'window' | 'port';
  readonly data: unknown;
  /** Whether a new port is transferred. */
  readonly port: boolean;
}

/** The messages of a frame of another origin, and its answers to the requests of the page. */
export interface MessageCase {
  readonly steps: readonly MessageStep[];
  readonly answers: readonly unknown[];
}

/** The key of the harness's own messages, which the polyfill ignores. */
export const harnessKey = 'fuzz-harness';
