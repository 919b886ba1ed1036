import { isAborted, onAbort, reasonOf } from '../../platform/signals.js';
import type { ControlState } from '../dom/control-state.js';
import type { SubmittedCall } from '../settings.js';
import type { ExpectedSubmit } from '../submission/submit-event.js';
import type { EndCode } from './call-error.js';

export interface RunningCall extends SubmittedCall {
  /** Ends the call with an error, unless the page has answered it. */
  readonly end: (code: EndCode) => void;
  submit: ExpectedSubmit | undefined;
  /** The files created for each control; another call may pass different files of the same names. */
  readonly files: Map<Element, ControlState>;
}

/** Options that depend on other controls are polled for. */
export const pollIntervalMs = 50;
export const defaultOptionsTimeoutMs = 1000;

/** @throws the reason that ended the call */
export function throwIfEnded({ signal }: SubmittedCall): void {
  if (isAborted(signal)) throw reasonOf(signal);
}

/** Settles as the promise does; rejects when the call ends. */
export const untilEnd = <Value>({ signal }: SubmittedCall, promise: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject: (reason: unknown) => void) => {
    if (isAborted(signal)) throw reasonOf(signal);
    const removeListener = onAbort(signal, reject);
    promise.then(resolve, reject).finally(removeListener);
  });
