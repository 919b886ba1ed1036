import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../at-end.js';

export interface SiteServer {
  readonly origin: string;
  /** The method and the path of each request. */
  readonly requests: readonly string[];
  readonly headers: readonly IncomingMessage['headers'][];
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
) => Reply | string | void | Promise<Reply | string | void>;

/** Starts an HTTP server on 127.0.0.1. A string is sent as a page. For undefined, the handler responds itself or never. */
export async function startSite(handle: Handler): Promise<SiteServer> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    void Promise.resolve(handle(request, response)).then((reply) => answer(response, reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, headers };
}

function answer(response: ServerResponse, reply: Reply | string | void): void {
  if (reply === undefined) return;
  const { status = 200, headers = {}, body = '' } = typeof reply === 'string' ? { body: reply } : reply;
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(body);
}

/** A site of pages by path and query. Other paths have the status 404. */
export const pagesOf =
  (pages: Readonly<Record<string, Reply | string>>): Handler =>
  ({ url = '' }) =>
    pages[url] ?? { status: 404, body: 'Not found' };

/** A page with a tool and links. */
export const toolPage = (name: string, ...links: readonly string[]): string =>
  `<!doctype html><title>${name}</title>${links.map((link) => `<a href="${link}">${link}</a>`).join('')}
  <form toolname="${name}" tooldescription="Does ${name}."><label>Words <input name="q"></label><button>Go</button></form>`;

export const redirectTo = (location: string): Reply => ({ status: 302, headers: { location } });
