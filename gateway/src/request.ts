import { HttpError } from './http/json-response.js';
import type { Access, GatewayEvent, Settings } from './settings.js';

export type ReportEvent = (event: GatewayEvent) => void;

export function eventReporter({ onEvent, rateLimitKey }: Settings, request: Request): ReportEvent {
  const requestId = request.headers.get('x-request-id') ?? '';
  const client = rateLimitKey(request);
  const about = {
    ...(/^[\w.=-]{1,255}$/.test(requestId) && { requestId }),
    ...(client !== undefined && { client }),
  };
  return (event) => onEvent({ ...event, ...about });
}

/** The code of a failure, its requested URL, and the cause of an internal error or of an unavailable store. */
export function failureFields({ code, cause, url }: HttpError): Pick<GatewayEvent, 'code' | 'error' | 'url'> {
  const isInternal = code === 'internal-error' || code === 'store-unavailable';
  return { code, ...(url !== undefined && { url }), ...(isInternal && { error: cause }) };
}

/** Checks whether the client of a request may read or submit. @throws {HttpError} `insufficient-scope` */
export function requireAccess({ authorize }: Settings, request: Request, access: Access): void {
  const refusal = authorize?.(request, access);
  if (!refusal) return;
  const headers = { 'www-authenticate': refusal.challenge };
  throw new HttpError('insufficient-scope', refusal.message, { headers });
}
