import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { PagePlace } from '../../mcp/ask/secrets/secret-questions.js';

type Answer = (request: Request) => Promise<Response>;

/** Serves pages for secrets at a loopback address, while a question is open. For a gateway on standard input and output. */
export class SecretListener {
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
    opened?.then(close).catch(() => undefined); // it did not listen
  }
}

/** A running response is completed. */
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
  return server;
}
