import type { JsonValue } from '../../json-schema.js';
import { method } from '../../platform/primordials.js';
import { SafeMap } from '../../platform/collections.js';
import { isAborted, onAbort, reasonOf } from '../../platform/signals.js';
import { startInterval, stopTimer } from '../../platform/tasks.js';
import type { ToolCall } from '../../webmcp.js';
import { callEnded, callFailure, isCallException, type CallException, type EndCode } from './call-error.js';
import type { ControlState } from '../dom/control-state.js';
import { execute } from './execute.js';
import type { LiveForm } from '../forms/live-form.js';
import type { ExpectedSubmit } from '../submission/submit-event.js';

const { AbortController } = globalThis; // captured: a page may replace it
const abort: (controller: AbortController, reason: unknown) => void = method('AbortController', 'abort');

/** One call that runs. */
export interface Run {
  readonly form: LiveForm;
  readonly call: ToolCall;
  /** Aborts with the reason that ends the call. */
  readonly signal: AbortSignal;
  /** Ends the call for a reason that no parameter has, unless the page has answered it. */
  readonly end: (code: EndCode) => void;
  /** What the page made of the submit event, once there is one. */
  submit: ExpectedSubmit | undefined;
  /** The files that were made for a control; a second call may bring others of the same name. */
  readonly files: Map<Element, ControlState>;
}

/** The calls of one form: they run one after another, and none gets the result of another. */
export class Calls {
  readonly #form: LiveForm;
  #last: Promise<void> = Promise.resolve();
  #current: Run | undefined;
  /** How many calls a listener has made while the form dispatched an event for the call that runs. */
  #nested = 0;

  constructor(form: LiveForm) {
    this.#form = form;
  }

  async run(input: object, call: ToolCall): Promise<string | null> {
    this.#refuseNested();
    const { registered } = this.#form;
    const before = this.#last;
    let done!: () => void;
    this.#last = new Promise((resolve) => (done = resolve));
    try {
      await this.#turn(before);
      if (isAborted(call.signal)) throw reasonOf(call.signal);
      if (this.#form.registered === undefined) throw callEnded('removed');
      if (this.#form.registered !== registered) throw callEnded('renamed');
      return await this.#start(input as JsonValue, call);
    } finally {
      void before.then(done);
    }
  }

  /** Waits for the calls before: not for ever, because the page's answer to one of them may wait for this one. */
  #turn(before: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = startInterval(1000, () => {
        if (Date.now() - (this.#current?.submit?.answeredAt ?? Infinity) >= patience) reject(busy());
      });
      void before.then(() => {
        stopTimer(timer);
        resolve();
      });
    });
  }

  /** Ends the call that runs, if there is one that the page has not answered. */
  end(code: EndCode): void {
    this.#current?.end(code);
  }

  /** Takes notice that the tool is being called. */
  isCalled(): void {
    if (this.#current?.submit?.isDispatched()) this.#nested++;
  }

  /** A submit listener that waits for another call of its own form would wait for ever. */
  #refuseNested(): void {
    if (this.#nested === 0) return;
    this.#nested--;
    throw busy();
  }

  async #start(input: JsonValue, call: ToolCall): Promise<string | null> {
    const controller = new AbortController();
    const forget = onAbort(call.signal, (reason) => abort(controller, reason));
    const run: Run = {
      form: this.#form,
      call,
      signal: controller.signal,
      submit: undefined,
      files: new SafeMap(),
      end(code) {
        if (run.submit?.answer || run.submit?.isSent || isAborted(controller.signal)) return;
        abort(controller, callEnded(code));
        call.canceled();
      },
    };
    this.#current = run;
    try {
      return await execute(run, input);
    } catch (error) {
      if (isAborted(controller.signal)) throw reasonOf(controller.signal);
      if (isCallException(error)) throw error;
      throw callFailure('page-error', `The page failed: ${String(error)}`, { cause: error });
    } finally {
      forget();
      this.#current = undefined;
      this.#nested = 0;
    }
  }
}

/** How long a call waits for what `respondWith` got in the one before, in milliseconds. */
const patience = 30_000;

const busy = (): CallException => callFailure('busy', 'The page has not answered another call of this tool yet.');

/** Throws why a run has ended, if it has. */
export function checkRun({ signal }: Run): void {
  if (isAborted(signal)) throw reasonOf(signal);
}

/** What a promise gives, unless the run ends before. */
export const untilEnd = <Value>({ signal }: Run, promise: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject: (reason: unknown) => void) => {
    if (isAborted(signal)) throw reasonOf(signal);
    const forget = onAbort(signal, reject);
    promise.then(resolve, reject).finally(forget);
  });
