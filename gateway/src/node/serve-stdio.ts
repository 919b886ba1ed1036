import { type EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio as serveConnection, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { toLiveManifest, type LiveManifest, type ManifestJson } from '../manifest.js';
import type { PagePlace } from '../mcp/ask/secrets/secret-questions.js';
import { createMcpServer, type McpServerOptions } from '../mcp/server.js';
import type { GatewayOptions } from '../settings.js';
import { noLog, type Log } from './log.js';
import { createPageReader } from './pages/page-reader.js';
import { PendingSet } from './running.js';
import { aborted, nodeOptions } from './serve.js';

export interface ServeStdioOptions extends GatewayOptions {
  /** @default the standard input of the process */
  readonly stdin?: Readable | undefined;
  /** Receives only protocol messages. @default the standard output of the process */
  readonly stdout?: Writable | undefined;
  /** @default no log */
  readonly log?: Log | undefined;
  /** The maximum time for running calls after the server is stopped, in milliseconds. @default 10000 */
  readonly graceMilliseconds?: number | undefined;
  /** The interval of progress notifications, in milliseconds. @default 15000 */
  readonly keepAlive?: number | undefined;
  /** Stops the server, like the end of `stdin`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Serves the tools of a manifest over MCP on standard input and output. Resolves when the server has stopped. Node only.
 *
 * @throws {GatewayError} `config-error`
 * @example
 * await serveStdio(manifest, { baseUrl: 'https://shop.example/' });
 */
export async function serveStdio(manifest: ManifestJson | LiveManifest, options: ServeStdioOptions): Promise<void> {
  const {
    stdin = process.stdin,
    stdout = process.stdout,
    log = noLog,
    graceMilliseconds = 10_000,
    keepAlive,
  } = options;
  const pageReader = createPageReader();
  const live = toLiveManifest(manifest);
  const settings = await nodeOptions({ ...options, pageReader: options.pageReader ?? pageReader }, log);
  const input = stdin.pipe(new PassThrough(), { end: false }); // the end of stdin would abort the calls
  const transport = new TrackingTransport(input, stdout);
  const stopped = Promise.race([
    firstOf(stdin, ['end', 'close', 'error']),
    firstOf(stdout, ['close', 'error']),
    aborted(options.signal),
  ]);
  const listener = new SecretListener();
  const openPages: McpServerOptions['openPages'] = (answer) => listener.open(answer);
  const connection = serveConnection(() => createMcpServer(live, { ...settings, openPages, keepAlive }), {
    transport,
    onerror: (error) => log.warn({ reason: reasons[error.name] ?? error.name }, 'protocol error'),
  });
  transport.startTracking();
  await stopped;
  stdin.unpipe(input);
  while (input.writableLength + input.readableLength > 0) await nextTurn();
  await transport.unanswered.settled(graceMilliseconds);
  await connection.close();
  await pageReader.close();
}

/** Replacements for error messages that would contain the client's message. */
const reasons: Readonly<Partial<Record<string, string>>> = {
  ZodError: 'a line is not a JSON-RPC message',
};

const firstOf = (stream: EventEmitter, events: readonly string[]): Promise<void> =>
  new Promise((resolve) => {
    for (const event of events) stream.once(event, () => resolve());
  });

class TrackingTransport extends StdioServerTransport {
  readonly unanswered = new PendingSet<unknown>();

  /** Must be called after `serveConnection`, which sets `onmessage`. */
  startTracking(): void {
    const { onmessage } = this;
    this.onmessage = (message: JSONRPCMessage) => {
      if (isJSONRPCRequest(message)) this.unanswered.add(message.id);
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
        this.unanswered.delete(message.params?.['requestId']);
      }
      onmessage?.(message);
    };
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!('method' in message)) this.unanswered.delete(message.id);
  }
}

type Answer = (request: Request) => Promise<Response>;

/** Serves pages for secrets at a loopback address while a question is open, for a gateway on standard input and output. */
class SecretListener {
  #opened: Promise<Server> | undefined;
  #questions = 0;

  async open(answer: Answer): Promise<PagePlace> {
    this.#questions++;
    try {
      const server = await (this.#opened ??= listen(answer));
      const { port } = server.address() as AddressInfo;
      return { url: new URL(`http://127.0.0.1:${port}/`), release: () => this.#release() };
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #release(): void {
    if (--this.#questions > 0) return;
    const opened = this.#opened;
    this.#opened = undefined;
    opened?.then(close).catch(() => undefined); // the server failed to listen
  }
}

/** Closes the server after its running responses. */
function close(server: Server): void {
  server.close();
  server.closeIdleConnections();
}

async function listen(answer: Answer): Promise<Server> {
  const listener = getRequestListener(answer, { overrideGlobalObjects: false });
  const server = createServer({ requestTimeout: 60_000, keepAliveTimeout: 1 }, (request, response) => {
    response.shouldKeepAlive = false;
    void listener(request, response);
  });
  server.maxConnections = 100;
  await once(server.unref().listen(0, '127.0.0.1'), 'listening');
  server.on('error', () => undefined); // too many open files must not end the gateway
  return server;
}
