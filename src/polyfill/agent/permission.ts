import { domException } from '../frames/context.js';
import { checkActive, isAllowed } from '../frames/policy.js';
import type { Context, GuardedOperation } from '../state.js';
import type { Agent } from './agent.js';
import { requestPolicy } from './request-policy.js';

/** Runs an operation if its document may use tools, after a request to the embedding page if only that page knows. */
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
