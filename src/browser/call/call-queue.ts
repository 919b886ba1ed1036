import type { JsonValue } from '../../json-schema.js';
import { SafeMap } from '../../platform/collections.js';
import { onAbort } from '../../platform/signals.js';
import { startInterval, stopTimer } from '../../platform/timers.js';
import type { ToolCall } from '../../webmcp.js';
import type { LiveForm } from '../forms/live-form.js';
import { callEnded, callFailure, isCallException, type CallException, type EndCode } from './call-error.js';
import { stringify } from '../../json.js';
import { domTree, elementsOfForm } from '../dom/dom-tree.js';
import { isConnected } from '../dom/members.js';
import { execute } from './execute.js';
import { watchPage } from '../submission/page-result-observer.js';
import type { RunningCall } from './running-call.js';

/** The calls of one form, which run one after another. */
export class CallQueue {
  readonly #form: LiveForm;
  #last: Promise<void> = Promise.resolve();
  #current: RunningCall | undefined;
  /** The number of calls made by listeners of the running call's submit event. */
  #nestedCalls = 0;

  constructor(form: LiveForm) {
    this.#form = form;
  }

  /** @param registered - the name under which the tool was called */
  async run(input: object, call: ToolCall, registered: string | undefined): Promise<string | null> {
    this.#rejectNested();
    const previous = this.#last;
    let done!: () => void;
    this.#last = new Promise((resolve) => (done = resolve));
    try {
      await this.#waitFor(previous);
      call.signal.throwIfAborted();
      if (this.#form.registered === undefined) throw callEnded('removed');
      if (this.#form.registered !== registered) throw callEnded('renamed');
      return await this.#start(input as JsonValue, call);
    } finally {
      void previous.then(done);
    }
  }

  /** Waits for the previous calls, with a time limit: the page's response to one of them may depend on this call. */
  #waitFor(previous: Promise<void>): Promise<void> {
    const { busyTimeoutMs = 30_000 } = this.#form.settings;
    return new Promise((resolve, reject) => {
      const timer = startInterval(Math.min(busyTimeoutMs, 1000), () => {
        if (Date.now() - (this.#current?.submit?.respondedAt ?? Infinity) >= busyTimeoutMs) reject(busy());
      });
      void previous.then(() => {
        stopTimer(timer);
        resolve();
      });
    });
  }

  end(code: EndCode): void {
    this.#current?.end(code);
  }

  /**
   * Continues the call with `next`, the form that has replaced this one. Ends the call if it has already filled this form,
   * or if `next` is not a replacement. Returns whether the page may still insert a replacement, for example after a message.
   */
  move(next: LiveForm | undefined): boolean {
    const call = this.#current;
    const mayMove = next ? call && isReplacement(next.element, call) : !isConnected(this.#form.element);
    if (!call || call.filled || !mayMove) this.end('removed');
    else if (!next) return true;
    else {
      call.form = next;
      call.page?.stop();
      call.page &&= watchPage(call);
      this.#current = undefined;
      next.calls.#current = call;
      next.calls.#last = this.#last;
    }
    return false;
  }

  /** Notes that the tool is called, because a call may wait for a submit listener that makes another call. */
  noteCall(): void {
    if (this.#current?.submit?.isDispatching()) this.#nestedCalls++;
  }

  /** A submit listener that awaits another call of its own form would never finish. */
  #rejectNested(): void {
    if (this.#nestedCalls === 0) return;
    this.#nestedCalls--;
    throw busy();
  }

  async #start(input: JsonValue, toolCall: ToolCall): Promise<string | null> {
    const controller = new AbortController();
    const { signal } = controller;
    const removeListener = onAbort(toolCall.signal, (reason) => controller.abort(reason));
    const call: RunningCall = {
      form: this.#form,
      place: domTree.parent(this.#form.element),
      call: toolCall,
      signal,
      submit: undefined,
      submissions: [],
      filled: undefined,
      page: undefined,
      notes: [],
      files: new SafeMap(),
      end(code) {
        if (call.submit?.response || call.submit?.isSent || signal.aborted) return false;
        controller.abort(callEnded(code));
        toolCall.canceled();
        return true;
      },
    };
    this.#current = call;
    try {
      return await execute(call, input);
    } catch (error) {
      signal.throwIfAborted();
      if (isCallException(error)) throw error;
      throw callFailure('page-error', `The page threw an error: ${String(error)}`, { cause: error });
    } finally {
      removeListener();
      const { calls } = call.form;
      calls.#current = undefined;
      calls.#nestedCalls = 0;
    }
  }
}

/** Whether a form has the parent and the submission of a call's form. Any other form may be user-generated content. */
const isReplacement = (next: Element, { form: { element }, place }: RunningCall): boolean =>
  domTree.parent(next) === place && submissionOf(next) === submissionOf(element);

const ofForms = ['action', 'method', 'enctype', 'target', 'accept-charset', 'data-webmcp-response'];
const ofButtons = ['action', 'method', 'enctype', 'target'].map((name) => `form${name}`);

/** The attributes of a form and its buttons that determine its submission, and its hidden values, as a string. */
function submissionOf(form: Element): string {
  const read = (element: Element, names: readonly string[]) => names.map((name) => domTree.attribute(element, name));
  const controls = elementsOfForm(form);
  const buttons = controls.map((control) => read(control, ofButtons)).filter((values) => values.some(Boolean));
  const hidden = controls.filter((control) => domTree.attribute(control, 'type')?.toLowerCase() === 'hidden');
  return stringify([read(form, ofForms), buttons, hidden.map((control) => read(control, ['name', 'value']))]);
}

const busy = (): CallException =>
  callFailure('busy', 'The page has not responded to another call of this tool yet. Retry later.');
