import { withoutPrototype } from '../platform/collections.js';
import { method } from '../platform/primordials.js';
import { define } from '../platform/properties.js';
import { queueTask, startInterval, startTimeout, stopTimer } from '../platform/tasks.js';
import { waitForMessage } from '../platform/wait-for-message.js';
import type { ToolCall } from '../webmcp.js';
import { domException, fire, isActive, refresh } from './frames/context.js';
import { isObject } from './idl/web-idl.js';
import type { Call, Context, Outcome, PolyfillState } from './state.js';

/** The failure of a call. It is converted to an UnknownError of the caller's realm. */
export class Failure extends Error {}

const unloaded = (): Failure => new Failure('The document of the tool was unloaded.');

export const success = (value: string | null): Outcome => ({ failed: false, value });
export const failure = (error: unknown): Outcome => ({ failed: true, error });

const navigationTimeoutMs = 30_000;
const watchIntervalMs = 500;

const abort: (controller: AbortController) => void = method('AbortController', 'abort');

/**
 * Runs a tool in a task. Returns a function that cancels the call.
 * https://webmachinelearning.github.io/webmcp/#tool-execute-steps
 */
export function startCall(call: Call): () => void {
  const { state } = call.target;
  state.calls.add(call);
  if ([call.caller, call.target].some((context) => context && context.realm !== state.realm)) watch(state);
  queueTask(() => void run(call));
  return () => queueTask(() => cancel(call));
}

async function run(call: Call): Promise<void> {
  const { target, name, mayRun } = call;
  if (!target.state.calls.has(call)) return;
  refresh(target);
  const tool = target.tools.get(name);
  if (!tool || !isActive(target) || !mayRun(tool)) {
    return finish(call, failure(new Failure(`The tool "${name}" is not available to this page any more.`)));
  }
  try {
    const input = target.realm.parse(call.input);
    if (!isObject(input)) throw new Failure('JSON input arguments must be an object');
    call.controller = new target.realm.AbortController();
    const value = await tool.run(input, toolCall(call, call.controller.signal));
    if (isActive(target)) finish(call, success(value));
    else if (!call.stopWaiting) throw unloaded();
  } catch (error) {
    finish(call, failure(error));
  }
}

function toolCall(call: Call, signal: AbortSignal): ToolCall {
  const { target, name } = call;
  let isActivated = false;
  return {
    signal,
    canceled: () => void (call.isCanceled = true),
    leaves: (channel) => {
      call.stopWaiting = waitForMessage(channel, navigationTimeoutMs, (result) => finish(call, success(result)));
    },
    activated() {
      if (isActivated) return;
      isActivated = true;
      fire(target, new target.interfaces.ToolActivatedEvent('toolactivated', withoutPrototype({ toolName: name })));
    },
  };
}

/** Returns false if the call was already removed. */
function remove(call: Call): boolean {
  const isRunning = call.target.state.calls.delete(call);
  if (isRunning) call.stopWaiting?.();
  return isRunning;
}

function finish(call: Call, outcome: Outcome): void {
  if (!remove(call)) return;
  call.finish(outcome);
  if (call.isCanceled) startTimeout(0, () => fireCanceled(call)); // after the posted task that settles the promise
}

const fireCanceled = ({ target, name }: Call): void =>
  fire(target, new target.interfaces.ToolCancelEvent('toolcancel', withoutPrototype({ toolName: name })));

/** https://webmachinelearning.github.io/webmcp/#cancel-a-pending-tool-execution */
function cancel(call: Call): void {
  if (!remove(call) || !call.controller) return;
  abort(call.controller);
  fireCanceled(call);
}

/**
 * Ends the calls from and to unloaded documents.
 * https://html.spec.whatwg.org/multipage/#unloading-document-cleanup-steps
 */
export function endOrphanedCalls({ calls }: PolyfillState): void {
  for (const call of calls) {
    const isCallerGone = call.caller !== undefined && !isActive(call.caller);
    const isWaiting = call.stopWaiting !== undefined && !isCallerGone;
    if (!isActive(call.target) && !isWaiting) finish(call, failure(unloaded()));
    else if (isCallerGone) cancel(call);
  }
}

/** Cancels calls of tools that are removed with the polyfill. */
export function endCalls({ calls }: PolyfillState, isAffected: (call: Call) => boolean): void {
  for (const call of calls) {
    if (!isAffected(call)) continue;
    cancel(call);
    call.finish(failure(new Failure('The polyfill was removed.')));
  }
}

/** Polls while calls run: document.open() removes listeners, so a frame may be removed without a pagehide event. */
function watch(state: PolyfillState): void {
  state.callTimer ??= startInterval(watchIntervalMs, () => {
    endOrphanedCalls(state);
    if (state.calls.size === 0) stopWatching(state);
  });
}

export function stopWatching(state: PolyfillState): void {
  stopTimer(state.callTimer);
  state.callTimer = undefined;
}

export function errorFor(caller: Context, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const exception = domException(caller, 'UnknownError', error.message);
  if (error.cause !== undefined) define(exception, 'cause', { value: error.cause, configurable: true, writable: true });
  return exception;
}
