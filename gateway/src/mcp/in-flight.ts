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
  readonly #questions = new Map<string, (answer: JSONRPCMessage) => void>();

  /** Tracks the messages of a transport, until the returned function is called. */
  track(transport: HttpTransport, sessionId: string): () => void {
    const keys: string[] = [];
    const forgetQuestions = this.#trackQuestions(transport, sessionId);
    transport.onmessage = (message) => {
      if (isJSONRPCRequest(message)) {
        const key = keyOf(sessionId, message.id);
        keys.push(key);
        this.#requests.set(key, { transport, cancel: inThisContext((each) => cancel(transport, message.id, each)) });
      } else if (isJSONRPCNotification(message)) this.#cancel(sessionId, message);
      else this.#answer(sessionId, message);
    };
    return () => {
      forgetQuestions();
      for (const key of keys) if (this.#requests.get(key)?.transport === transport) this.#requests.delete(key);
    };
  }

  /** https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation */
  #cancel(sessionId: string, message: JSONRPCNotification): void {
    if (message.method !== 'notifications/cancelled') return;
    const key = keyOf(sessionId, message.params?.['requestId']);
    this.#requests.get(key)?.cancel(message);
    this.#requests.delete(key);
  }

  /**
   * Replaces the IDs of requests to the client by unique IDs, because the SDK repeats them for each request of the
   * client.
   */
  #trackQuestions(transport: HttpTransport, sessionId: string): () => void {
    const keys: string[] = [];
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      if (!isJSONRPCRequest(message)) return await send(message, options);
      const id = crypto.randomUUID();
      const key = keyOf(sessionId, id);
      keys.push(key);
      const { id: ownId } = message;
      this.#questions.set(
        key,
        inThisContext((answer) => transport.onmessage?.({ ...answer, id: ownId })),
      );
      await send({ ...message, id }, options);
    };
    return () => {
      for (const key of keys) this.#questions.delete(key);
    };
  }

  #answer(sessionId: string, message: JSONRPCMessage): void {
    const key = keyOf(sessionId, 'id' in message ? message.id : undefined);
    this.#questions.get(key)?.(message);
    this.#questions.delete(key);
  }
}

interface InFlightRequest {
  readonly transport: HttpTransport;
  readonly cancel: (message: JSONRPCNotification) => void;
}

function cancel(transport: HttpTransport, id: RequestId, message: JSONRPCNotification): void {
  transport.onmessage?.(message);
  const error = { code: -32000, message: 'The request was cancelled.' };
  transport.send({ jsonrpc: '2.0', id, error }).catch(() => undefined); // the response may have been sent
}

/**
 * Returns a function that calls `run` in the context of the current request, by a promise. Workers forbid I/O of
 * another request.
 */
function inThisContext<Value>(run: (value: Value) => void): (value: Value) => void {
  let resolve: (value: Value) => void = () => undefined;
  void new Promise<Value>((each) => (resolve = each)).then(run);
  return resolve;
}

const keyOf = (sessionId: string, id: unknown): string => JSON.stringify([sessionId, id]);
