import type { ParameterError } from 'webmcp-forms/headless';
import type { ConstraintCode } from './constraints/constraints.js';

/** Why a call failed. They never change their meaning. */
export type GatewayErrorCode =
  /** The input is not what the tool takes; `parameters` says all that is wrong. */
  | 'schema-error'
  /** What the operator or the client has configured does not fit the tool. */
  | 'config-error'
  /** There is no webtool of this version, or at this path. */
  | 'webtool-not-found'
  /** The webtool has no such action. */
  | 'action-not-found'
  /** The tool is no form that can be sent over HTTP. */
  | 'not-submittable'
  /** The page's form is no longer the one of the manifest. */
  | 'page-drift'
  /** The page of the form could not be read. */
  | 'page-unavailable'
  /** The form is sent in an encoding other than UTF-8, which cannot say these values. */
  | 'unsupported-encoding'
  /** The form is sent to another origin than its page's, and that is not allowed. */
  | 'action-elsewhere'
  | 'redirect-limit'
  | 'redirect-elsewhere'
  | 'upstream-timeout'
  | 'upstream-unreachable'
  /** The answer broke off, or its compression is broken. */
  | 'upstream-broken'
  | 'upstream-too-large'
  | 'upstream-refused-address'
  /** The site answered with a status of 500 or more. */
  | 'upstream-error'
  /** The caller's signal. */
  | 'aborted'
  /** The store of sessions or of versions does not answer. */
  | 'store-unavailable';

/** What is wrong with one parameter of the input. */
export type InputError = ParameterError | ParameterError<ConstraintCode>;

export interface GatewayErrorOptions {
  readonly parameters?: readonly InputError[];
  readonly cause?: unknown;
}

/** A failure of a call. Its message has no value of the page, of the configuration or of a cookie. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;
  /** What is wrong with the input; empty for all other failures. */
  readonly parameters: readonly InputError[];

  constructor(code: GatewayErrorCode, message: string, { parameters = [], cause }: GatewayErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.parameters = parameters;
  }
}
