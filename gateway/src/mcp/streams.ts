import {
  createMcpHandler as createModernHandler,
  WebStandardStreamableHTTPServerTransport as HttpTransport,
  type McpHttpHandler,
  type McpServerFactory,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { FairLimit } from '../concurrency/capacity.js';
import { HttpError } from '../http/json-response.js';
import type { LiveManifest } from '../manifest.js';

interface StreamOptions {
  readonly maxStreams: number;
  readonly maxClientStreams: number;
  readonly keepAliveMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The maximum number of unread notifications of a stream. A stream with more is closed, and its client opens a new one. */
const maxUnread = 100;

interface OpenStream {
  unread: number;
  readonly close: () => void;
  readonly notify?: () => void;
}

/**
 * The open streams, each with the number of its unread notifications. A notification is sent when the tools change. A
 * stream is a GET in the versions with `initialize`, and `subscriptions/listen` in later versions.
 */
export class ChangeStreams {
  readonly #open = new Set<OpenStream>();
  readonly #shares: FairLimit;
  readonly #live: LiveManifest;
  readonly #options: StreamOptions;
  readonly #subscriptions: McpHttpHandler;

  constructor(live: LiveManifest, factory: McpServerFactory, options: StreamOptions) {
    const { maxStreams, maxClientStreams, keepAliveMs, signal } = options;
    this.#live = live;
    this.#options = options;
    this.#shares = new FairLimit({ total: maxStreams, each: maxClientStreams });
    this.#subscriptions = createModernHandler(factory, {
      legacy: 'reject',
      bus: busOf(live),
      maxSubscriptions: maxStreams,
      keepAliveMs,
    });
    signal?.addEventListener('abort', () => {
      void this.#subscriptions.close();
      for (const { close } of this.#open) close();
    });
  }

  /** @throws {HttpError} `overloaded` if the client, or all clients, have too many streams */
  async open(request: Request, client: string | undefined): Promise<Response> {
    const release = this.#take(client);
    const transport = new HttpTransport({ keepAliveMs: this.#options.keepAliveMs });
    const close = (): void => void transport.close();
    const notify = (): void => void transport.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    const stream = { unread: 0, close, notify };
    transport.onclose = this.#add(stream, release);
    const response = await transport.handleRequest(request);
    if (!response.ok || response.body === null) close();
    else request.signal.addEventListener('abort', close, { once: true });
    if (request.signal.aborted) close();
    return response.body === null
      ? response
      : observedResponse(response, response.body.getReader(), observerOf(stream, close));
  }

  /** Answers `subscriptions/listen`. @throws {HttpError} `overloaded`, like `open` */
  async listen(request: Request, parsedBody: unknown, client: string | undefined): Promise<Response> {
    const release = this.#take(client);
    const response = await this.#subscriptions.fetch(request, { parsedBody });
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    if (!isStream || response.body === null) {
      release();
      return response;
    }
    const reader = response.body.getReader();
    const stream = { unread: 0, close: () => void reader.cancel() };
    const remove = this.#add(stream, release);
    request.signal.addEventListener('abort', remove, { once: true });
    if (request.signal.aborted) remove();
    return observedResponse(response, reader, observerOf(stream, remove));
  }

  #take(client: string | undefined): () => void {
    const release = this.#options.signal?.aborted ? undefined : this.#shares.take(client);
    if (!release) throw noStream(this.#shares.isUsedUpBy(client));
    return release;
  }

  #add(stream: OpenStream, release: () => void): () => void {
    this.#open.add(stream);
    this.#live.addEventListener('change', this.#notify);
    return () => {
      release();
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#live.removeEventListener('change', this.#notify);
    };
  }

  readonly #notify = (): void => {
    for (const stream of this.#open) {
      stream.unread++;
      if (stream.unread > maxUnread) stream.close();
      else stream.notify?.();
    }
  };
}

const observerOf = (stream: OpenStream, onEnd: () => void) => ({ onRead: () => (stream.unread = 0), onEnd });

function noStream(isOfClient: boolean): HttpError {
  const message = `${isOfClient ? 'The client' : 'The gateway'} has no free stream. Calls work without one.`;
  return new HttpError('overloaded', message, { headers: { 'retry-after': '60' } });
}

const busOf = (live: LiveManifest): ServerEventBus => ({
  publish: () => undefined,
  subscribe(listener) {
    const onChange = (): void => listener({ kind: 'tools_list_changed' });
    live.addEventListener('change', onChange);
    return () => live.removeEventListener('change', onChange);
  },
});

interface BodyObserver {
  readonly onRead?: () => void;
  /** Called at least once when the body ends, or when the client disconnects. */
  readonly onEnd: () => void;
}

export function observedResponse(
  response: Response,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { onRead, onEnd }: BodyObserver,
): Response {
  const body = new ReadableStream({
    async pull(controller) {
      onRead?.();
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      onEnd();
      controller.close();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
