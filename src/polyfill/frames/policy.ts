import { viewOf, getAttribute } from '../../platform/dom.js';
import type { Context, GuardedOperation, PolyfillState } from '../state.js';
import { domException, isActive } from './context.js';
import { documentOf, frameElementOf, parentOf } from './realm.js';

/**
 * Whether the permissions policy allows a document the feature "tools"; undefined if only an embedding page of another origin
 * knows, or if the agent script is not loaded and a frame has the attribute `allow`.
 * https://www.w3.org/TR/permissions-policy/#algo-is-feature-enabled
 */
export function isAllowed({ policies, agent }: PolyfillState, document: Document): boolean | undefined {
  const known = policies.get(document);
  if (known !== undefined) return known;
  const view = viewOf(document);
  const allowed = view ? (agent ? agent.policyOf(view) : defaultPolicyOf(view)) : false;
  if (allowed !== undefined && view) policies.set(document, allowed);
  return allowed;
}

/** By default, frames of the same origin inherit the policy of their page. */
function defaultPolicyOf(window: Window): true | undefined {
  const parent = parentOf(window);
  if (parent === window) return true;
  const element = documentOf(parent) && frameElementOf(window);
  return element && getAttribute(element, 'allow') === null ? defaultPolicyOf(parent) : undefined;
}

/** Runs an operation if its document may use tools. If the policy is unknown, the agent script decides. */
export function whenAllowed(context: Context, operation: GuardedOperation): void {
  const { state, document } = context;
  checkActive(context);
  if (isAllowed(state, document) === true) return operation.prepare()();
  state.withAgent((agent) => agent.whenAllowed(context, operation), operation.reject);
}

export function checkActive(context: Context): void {
  if (!isActive(context)) throw domException(context, 'InvalidStateError', 'The document is not active.');
  if (!isNotOriginKeyed(context.realm.window)) return;
  const message = 'Tools need an origin-keyed agent cluster. Send the header Origin-Agent-Cluster: ?1.';
  throw domException(context, 'SecurityError', message);
}

/**
 * Checks only Chromium, which has userAgentData and uses origin-keyed agent clusters by default. In other browsers
 * `originAgentCluster` may always be false.
 */
export const isNotOriginKeyed = (window: Window): boolean =>
  Reflect.get(window, 'originAgentCluster') === false && 'userAgentData' in window.navigator;
