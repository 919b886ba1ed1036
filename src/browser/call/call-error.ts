import {
  joinMessages,
  type ConstraintCode,
  type ExecuteErrorCode,
  type ParameterError,
} from '../../compiler/input/parameter-error.js';
import { SafeWeakMap } from '../../platform/collections.js';
import { define } from '../../platform/properties.js';

/** The reason for a failed call that does not concern a parameter. */
export type CallCode =
  | 'no-submit-button'
  | 'not-visible'
  | 'trap-filled'
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

/** An error of a call. `parameter` is empty if the error does not concern a parameter. */
export type CallError = ParameterError<ExecuteErrorCode | ConstraintCode | CallCode>;

/** The rejection of a form tool's call: a DOMException with the errors that the agent can correct. */
export interface CallException extends DOMException {
  readonly errors: readonly CallError[];
  readonly cause?: unknown;
}

const exceptions = new SafeWeakMap<object, true>();

export const isCallException = (error: unknown): boolean => exceptions.has(error as object);

export const callException = (errors: readonly CallError[]): CallException =>
  withMembers(new DOMException(joinMessages(errors.map(({ message }) => message)), 'UnknownError'), { errors });

export function callFailure(
  code: CallCode,
  message: string,
  { name = 'UnknownError', ...rest }: { readonly name?: string; readonly cause?: unknown } = {},
): CallException {
  const error: CallError = { parameter: '', code, message, expected: {}, received: '' };
  return withMembers(new DOMException(message, name), { errors: [error], ...rest });
}

const ends = {
  removed: ['The form was removed before it was submitted.'],
  renamed: ['The tool was renamed before its form was submitted.'],
  reset: ['The form was reset before it was submitted.'],
  undone: ['The user has undone the changes.', 'NotAllowedError'],
  'time-limit': ['The user did not submit the form in time.', 'TimeoutError'],
} satisfies Partial<Record<CallCode, readonly [message: string, name?: string]>>;

export type EndCode = keyof typeof ends;

export function callEnded(code: EndCode): CallException {
  const [message, name = 'UnknownError'] = ends[code] as readonly [string, string?];
  return callFailure(code, message, { name });
}

function withMembers(exception: DOMException, members: object): CallException {
  for (const [key, value] of Object.entries(members)) {
    define(exception, key, { value: value as unknown, configurable: true, writable: true });
  }
  exceptions.set(exception, true);
  return exception as CallException;
}
