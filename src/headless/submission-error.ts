import type { ConstraintCode, ParameterError } from '../compiler/input/parameter-error.js';

/** The reason of a failed submission. Codes never change their meaning. */
export type SubmissionErrorCode =
  /** The input is invalid or exceeds a limit. `parameters` contains the errors of its parameters. */
  | 'schema-error'
  /** The configuration does not match the tool. */
  | 'config-error'
  /** The tool is not a form that can be submitted by HTTP. */
  | 'not-submittable'
  /** The page's form differs from the manifest. */
  | 'page-drift'
  | 'page-unavailable'
  /** The page of the form does not exist: the site responded with 404 or 410. */
  | 'page-not-found'
  /** The session is not allowed to read the page of the form: the site responded with 403. */
  | 'page-forbidden'
  /** The site responded with 401, or with a login instead of the page of the form. */
  | 'login-required'
  /** The form has a captcha, which only a person can solve. */
  | 'captcha-required'
  /** The form is submitted to an origin that is not allowed. */
  | 'action-elsewhere'
  /** The site responded to a submission with the same form and nothing new. */
  | 'form-returned'
  | 'redirect-limit'
  | 'redirect-elsewhere'
  | 'upstream-timeout'
  | 'upstream-unreachable'
  /** The response was aborted, or its compression is invalid. */
  | 'upstream-broken'
  | 'upstream-too-large'
  | 'upstream-refused-address'
  | 'aborted';

export type InputError = ParameterError | ParameterError<ConstraintCode>;

export interface CodedErrorOptions {
  readonly parameters?: readonly InputError[];
  readonly cause?: unknown;
  /** The requested URL, for logs. It contains no input and no secrets. */
  readonly url?: string | undefined;
}

export class CodedError<Code extends string> extends Error {
  readonly code: Code;
  /** The errors of the input; empty for other failures. */
  readonly parameters: readonly InputError[];
  readonly url?: string;

  constructor(code: Code, message: string, { parameters = [], cause, url }: CodedErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.parameters = parameters;
    if (url !== undefined) this.url = url;
  }
}

export const submittedAdvice = 'The site may have processed the submission. Check before you send it again.';

/** A failed submission. Its message contains no values of the page, the configuration or cookies. */
export class SubmissionError extends CodedError<SubmissionErrorCode> {
  override readonly name = 'SubmissionError';
}

/** @param others - a sentence about errors that are not in `parameters` */
export function invalidInput(parameters: readonly InputError[], omittedCount: number, others = ''): SubmissionError {
  const messages = parameters.slice(0, 20).map(({ message }) => message);
  if (others !== '') messages.push(others);
  if (omittedCount > 0) messages.push(`The input has ${omittedCount} more unknown names.`);
  return new SubmissionError('schema-error', `The input is invalid. ${messages.join(' ')}`, { parameters });
}
