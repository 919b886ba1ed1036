import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Decoded as ISO-8859-1, to compare bytes. */
  readonly body: string;
}

export interface Site {
  readonly origin: string;
  readonly requests: Recorded[];
  readonly server: Server;
  readonly close: () => void;
}

/** Opens a site on loopback that records its requests. */
export async function openSite(
  respond: (request: Recorded, response: ServerResponse, incoming: IncomingMessage) => unknown,
): Promise<Site> {
  const requests: Recorded[] = [];
  const listener: RequestListener = (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1');
      const recorded = { method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body };
      requests.push(recorded);
      respond(recorded, response, incoming);
    });
  };
  // Idle connections stay open: closing one resets the request that a slow gateway sends at that moment.
  const server = createServer({ maxHeaderSize: 1 << 20, keepAliveTimeout: 0 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server, close };
}
