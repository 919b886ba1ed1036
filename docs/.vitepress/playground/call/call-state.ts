import type { ParameterMessage, Submission } from '../frame/messages.js';

/** The last call of a tool. */
export interface CallState {
  readonly status: 'none' | 'running' | 'waiting' | 'done' | 'failed' | 'canceled';
  /** Null if the page has no result of its own. */
  readonly result?: string | null;
  readonly message?: string;
  readonly errors?: readonly ParameterMessage[];
  /** The request that the browser would have sent. */
  readonly submission?: Submission;
}

export const noCall: CallState = { status: 'none' };
