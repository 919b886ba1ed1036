import { GatewayError, type GatewayErrorCode, type InputError } from '../gateway-error.js';
import { jsonResponse } from './json-response.js';

/** Why a webtool did not answer with data: those of a call, and those that only HTTP knows. */
export type HttpErrorCode =
  | GatewayErrorCode
  /** What nobody expected. */
  | 'internal-error'
  | 'method-not-allowed'
  | 'unsupported-media-type'
  | 'request-too-large'
  | 'rate-limit'
  | 'unauthorized'
  | 'host-not-allowed'
  | 'shutting-down';

const statuses: Readonly<Record<HttpErrorCode, number>> = {
  'schema-error': 422,
  'config-error': 422,
  'webtool-not-found': 404,
  'action-not-found': 404,
  'not-submittable': 422,
  'unsupported-encoding': 422,
  'page-drift': 502,
  'page-unavailable': 502,
  'action-elsewhere': 502,
  'redirect-limit': 502,
  'redirect-elsewhere': 502,
  'upstream-timeout': 504,
  'upstream-unreachable': 502,
  'upstream-broken': 502,
  'upstream-too-large': 502,
  'upstream-refused-address': 502,
  'upstream-error': 502,
  aborted: 499,
  'store-unavailable': 503,
  'internal-error': 500,
  'method-not-allowed': 405,
  'unsupported-media-type': 415,
  'request-too-large': 413,
  'rate-limit': 429,
  unauthorized: 401,
  'host-not-allowed': 421,
  'shutting-down': 503,
};

export interface HttpErrorOptions {
  /** @default that of the code */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly parameters?: readonly InputError[];
  /** It stays inside. */
  readonly cause?: unknown;
}

/** An error as a webtool answers with it. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: HttpErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What is wrong with the input. */
  readonly parameters: readonly InputError[];

  constructor(code: HttpErrorCode, message: string, options: HttpErrorOptions = {}) {
    const { status = statuses[code], headers = {}, parameters = [], cause } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.headers = headers;
    this.parameters = parameters;
  }
}

/** Any error as a webtool answers with it; of one that nobody expected, nothing is told. */
export function httpErrorOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (!(error instanceof GatewayError)) {
    return new HttpError('internal-error', 'The gateway failed. Its operator finds more in its log.', {
      cause: error,
    });
  }
  const { code, message, parameters, cause } = error;
  return new HttpError(code, message, { parameters, cause });
}

/** The code as Webtools writes it: `SCHEMA_ERROR` for `schema-error`. */
export const wireCode = (code: HttpErrorCode): string => code.toUpperCase().replaceAll('-', '_');

/** The answer that says an error. */
export function errorResponse({ code, message, status, headers, parameters }: HttpError): Response {
  const error = { code: wireCode(code), message, ...(parameters.length > 0 && { parameters }) };
  return jsonResponse(JSON.stringify({ status: 'error', error }), status, { 'cache-control': 'no-store', ...headers });
}
