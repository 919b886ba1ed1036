import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' };

export interface FileServer {
  /** The URL, with a slash at the end. */
  readonly url: string;
  /** The paths of all requests, without the first slash. */
  readonly requested: string[];
}

/** Answers a request itself, or returns false. */
export type Answer = (path: string, request: IncomingMessage, response: ServerResponse) => boolean;

/** Serves the files of a folder until a test or a suite is over. */
export async function serveFiles(
  test: { onTestFinished(steps: () => Promise<void>): void },
  folder: string,
  answer: Answer = () => false,
): Promise<FileServer> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1).replace(/[?#].*$/, '') || 'index.html';
    requested.push(path);
    if (answer(path, request, response)) return;
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
    readFile(join(folder, path)).then(
      (body) => response.end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requested };
}
