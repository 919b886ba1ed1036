import { withoutPrototype } from '../../platform/collections.js';
import { queueTask } from '../../platform/tasks.js';
import { startInterval, startTimeout, stopTimer } from '../../platform/timers.js';
import { waitForMessage } from '../../platform/wait-for-message.js';
import type { ToolCall } from '../../webmcp.js';
import { fire, isActive } from '../frames/context.js';
import { isObject } from '../idl/web-idl.js';
import type { Realm } from '../frames/realm.js';
import { refresh, type Context, type Tool } from '../state.js';
import { failure, Failure, success, type Outcome } from './outcome.js';
import { runCallback } from './imperative.js';
import type { Agent } from './agent.js';

export interface Call {
  /** Undefined for a document of another origin. */
  readonly caller: Context | undefined;
  readonly target: Context;
  readonly name: string;
  /** JSON text. */
  readonly input: string;
  readonly mayRun: (tool: Tool) => boolean;
  readonly finish: (outcome: Outcome) => void;
  controller?: AbortController;
  /** Whether the tool canceled the call itself. */
  isCanceled?: true;
  /** Stops waiting for the result from the next document. */
  stopWaiting?: () => void;
}

const unloaded = (): Failure => new Failure('The document of the tool was unloaded.');

const navigationTimeoutMs = 30_000;
const watchIntervalMs = 500;

/**
 * Runs a tool in a task. Returns a function that cancels the call.
 * https://webmachinelearning.github.io/webmcp/#tool-execute-steps
 */
export function startCall(agent: Agent, call: Call): () => void {
  const { realm } = agent.polyfill;
  agent.calls.add(call);
  if ([call.caller, call.target].some((context) => context && context.realm !== realm)) watch(agent);
  queueTask(() => void run(agent, call));
  return () => queueTask(() => cancel(agent, call));
}

async function run(agent: Agent, call: Call): Promise<void> {
  const { target, name, mayRun } = call;
  if (!agent.calls.has(call)) return;
  refresh(target);
  const tool = target.tools.get(name);
  if (!tool || !isActive(target) || !mayRun(tool)) {
    return finish(agent, call, failure(new Failure(`The tool "${name}" is not available to this page any more.`)));
  }
  try {
    const input = target.realm.parse(call.input);
    if (!isObject(input)) throw new Failure('JSON input arguments must be an object');
    call.controller = new target.realm.AbortController();
    const value = await runTool(target, tool, input, toolCall(agent, call, call.controller.signal));
    if (isActive(target)) finish(agent, call, success(value));
    else if (!call.stopWaiting) throw unloaded();
  } catch (error) {
    finish(agent, call, failure(error));
  }
}

const runTool = (context: Context, tool: Tool, input: object, call: ToolCall): Promise<string | null> =>
  tool.run ? tool.run(input, call) : runCallback(context, tool, input, call);

function toolCall(agent: Agent, call: Call, signal: AbortSignal): ToolCall {
  const { target, name } = call;
  let isActivated = false;
  return {
    signal,
    canceled: () => void (call.isCanceled = true),
    leaves: (channel) => {
      call.stopWaiting = waitForMessage(channel, navigationTimeoutMs, (result) => finish(agent, call, success(result)));
    },
    activated() {
      if (isActivated) return;
      isActivated = true;
      fire(target, new target.interfaces.ToolActivatedEvent('toolactivated', withoutPrototype({ toolName: name })));
    },
  };
}

/** Returns false if the call was already removed. */
function remove({ calls }: Agent, call: Call): boolean {
  const isRunning = calls.delete(call);
  if (isRunning) call.stopWaiting?.();
  return isRunning;
}

function finish(agent: Agent, call: Call, outcome: Outcome): void {
  if (!remove(agent, call)) return;
  call.finish(outcome);
  if (call.isCanceled) startTimeout(0, () => fireCanceled(call)); // after the posted task that settles the promise
}

const fireCanceled = ({ target, name }: Call): void =>
  fire(target, new target.interfaces.ToolCancelEvent('toolcancel', withoutPrototype({ toolName: name })));

/** https://webmachinelearning.github.io/webmcp/#cancel-a-pending-tool-execution */
function cancel(agent: Agent, call: Call): void {
  if (!remove(agent, call) || !call.controller) return;
  call.controller.abort();
  fireCanceled(call);
}

/**
 * Ends the calls from and to unloaded documents. A call that waits for a result from the next document continues, unless its
 * caller is unloaded.
 * https://html.spec.whatwg.org/multipage/#unloading-document-cleanup-steps
 */
export function endOrphanedCalls(agent: Agent): void {
  for (const call of agent.calls) {
    const isCallerGone = call.caller !== undefined && !isActive(call.caller);
    const isWaiting = call.stopWaiting !== undefined && !isCallerGone;
    if (!isActive(call.target) && !isWaiting) finish(agent, call, failure(unloaded()));
    else if (isCallerGone) cancel(agent, call);
  }
}

/** Cancels the calls of the tools of a realm, or all calls, because the polyfill is removed. */
export function endCalls(agent: Agent, realm: Realm | undefined): void {
  for (const call of agent.calls) {
    if (realm && call.target.realm !== realm) continue;
    cancel(agent, call);
    call.finish(failure(new Failure('The polyfill was removed.')));
  }
}

/** Polls while calls run: document.open() removes listeners, so a frame may be removed without a pagehide event. */
function watch(agent: Agent): void {
  agent.callTimer ??= startInterval(watchIntervalMs, () => {
    endOrphanedCalls(agent);
    if (agent.calls.size === 0) stopWatching(agent);
  });
}

export function stopWatching(agent: Agent): void {
  stopTimer(agent.callTimer);
  agent.callTimer = undefined;
}

/** https://webmachinelearning.github.io/webmcp/#tool-is-exposed-to-an-origin */
export const isExposed = ({ exposedTo }: Tool, own: string, origin: string): boolean =>
  origin !== 'null' && (origin === own || exposedTo.includes(origin));
