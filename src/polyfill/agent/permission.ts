import { viewOf } from '../../platform/dom.js';
import { startTimeout, stopTimer } from '../../platform/timers.js';
import { domException } from '../frames/context.js';
import { checkActive, isAllowed } from '../frames/policy.js';
import { documentOf, parentOf } from '../frames/realm.js';
import type { Context, GuardedOperation } from '../state.js';
import type { Agent } from './agent.js';
import { timeouts } from './cross-origin/limits.js';

/** Runs an operation if its document may use tools. If only the embedding page knows the policy, requests it first. */
export function whenAllowed(agent: Agent, context: Context, operation: GuardedOperation): void {
  const { prepare, signal, reject, mayBeUnknown } = operation;
  checkActive(context);
  const allowed = isAllowed(context.state, context.document);
  if (allowed === true) return prepare()();
  if (allowed === false) return checkAllowed(context, false);
  signal?.throwIfAborted();
  const check = mayBeUnknown ? checkNotDenied : checkAllowed;
  void runLater(agent, context, check, deferErrors(prepare)).catch(reject);
}

async function runLater(
  agent: Agent,
  context: Context,
  check: (context: Context, allowed: boolean | undefined) => void,
  steps: () => void,
): Promise<void> {
  check(context, await requestPolicy(agent, context.document));
  checkActive(context);
  steps();
}

function deferErrors(prepare: () => () => void): () => void {
  try {
    return prepare();
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

export function checkNotDenied(context: Context, allowed: boolean | undefined): void {
  if (allowed === false) checkAllowed(context, allowed);
}

function checkAllowed(context: Context, allowed: boolean | undefined): void {
  if (allowed === true) return;
  const [name, message] =
    allowed === false
      ? ['NotAllowedError', 'The permissions policy does not allow "tools" here. Add allow="tools" to the frame.']
      : ['NotSupportedError', 'The permissions policy is unknown. Load this script in the embedding page too.'];
  throw domException(context, name, message);
}

/** Like `isAllowed`, but requests the policy from the embedding page if only that page knows. */
export async function requestPolicy(agent: Agent, document: Document): Promise<boolean | undefined> {
  const { polyfill } = agent;
  const view = viewOf(document);
  const outermost = view && outermostOfOrigin(view);
  if (outermost && isAllowed(polyfill, document) === undefined) await sendRequest(agent, outermost);
  return isAllowed(polyfill, document);
}

/** The nearest inclusive ancestor with a parent of another origin; null if all ancestors have the same origin. */
function outermostOfOrigin(window: Window): Window | null {
  const parent = parentOf(window);
  if (parent === window) return null;
  return documentOf(parent) ? outermostOfOrigin(parent) : window;
}

/** Sends a request. Resolves at the first answer to this or an earlier pending request, or after a timeout. */
function sendRequest(agent: Agent, window: Window): Promise<void> {
  const { document } = window;
  const request = agent.policyRequests.get(document) ?? createRequest(agent, document);
  agent.crossOrigin?.requestPolicy(window, (allowed) => {
    agent.polyfill.policies.set(document, allowed);
    request.finish();
  });
  return request.finished;
}

function createRequest({ policyRequests, crossOrigin }: Agent, document: Document) {
  let resolve!: () => void;
  const finished = new Promise<void>((resolvePromise) => (resolve = resolvePromise));
  const finish = (): void => {
    stopTimer(timer);
    policyRequests.delete(document);
    resolve();
  };
  let timer = startTimeout(timeouts.policy, () => {
    if (crossOrigin?.isWaiting) timer = startTimeout(timeouts.response, finish);
    else finish();
  });
  policyRequests.set(document, { finished, finish });
  return { finished, finish };
}
