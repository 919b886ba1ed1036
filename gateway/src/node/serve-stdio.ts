import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { liveManifest, type LiveManifest } from '../live-manifest.js';
import { createMcpServer } from '../mcp/index.js';
import type { GatewayOptions } from '../settings.js';
import type { ManifestJson } from '../tool.js';
import { noLog, type Log } from './log.js';
import { aborted, gatewayOptions } from './serve.js';

export interface ServeStdioOptions extends GatewayOptions {
  /** @default that of the process */
  readonly stdin?: Readable;
  /** Nothing but the protocol is written there. @default that of the process */
  readonly stdout?: Writable;
  /** @default one that says nothing */
  readonly log?: Log;
  /**
   * How many milliseconds calls that run may take when the server is to end.
   * @default 10000
   */
  readonly graceMilliseconds?: number;
  /** Ends the server, as the end of `stdin` does. */
  readonly signal?: AbortSignal;
}

/**
 * Serves the tools of a manifest over MCP on standard input and output, and resolves when that has ended. Node only.
 *
 * @throws {GatewayError} `config-error`
 * @example
 * await serveStdio(manifest, { baseUrl: 'https://shop.example/' });
 */
export async function serveStdio(manifest: ManifestJson | LiveManifest, options: ServeStdioOptions): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout, log = noLog, graceMilliseconds = 10_000 } = options;
  const live = liveManifest(manifest);
  const gateway = await gatewayOptions(options, log);
  const server = createMcpServer(live, gateway);
  server.onerror = (error) => {
    log.warn({ reason: reasons[error.name] ?? error.name }, 'protocol error');
  };
  const transport = new AnsweringTransport(stdin, stdout);
  const ended = Promise.race([endOf(stdin), closed(stdout), aborted(options.signal)]);
  await server.connect(transport);
  transport.follow();
  await ended;
  await transport.answered(graceMilliseconds);
  await server.close();
}

/** Why a message cannot be taken. The errors themselves tell pieces of it. */
const reasons: Readonly<Partial<Record<string, string>>> = {
  SyntaxError: 'a line is no JSON',
  ZodError: 'a line is no message of JSON-RPC',
};

const endOf = (stdin: Readable): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
  });

const closed = (stdout: Writable): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['close', 'error']) stdout.once(event, () => resolve());
  });

/** A transport that knows which requests it has not answered. */
class AnsweringTransport extends StdioServerTransport {
  readonly #unanswered = new Set<unknown>();
  #whenNone: (() => void) | undefined;

  /** Counts what comes in. It is called once the server is connected. */
  follow(): void {
    const { onmessage } = this;
    this.onmessage = (message: JSONRPCMessage) => {
      if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
        this.#forget(message.params?.['requestId']);
      }
      onmessage?.(message);
    };
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!('method' in message)) this.#forget(message.id);
  }

  /** Waits for the answers, but not longer. */
  async answered(milliseconds: number): Promise<void> {
    if (this.#unanswered.size === 0) return;
    const timeout = new AbortController();
    const none = new Promise<void>((resolve) => (this.#whenNone = resolve));
    await Promise.race([none, wait(milliseconds, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
  }

  #forget(id: unknown): void {
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#whenNone?.();
  }
}
