import { CodedError, type InputError, SubmissionError, type SubmissionErrorCode } from 'webmcp-forms/headless';

export type { InputError };

/** The reason of a failed call. Codes never change their meaning. */
export type GatewayErrorCode =
  | SubmissionErrorCode
  /** No webtool exists in this version or at this path. */
  | 'webtool-not-found'
  | 'action-not-found'
  /** The last answer of the session did not offer the form, or the session has submitted it. */
  | 'form-not-offered'
  /** The hash of the call differs from the hash of the metadata: the tools changed since the client read them. */
  | 'webtool-changed'
  /** The site responded with a status of 500 or more. */
  | 'upstream-error'
  /** The gateway, or the client, has too many calls or large requests at the same time. */
  | 'overloaded'
  /** The client, or the store, has too many sessions. */
  | 'session-limit'
  /** The store of sessions or versions is unavailable. */
  | 'store-unavailable';

/**
 * A failure of a call. Its message contains no values of the page, the configuration or cookies. Only the message of
 * `upstream-error` quotes the site's response, without secrets.
 */
export class GatewayError extends CodedError<GatewayErrorCode> {
  override readonly name = 'GatewayError';
}

export const loginAdvice =
  "Call the site's login tool first, in the same session, or ask the operator of the gateway to configure a cookie or an authorization header of an account.";

/** Advice after failed submissions, for callers and the operator of a gateway. */
const advice: Partial<Readonly<Record<SubmissionErrorCode, string>>> = {
  'login-required': loginAdvice,
  'page-forbidden': loginAdvice,
  'page-not-found': 'Check the base URL of the gateway, or compile the manifest again.',
  'action-elsewhere':
    'If this origin is the site, use it as the base URL. Otherwise allow it with origins or --origin.',
};

export function toGatewayError(error: unknown): unknown {
  if (!(error instanceof SubmissionError)) return error;
  const { code, message } = error;
  return new GatewayError(code, [message, advice[code] ?? []].flat().join(' '), error);
}
