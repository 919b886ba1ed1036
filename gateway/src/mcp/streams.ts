import { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { LiveManifest } from '../live-manifest.js';
import { rpcFailure } from './json-rpc.js';

export interface StreamOptions {
  readonly maxStreams: number;
  readonly keepAliveMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The open streams. They notify clients when the tools change. */
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

  async open(request: Request): Promise<Response> {
    const { maxStreams, keepAliveMs, signal } = this.#options;
    if (this.#open.size >= maxStreams || signal?.aborted) {
      const message = 'The gateway has no free stream. Calls work without one.';
      return rpcFailure({ status: 503, message, headers: { 'retry-after': '60' } });
    }
    const transport = this.#createTransport(keepAliveMs);
    const close = (): void => void transport.close();
    const response = await transport.handleRequest(request);
    if (!response.ok || response.body === null) close();
    else request.signal.addEventListener('abort', close, { once: true });
    if (request.signal.aborted) close();
    return response.body === null ? response : new Response(onCancel(response.body, close), response);
  }

  #createTransport(keepAliveMs: number): HttpTransport {
    const transport = new HttpTransport({ keepAliveMs });
    transport.onclose = () => {
      this.#open.delete(transport);
      if (this.#open.size === 0) this.#live.removeEventListener('change', this.#notify);
    };
    this.#open.add(transport);
    this.#live.addEventListener('change', this.#notify);
    return transport;
  }

  readonly #notify = (): void => {
    for (const transport of this.#open) {
      void transport.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    }
  };
}

function onCancel(stream: ReadableStream<Uint8Array>, cancelled: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      cancelled();
      await reader.cancel(reason);
    },
  });
}
