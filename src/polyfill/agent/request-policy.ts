import { viewOf } from '../../platform/dom.js';
import { startTimeout, stopTimer } from '../../platform/timers.js';
import { isAllowed } from '../frames/policy.js';
import { documentOf, parentOf } from '../frames/realm.js';
import type { Agent } from './agent.js';
import { timeouts } from './cross-origin/limits.js';

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

/** Also waits if an earlier request is pending. */
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
