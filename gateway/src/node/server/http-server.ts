import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { clientKey } from '../access/clients.js';
import type { Log } from '../log.js';

/** The limits of connections, in milliseconds. */
export interface ServerTimeouts {
  /** The maximum time for the headers of a request. @default 15000 */
  readonly headersTimeout?: number | undefined;
  /** The maximum time for a request with its body. @default 60000 */
  readonly requestTimeout?: number | undefined;
  /** The maximum time without any data, also of a response that its client does not read. @default 120000 */
  readonly idleTimeout?: number | undefined;
}

interface HttpServerOptions extends ServerTimeouts {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** @default 5000 */
  readonly maxConnections?: number | undefined;
  readonly log: Log;
}

/** The maximum size of all headers of a request, in bytes. */
const maxHeaderSize = 16_384;

/** The maximum time between two requests of a connection, in milliseconds. */
const keepAliveTimeout = 10_000;

export function createHttpServer({
  fetch,
  headersTimeout = 15_000,
  requestTimeout = 60_000,
  idleTimeout = 120_000,
  maxConnections = 5000,
  log,
}: HttpServerOptions): Server {
  const connectionsCheckingInterval = Math.ceil(Math.min(headersTimeout, requestTimeout) / 3);
  const timeouts = { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval };
  const serverOptions = { ...timeouts, maxHeaderSize };
  const server = createAdaptorServer({ fetch, serverOptions, overrideGlobalObjects: false }) as Server;
  server.maxConnections = maxConnections;
  server.timeout = idleTimeout;
  server.on('drop', (data: { readonly remoteAddress?: string } | undefined) => {
    log.info({ client: clientKey(data?.remoteAddress, undefined), code: 'too-many-connections' }, 'refused');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket, log));
  return server;
}

/** https://nodejs.org/api/http.html#event-clienterror */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Rejects an invalid or slow request. A reset connection gets no response. */
function refuse({ code = 'unknown' }: NodeJS.ErrnoException, socket: Socket, log: Log): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[code] ?? 400;
  log.info({ client: clientKey(socket.remoteAddress, undefined), code: code.slice(0, 40), status }, 'refused');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n\r\n`);
  setTimeout(() => socket.destroy(), 1000).unref(); // in case the client does not close its side
}
