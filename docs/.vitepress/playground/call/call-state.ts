import type { ParameterMessage, Submission } from '../frame/messages.js';

/** The state of the rendered form after the last call, besides the outcome of the call. */
export interface CallState {
  readonly isWaiting: boolean;
  /** The request that the browser would have sent. */
  readonly submission?: Submission;
}

export const noCall: CallState = { isWaiting: false };

/** An error of a call, with an error for each parameter. */
export class CallError extends Error {
  override readonly name = 'Error';
  readonly errors: readonly ParameterMessage[];

  constructor(message: string, errors: readonly ParameterMessage[] = []) {
    super(message);
    this.errors = errors;
  }
}

/** A call that runs in the frame. */
export interface RunningCall {
  readonly id: number;
  readonly resolve: (result: string | null) => void;
  readonly reject: (reason: unknown) => void;
}
