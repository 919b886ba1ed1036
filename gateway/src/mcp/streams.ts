import { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { FairLimit } from '../concurrency/fair-limit.js';
import { HttpError } from '../http/json-response.js';
import type { LiveManifest } from '../live-manifest.js';

interface StreamOptions {
  readonly maxStreams: number;
  readonly maxClientStreams: number;
  readonly keepAliveMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A stream whose client has not read so many notifications is closed. Clients open a new one. */
const maxUnread = 100;

/** The open streams, with the number of notifications that their clients have not read. They are sent when the tools change. */
export class ChangeStreams {
  readonly #open = new Map<HttpTransport, { unread: number }>();
  readonly #shares: FairLimit;
  readonly #live: LiveManifest;
  readonly #options: StreamOptions;

  constructor(live: LiveManifest, options: StreamOptions) {
    this.#live = live;
    this.#options = options;
    this.#shares = new FairLimit({ total: options.maxStreams, each: options.maxClientStreams });
    options.signal?.addEventListener('abort', () => {
      for (const transport of this.#open.keys()) void transport.close();
    });
  }

  /** @throws {HttpError} `overloaded` if the client, or all clients, have too many streams */
  async open(request: Request, client: string | undefined): Promise<Response> {
    const { keepAliveMs, signal } = this.#options;
    const release = signal?.aborted ? undefined : this.#shares.take(client);
    if (!release) throw noStream(this.#shares.isUsedUpBy(client));
    const transport = this.#createTransport(keepAliveMs, release);
    const close = (): void => void transport.close();
    const response = await transport.handleRequest(request);
    if (!response.ok || response.body === null) close();
    else request.signal.addEventListener('abort', close, { once: true });
    if (request.signal.aborted) close();
    return response.body === null ? response : new Response(this.#tracked(response.body, transport), response);
  }

  #tracked(body: ReadableStream<Uint8Array>, transport: HttpTransport): ReadableStream<Uint8Array> {
    const onRead = (): void => {
      const stream = this.#open.get(transport);
      if (stream) stream.unread = 0;
    };
    return observe(body, { onRead, onCancel: () => void transport.close() });
  }

  #createTransport(keepAliveMs: number, release: () => void): HttpTransport {
    const transport = new HttpTransport({ keepAliveMs });
    transport.onclose = () => {
      release();
      this.#open.delete(transport);
      if (this.#open.size === 0) this.#live.removeEventListener('change', this.#notify);
    };
    this.#open.set(transport, { unread: 0 });
    this.#live.addEventListener('change', this.#notify);
    return transport;
  }

  readonly #notify = (): void => {
    for (const [transport, stream] of this.#open) {
      stream.unread++;
      if (stream.unread > maxUnread) void transport.close();
      else void transport.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    }
  };
}

function noStream(isOfClient: boolean): HttpError {
  const message = `${isOfClient ? 'The client' : 'The gateway'} has no free stream. Calls work without one.`;
  return new HttpError('overloaded', message, { headers: { 'retry-after': '60' } });
}

interface StreamObserver {
  readonly onRead: () => void;
  readonly onCancel: () => void;
}

function observe(stream: ReadableStream<Uint8Array>, { onRead, onCancel }: StreamObserver): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      onRead();
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      onCancel();
      await reader.cancel(reason);
    },
  });
}
