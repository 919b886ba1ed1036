import type { Context, GuardedOperation } from '../state.js';
import { domException, isActive } from './context.js';
import { isAllowed } from './policy.js';

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
