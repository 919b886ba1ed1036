import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type RequestId,
  type WebStandardStreamableHTTPServerTransport as HttpTransport,
} from '@modelcontextprotocol/server';

/**
 * The running requests of this process by session, because clients cancel a request with another HTTP request. A
 * cancellation that reaches another process has no effect.
 */
export class InFlight {
  readonly #requests = new Map<string, InFlightRequest>();

  /** Tracks the messages of a transport, until the returned function is called. */
  track(transport: HttpTransport, sessionId: string): () => void {
    const keys: string[] = [];
    transport.onmessage = (message) => {
      if (isJSONRPCRequest(message)) {
        const key = keyOf(sessionId, message.id);
        keys.push(key);
        this.#requests.set(key, { transport, cancel: createCancel(transport, message.id) });
      } else this.#cancel(sessionId, message);
    };
    return () => {
      for (const key of keys) if (this.#requests.get(key)?.transport === transport) this.#requests.delete(key);
    };
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

/** The promise runs the cancellation in the request's own context: Workers forbid I/O of another request. */
function createCancel(transport: HttpTransport, id: RequestId): (message: JSONRPCNotification) => void {
  let cancel: (message: JSONRPCNotification) => void = () => undefined;
  const cancelled = new Promise<JSONRPCNotification>((resolve) => (cancel = resolve));
  void cancelled.then((message) => {
    transport.onmessage?.(message);
    const error = { code: -32000, message: 'The request was cancelled.' };
    transport.send({ jsonrpc: '2.0', id, error }).catch(() => undefined); // the response may have been sent
  });
  return cancel;
}

const keyOf = (sessionId: string, id: unknown): string => JSON.stringify([sessionId, id]);
