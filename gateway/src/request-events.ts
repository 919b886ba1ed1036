import type { HttpError } from './http/http-error.js';
import type { GatewayEvent, Settings } from './settings.js';

export type ReportEvent = (event: GatewayEvent) => void;

/** Reports events with the `X-Request-Id` of their request. */
export function eventReporter({ onEvent }: Settings, { headers }: Request): ReportEvent {
  const requestId = headers.get('x-request-id') ?? '';
  if (!/^[\w.=-]{1,255}$/.test(requestId)) return onEvent;
  return (event) => {
    onEvent({ ...event, requestId });
  };
}

/** The code of a failure, with the requested URL, and the cause of the gateway's own failures. */
export function failureFields({ code, cause, url }: HttpError): Pick<GatewayEvent, 'code' | 'error' | 'url'> {
  const isInternal = code === 'internal-error' || code === 'store-unavailable';
  return { code, ...(url !== undefined && { url }), ...(isInternal && { error: cause }) };
}
