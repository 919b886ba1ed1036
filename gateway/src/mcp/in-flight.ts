import type { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  ErrorCode,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/**
 * The requests of sessions that this process is at work on: a client cancels one by another HTTP request. One that comes
 * to another process is without effect, and the call ends as it does or when its time is over.
 */
export class InFlight {
  readonly #requests = new Map<string, InFlightRequest>();

  /** Follows what comes in over a transport, until `end` is called. */
  follow(transport: HttpTransport, sessionId: string): { readonly end: () => void } {
    const keys: string[] = [];
    transport.onmessage = (message) => {
      if (isJSONRPCRequest(message)) {
        const key = keyOf(sessionId, message.id);
        keys.push(key);
        this.#requests.set(key, { transport, cancel: cancellationOf(transport, message.id) });
      } else this.#cancel(sessionId, message);
    };
    const end = (): void => {
      for (const key of keys) if (this.#requests.get(key)?.transport === transport) this.#requests.delete(key);
    };
    return { end };
  }

  /** https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation */
  #cancel(sessionId: string, message: JSONRPCMessage): void {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return;
    const key = keyOf(sessionId, message.params?.['requestId']);
    this.#requests.get(key)?.cancel(message);
    this.#requests.delete(key);
  }
}

interface InFlightRequest {
  readonly transport: HttpTransport;
  readonly cancel: (message: JSONRPCNotification) => void;
}

/** Cancels a request where it runs: in Workers nothing of one HTTP request may be touched from another. */
function cancellationOf(transport: HttpTransport, id: RequestId): (message: JSONRPCNotification) => void {
  let cancel: (message: JSONRPCNotification) => void = () => undefined;
  const cancelled = new Promise<JSONRPCNotification>((resolve) => (cancel = resolve));
  void cancelled.then((message) => {
    transport.onmessage?.(message);
    const error = { code: ErrorCode.ConnectionClosed, message: 'The request was cancelled.' };
    transport.send({ jsonrpc: '2.0', id, error }).catch(() => undefined); // it may be answered already
  });
  return cancel;
}

const keyOf = (sessionId: string, id: unknown): string => JSON.stringify([sessionId, id]);
