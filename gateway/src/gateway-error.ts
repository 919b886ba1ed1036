import type { ConstraintCode, ParameterError } from 'webmcp-forms/headless';

/** The reason of a failed call. Codes never change their meaning. */
export type GatewayErrorCode =
  /** The input is invalid; `parameters` has all errors. */
  | 'schema-error'
  /** The configuration of the operator or the client does not match the tool. */
  | 'config-error'
  /** No webtool exists in this version or at this path. */
  | 'webtool-not-found'
  | 'action-not-found'
  /** The hash of the call is not that of the metadata: the tools changed since the client read them. */
  | 'webtool-changed'
  /** The tool is not a form that can be submitted by HTTP. */
  | 'not-submittable'
  /** The page's form differs from the manifest. */
  | 'page-drift'
  | 'page-unavailable'
  /** The page of the form does not exist: the site responded with 404 or 410. */
  | 'page-not-found'
  /** The session may not read the page of the form: the site responded with 403. */
  | 'page-forbidden'
  /** The site responded with 401, or with a login instead of the page of the form. */
  | 'login-required'
  /** The form is submitted in an encoding other than UTF-8, which cannot represent the values. */
  | 'unsupported-encoding'
  /** The form is submitted to an origin that is not allowed. */
  | 'action-elsewhere'
  | 'redirect-limit'
  | 'redirect-elsewhere'
  | 'upstream-timeout'
  | 'upstream-unreachable'
  /** The response was aborted, or its compression is invalid. */
  | 'upstream-broken'
  | 'upstream-too-large'
  | 'upstream-refused-address'
  /** The site responded with a status of 500 or more. */
  | 'upstream-error'
  | 'aborted'
  /** The gateway, or the client, has too many calls or large requests at the same time. */
  | 'overloaded'
  /** The client, or the store, has too many sessions. */
  | 'session-limit'
  /** The store of sessions or versions is unavailable. */
  | 'store-unavailable';

export type InputError = ParameterError | ParameterError<ConstraintCode>;

export interface GatewayErrorOptions {
  readonly parameters?: readonly InputError[];
  readonly cause?: unknown;
  /** The requested URL, for logs. It contains no input and no secrets. */
  readonly url?: string | undefined;
}

/**
 * A failure of a call. Its message contains no values of the page, the configuration or cookies, except that
 * `upstream-error` has the text of the site's response without its secrets.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;
  /** The errors of the input; empty for other failures. */
  readonly parameters: readonly InputError[];
  readonly url?: string;

  constructor(code: GatewayErrorCode, message: string, { parameters = [], cause, url }: GatewayErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.parameters = parameters;
    if (url !== undefined) this.url = url;
  }
}
