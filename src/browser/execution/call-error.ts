import type { ExecuteErrorCode, ParameterError } from '../../compiler/execute/execute-steps.js';
import { SafeWeakSet } from '../../platform/collections.js';
import { define } from '../../platform/properties.js';

/** Which constraint of its control a value does not satisfy. https://html.spec.whatwg.org/#validitystate */
export type ConstraintCode =
  | 'value-missing'
  | 'type-mismatch'
  | 'pattern-mismatch'
  | 'too-long'
  | 'too-short'
  | 'range-underflow'
  | 'range-overflow'
  | 'step-mismatch'
  | 'bad-input'
  | 'custom-error';

/** What ended a call that no parameter is to blame for. */
export type CallCode =
  | 'no-submit-button'
  | 'removed'
  | 'renamed'
  | 'reset'
  | 'undone'
  | 'time-limit'
  | 'not-submitted'
  | 'not-answered'
  | 'rejected'
  | 'not-serializable'
  | 'page-error'
  | 'busy';

/** One thing that is wrong with a call. Its parameter is the empty string where it is none's fault. */
export type CallError = ParameterError<ExecuteErrorCode | ConstraintCode | CallCode>;

/** What a call of a form's tool rejects with: a DOMException with a list that an agent can correct itself by. */
export interface CallException extends DOMException {
  readonly errors: readonly CallError[];
  readonly cause?: unknown;
}

const Exception = globalThis.DOMException;
const exceptions = new SafeWeakSet<object>();

/** Whether a call failed for a reason that is told by its `errors`. */
export const isCallException = (error: unknown): boolean => exceptions.has(error as object);

/** The exception of several errors; its message holds all of theirs. */
export const callException = (errors: readonly CallError[]): CallException =>
  withMembers(new Exception(errors.map(({ message }) => message).join(' '), 'UnknownError'), { errors });

/** The exception of a call that ended for a reason that no parameter has. */
export function callFailure(
  code: CallCode,
  message: string,
  { name = 'UnknownError', ...rest }: { readonly name?: string; readonly cause?: unknown } = {},
): CallException {
  const error: CallError = { parameter: '', code, message, expected: {}, received: '' };
  return withMembers(new Exception(message, name), { errors: [error], ...rest });
}

const ends = {
  removed: 'The form was removed before it was submitted.',
  renamed: 'The tool was renamed before its form was submitted.',
  reset: 'The form was reset before it was submitted.',
  undone: 'The person has undone what was filled in.',
  'time-limit': 'The person did not submit the form in time.',
} satisfies Partial<Record<CallCode, string>>;

/** Why a form is not going to be submitted any more. */
export type EndCode = keyof typeof ends;

const names: Partial<Record<EndCode, string>> = { undone: 'NotAllowedError', 'time-limit': 'TimeoutError' };

export const callEnded = (code: EndCode): CallException =>
  callFailure(code, ends[code], { name: names[code] ?? 'UnknownError' });

function withMembers(exception: DOMException, members: object): CallException {
  for (const [key, value] of Object.entries(members)) {
    define(exception, key, { value: value as unknown, configurable: true, writable: true });
  }
  exceptions.add(exception);
  return exception as CallException;
}
