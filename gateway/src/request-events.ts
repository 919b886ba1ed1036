import type { GatewayEvent, Settings } from './settings.js';

export type Tell = (event: GatewayEvent) => void;

/** What tells of the calls of a request, by the id that it has come with. */
export function tellerOf({ onEvent }: Settings, { headers }: Request): Tell {
  const requestId = headers.get('x-request-id') ?? '';
  if (!/^[\w.=-]{1,255}$/.test(requestId)) return onEvent;
  return (event) => {
    onEvent({ ...event, requestId });
  };
}
