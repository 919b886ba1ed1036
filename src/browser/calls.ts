import type { JsonValue } from '../json-schema.js';
import { method } from '../platform/captured.js';
import { isAborted, onAbort, reasonOf } from '../platform/signals.js';
import type { ToolCall } from '../webmcp.js';
import { callEnded, callFailure, type EndCode } from './call-error.js';
import { execute } from './execute.js';
import type { LiveForm } from './live-form.js';
import type { ExpectedSubmit } from './submit-event.js';

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
    const before = this.#last;
    let done!: () => void;
    this.#last = new Promise((resolve) => (done = resolve));
    try {
      await before;
      if (isAborted(call.signal)) throw reasonOf(call.signal);
      return await this.#start(input as JsonValue, call);
    } finally {
      done();
    }
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
    throw callFailure('waits-for-itself', 'The tool was called while its own form was being submitted: call it later.');
  }

  async #start(input: JsonValue, call: ToolCall): Promise<string | null> {
    const controller = new AbortController();
    const forget = onAbort(call.signal, (reason) => abort(controller, reason));
    const run: Run = {
      form: this.#form,
      call,
      signal: controller.signal,
      submit: undefined,
      end(code) {
        if (run.submit?.answer || isAborted(controller.signal)) return;
        abort(controller, callEnded(code));
        call.canceled();
      },
    };
    this.#current = run;
    try {
      return await execute(run, input);
    } finally {
      forget();
      this.#current = undefined;
      this.#nested = 0;
    }
  }
}

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
