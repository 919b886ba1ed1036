import { domException, isActive, type Context } from './context.js';
import { isAllowed, whenAllowed } from './policy.js';
import { isAborted, reasonOf } from '../../platform/signals.js';

export interface Usage {
  /** Checks and copies what the operation was given, at once; the result does what it is for. */
  readonly prepare: () => () => void;
  readonly reject: (reason: unknown) => void;
  readonly signal?: AbortSignal | undefined;
  /** Throws if this answer of the policy is not good enough. */
  readonly judge?: (context: Context, allowed: boolean | undefined) => void;
}

/** Uses tools if the document is active and may do so. Where only the page that embeds it knows, that is asked first. */
export function whenUsable(context: Context, usage: Usage): void {
  const { prepare, signal, judge = checkPolicy } = usage;
  checkActive(context);
  const allowed = isAllowed(context);
  if (allowed === true) return prepare()();
  if (allowed === false) return judge(context, false);
  if (signal && isAborted(signal)) throw reasonOf(signal);
  void askFirst(context, usage, judge, attempt(prepare));
}

async function askFirst(
  context: Context,
  { reject }: Usage,
  judge: Required<Usage>['judge'],
  steps: () => void,
): Promise<void> {
  try {
    judge(context, await whenAllowed(context));
    checkActive(context);
    steps();
  } catch (error) {
    reject(error);
  }
}

/** What steps give; or what throws what they threw. */
function attempt(steps: () => () => void): () => void {
  try {
    return steps();
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

export function checkActive(context: Context): void {
  if (!isActive(context)) throw domException(context, 'InvalidStateError', 'The document is not active.');
  if (isNotOriginKeyed(context.realm.window)) {
    throw domException(
      context,
      'SecurityError',
      'Tools need an origin-keyed agent cluster (Origin-Agent-Cluster: ?1).',
    );
  }
}

/** Only Chromium, which has userAgentData, keys by origin unless a page says otherwise; elsewhere false says nothing. */
export const isNotOriginKeyed = (window: Window): boolean =>
  Reflect.get(window, 'originAgentCluster') === false && 'userAgentData' in window.navigator;

/** Throws if the policy says no. */
export function checkDenial(context: Context, allowed: boolean | undefined): void {
  if (allowed === false) checkPolicy(context, allowed);
}

/** Throws unless the policy says yes. */
function checkPolicy(context: Context, allowed: boolean | undefined): void {
  if (allowed === true) return;
  const [name, message] =
    allowed === false
      ? ['NotAllowedError', 'The permissions policy does not allow "tools" here. Give the frame allow="tools".']
      : ['NotSupportedError', 'The embedding page cannot say whether it allows "tools": it needs this script too.'];
  throw domException(context, name, message);
}
