import { CodedError, type CodedErrorOptions } from 'webmcp-forms/headless';
import { GatewayError, type GatewayErrorCode } from '../gateway-error.js';

const statuses = {
  'schema-error': 422,
  'config-error': 422,
  'webtool-not-found': 404,
  'action-not-found': 404,
  'webtool-changed': 409,
  'not-submittable': 422,
  'page-drift': 502,
  'page-unavailable': 502,
  'page-not-found': 502,
  'page-forbidden': 502,
  'login-required': 502,
  'captcha-required': 403,
  'action-elsewhere': 502,
  'form-returned': 422,
  'form-not-offered': 409,
  'redirect-limit': 502,
  'redirect-elsewhere': 502,
  'upstream-timeout': 504,
  'upstream-unreachable': 502,
  'upstream-broken': 502,
  'upstream-too-large': 502,
  'upstream-refused-address': 502,
  'upstream-error': 502,
  aborted: 499,
  overloaded: 503,
  'session-limit': 429,
  'store-unavailable': 503,
  'internal-error': 500,
  'method-not-allowed': 405,
  'unsupported-media-type': 415,
  'request-too-large': 413,
  'rate-limit': 429,
  'quota-exceeded': 429,
  unauthorized: 401,
  'insufficient-scope': 403,
  'authorization-unavailable': 503,
  'host-not-allowed': 421,
  'origin-not-allowed': 403,
  'shutting-down': 503,
} as const satisfies Readonly<Record<GatewayErrorCode, number>> & Readonly<Record<string, number>>;

export type HttpErrorCode = keyof typeof statuses;

/** The cause and the URL are not sent to clients. */
interface HttpErrorOptions extends CodedErrorOptions {
  /** @default the status of the code */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export class HttpError extends CodedError<HttpErrorCode> {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: HttpErrorCode, message: string, options: HttpErrorOptions = {}) {
    super(code, message, options);
    this.status = options.status ?? statuses[code];
    this.headers = options.headers ?? {};
  }
}

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof GatewayError) {
    const { code, message, parameters, cause, url } = error;
    const headers = code === 'overloaded' ? { 'retry-after': '5' } : {};
    return new HttpError(code, message, { headers, parameters, cause, url });
  }
  const message = 'The gateway failed. Its log has the details.';
  return new HttpError('internal-error', message, { cause: error });
}

/** The code in the syntax of Webtools: `SCHEMA_ERROR` for `schema-error`. */
export const wireCode = (code: HttpErrorCode): string => code.toUpperCase().replaceAll('-', '_');

export function errorResponse({ code, message, status, headers, parameters }: HttpError): Response {
  const error = { code: wireCode(code), message, ...(parameters.length > 0 && { parameters }) };
  const text = JSON.stringify({ status: 'error', error }, withoutLongPattern);
  return jsonResponse(text, status, { 'cache-control': 'no-store', ...headers });
}

/** Omits long patterns: the message explains them, and the client has the schema. */
const withoutLongPattern = (key: string, value: unknown): unknown =>
  key === 'pattern' && typeof value === 'string' && value.length > 60 ? undefined : value;

export const jsonResponse = (text: string, status: number, headers: Readonly<Record<string, string>>): Response =>
  new Response(text, {
    status,
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', ...headers },
  });

/** https://owasp.org/www-project-secure-headers/ */
const always = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

export function withSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(always)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}
