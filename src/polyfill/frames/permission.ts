import { isAborted, reasonOf } from '../../platform/signals.js';
import type { Context } from '../state.js';
import { domException, isActive } from './context.js';
import { isAllowed, requestPolicy } from './policy.js';

export interface GuardedOperation {
  /** Converts the arguments, synchronously. Returns the steps that need the permission. */
  readonly prepare: () => () => void;
  readonly reject: (reason: unknown) => void;
  readonly signal?: AbortSignal | undefined;
  /** Throws if the policy does not permit the operation. */
  readonly check?: (context: Context, allowed: boolean | undefined) => void;
}

/** Runs an operation if its document may use tools, after a request to the embedding page if only that page knows. */
export function whenAllowed(context: Context, operation: GuardedOperation): void {
  const { prepare, signal, check = checkAllowed } = operation;
  checkActive(context);
  const allowed = isAllowed(context.state, context.document);
  if (allowed === true) return prepare()();
  if (allowed === false) return check(context, false);
  if (signal && isAborted(signal)) throw reasonOf(signal);
  void runLater(context, operation, check, deferErrors(prepare));
}

async function runLater(
  context: Context,
  { reject }: GuardedOperation,
  check: Required<GuardedOperation>['check'],
  steps: () => void,
): Promise<void> {
  try {
    check(context, await requestPolicy(context.state, context.document));
    checkActive(context);
    steps();
  } catch (error) {
    reject(error);
  }
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
