import { onAbort } from '../../platform/signals.js';
import type { ToolCall } from '../../webmcp.js';
import type { ControlState } from '../dom/control-state.js';
import type { LiveForm } from '../forms/live-form.js';
import type { SubmissionTracker } from '../submission/submit-event.js';
import type { FilledValues } from '../submission/submitted-values.js';
import type { Note } from '../submission/advice.js';
import type { PageResultObserver } from '../submission/page-result-observer.js';
import type { EndCode } from './call-error.js';

export interface RunningCall {
  /** Changes if the page replaces the form while it is filled. */
  form: LiveForm;
  /** The parent of the form. */
  readonly place: Node | null;
  readonly call: ToolCall;
  /** Aborts with the reason that ends the call. */
  readonly signal: AbortSignal;
  /** Ends the call with an error. Returns false if the form was already sent, the page has responded or the call has ended. */
  readonly end: (code: EndCode) => boolean;
  submit: SubmissionTracker | undefined;
  /** All submissions that the call has expected. */
  readonly submissions: SubmissionTracker[];
  /** Undefined until the form is filled. */
  filled: FilledValues | undefined;
  /** Observes the page from the start of a call that is submitted without the user. */
  page: PageResultObserver | undefined;
  /** Notes about values that the page has changed while the form was filled. */
  notes: readonly Note[];
  /** The states of file inputs. Stored per call, because another call may pass different files with the same names. */
  readonly files: Map<Element, ControlState>;
}

/** The interval of polling for options that depend on other controls. */
export const pollIntervalMs = 50;
const defaultOptionsTimeoutMs = 1000;

export const optionsTimeoutOf = ({ form: { settings } }: RunningCall): number =>
  settings.optionsTimeoutMs ?? defaultOptionsTimeoutMs;

/** Settles like the promise, or rejects when the call ends. */
export const untilEnd = <Value>({ signal }: RunningCall, promise: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject: (reason: unknown) => void) => {
    signal.throwIfAborted();
    const removeListener = onAbort(signal, reject);
    promise.then(resolve, reject).finally(removeListener);
  });
