import { method } from '../platform/primordials.js';
import type { ToolCall } from '../webmcp.js';
import { withoutPrototype, SafeSet } from '../platform/collections.js';
import { domException, fire, isActive, refresh, type Context, type Tool } from './frames/context.js';
import { define } from '../platform/properties.js';
import { ownRealm } from './frames/realm.js';
import { waitForMessage } from '../platform/wait-for-message.js';
import { startTimeout, startInterval, queueTask, stopTimer, type Timer } from '../platform/tasks.js';
import { isObject } from './idl/web-idl.js';

/** Why a call failed: the caller's realm makes its UnknownError of it. */
export class Failure extends Error {}

const gone = (): Failure => new Failure('The document of the tool went away.');

/** `failed` tells the two apart, whatever all objects inherit. */
export type Outcome =
  { readonly failed: false; readonly value: string | null } | { readonly failed: true; readonly error: unknown };

export const success = (value: string | null): Outcome => ({ failed: false, value });
export const failure = (error: unknown): Outcome => ({ failed: true, error });

export interface Call {
  /** The document that called, if it is one of ours. */
  readonly caller: Context | undefined;
  readonly target: Context;
  readonly name: string;
  /** JSON text. */
  readonly input: string;
  readonly mayRun: (tool: Tool) => boolean;
  readonly finish: (outcome: Outcome) => void;
  controller?: AbortController;
  /** Whether the tool has given up what it had begun. */
  isCanceled?: true;
  /** Ends the wait for what comes after the tool's document. */
  stopWaiting?: () => void;
}

/** How long the page after a tool's document is waited for, in milliseconds. */
const patience = 30_000;

const abort: (controller: AbortController) => void = method('AbortController', 'abort');
const calls = new SafeSet<Call>();

/**
 * Runs a tool in a task; the result cancels it.
 * https://webmachinelearning.github.io/webmcp/#tool-execute-steps
 */
export function startCall(call: Call): () => void {
  calls.add(call);
  if ([call.caller, call.target].some((context) => context && context.realm !== ownRealm())) watch();
  queueTask(() => void run(call));
  return () => queueTask(() => cancel(call));
}

async function run(call: Call): Promise<void> {
  const { target, name, mayRun } = call;
  if (!calls.has(call)) return;
  refresh(target);
  const tool = target.tools.get(name);
  if (!tool || !isActive(target) || !mayRun(tool)) {
    return finish(call, failure(new Failure(`There is no tool "${name}" for this page any more.`)));
  }
  try {
    const input = target.realm.parse(call.input);
    if (!isObject(input)) throw new Failure('JSON input arguments must be an object');
    call.controller = new target.realm.AbortController();
    const value = await tool.run(input, toolCall(call, call.controller.signal));
    if (!isActive(target)) {
      if (call.stopWaiting) return;
      throw gone();
    }
    finish(call, success(value));
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
      call.stopWaiting = waitForMessage(channel, patience, (result) => finish(call, success(result)));
    },
    activated() {
      if (isActivated) return;
      isActivated = true;
      if (isActive(target))
        fire(target, new target.interfaces.ToolActivatedEvent('toolactivated', withoutPrototype({ toolName: name })));
    },
  };
}

function finish(call: Call, outcome: Outcome): void {
  if (!calls.delete(call)) return;
  call.stopWaiting?.();
  call.finish(outcome);
  if (call.isCanceled) startTimeout(0, () => tellCanceled(call)); // before any timer of the caller, who is told in a posted task
}

function tellCanceled({ target, name }: Call): void {
  if (isActive(target))
    fire(target, new target.interfaces.ToolCancelEvent('toolcancel', withoutPrototype({ toolName: name })));
}

/** https://webmachinelearning.github.io/webmcp/#cancel-a-pending-tool-execution */
function cancel(call: Call): void {
  if (!calls.delete(call)) return;
  call.stopWaiting?.();
  if (!call.controller) return;
  abort(call.controller);
  tellCanceled(call);
}

/** Ends the calls from and to documents that are gone. https://html.spec.whatwg.org/multipage/#unloading-document-cleanup-steps */
export function endOrphanedCalls(): void {
  for (const call of calls) {
    const isCallerGone = call.caller !== undefined && !isActive(call.caller);
    const isWaiting = call.stopWaiting !== undefined && !isCallerGone;
    if (!isActive(call.target) && !isWaiting) finish(call, failure(gone()));
    else if (isCallerGone) cancel(call);
  }
}

/** Cancels the calls of a document's tools. */
export function endCallsOf(target: Context): void {
  for (const call of [...calls].filter((each) => each.target === target)) {
    cancel(call);
    call.finish(failure(new Failure('The polyfill was taken back.')));
  }
}

let timer: Timer | undefined;

/** A frame may go without a pagehide event that reaches us (document.open() removes listeners): look, while calls run. */
function watch(): void {
  timer ??= startInterval(500, () => {
    endOrphanedCalls();
    if (calls.size > 0) return;
    stopTimer(timer);
    timer = undefined;
  });
}

/** The error that a caller gets. */
export function errorFor(caller: Context, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const exception = domException(caller, 'UnknownError', error.message);
  if (error.cause !== undefined) define(exception, 'cause', { value: error.cause, configurable: true, writable: true });
  return exception;
}
