import { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { LiveManifest } from '../live-manifest.js';
import { rpcFailure } from './json-rpc.js';

export interface StreamOptions {
  /** How many are open at once. */
  readonly most: number;
  readonly keepAliveMs: number;
  /** Ends them. */
  readonly signal: AbortSignal | undefined;
}

/** The streams on which clients hear that the tools have changed. */
export class ChangeStreams {
  readonly #open = new Set<HttpTransport>();
  readonly #live: LiveManifest;
  readonly #options: StreamOptions;

  constructor(live: LiveManifest, options: StreamOptions) {
    this.#live = live;
    this.#options = options;
    options.signal?.addEventListener('abort', () => {
      for (const transport of this.#open) void transport.close();
    });
  }

  /** Answers a GET, with a stream unless something is wrong with it. */
  async open(request: Request): Promise<Response> {
    const { most, keepAliveMs, signal } = this.#options;
    if (this.#open.size >= most || signal?.aborted) return noStream();
    const transport = new HttpTransport({ keepAliveMs });
    transport.onclose = () => {
      this.#forget(transport);
    };
    this.#remember(transport);
    const close = (): void => void transport.close();
    const response = await transport.handleRequest(request);
    if (!response.ok || response.body === null) close();
    else request.signal.addEventListener('abort', close, { once: true });
    if (request.signal.aborted) close();
    return response.body === null ? response : new Response(endingWith(response.body, close), response);
  }

  #remember(transport: HttpTransport): void {
    this.#open.add(transport);
    this.#live.addEventListener('change', this.#tell);
  }

  #forget(transport: HttpTransport): void {
    this.#open.delete(transport);
    if (this.#open.size === 0) this.#live.removeEventListener('change', this.#tell);
  }

  readonly #tell = (): void => {
    for (const transport of this.#open) {
      void transport.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    }
  };
}

const noStream = (): Response =>
  rpcFailure({
    status: 503,
    message: 'The gateway has no free stream. Calls go on without one.',
    headers: { 'retry-after': '60' },
  });

/** A stream that says when its reader has gone away. */
function endingWith(stream: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}
