import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'vitest';
import { Collector } from '../cli/running.js';
import type { GatewayManifest } from '../../../gateway/src/index.js';
import { createLog } from '../../../gateway/src/node/log.js';
import { serve, type ServeOptions } from '../../../gateway/src/node/index.js';
import { patient } from './calls.js';
import { manifestText, openShop, type Line, type Shop } from './serve-process.js';

export interface ServedGateway {
  readonly url: string;
  readonly port: number;
  readonly site: Shop;
  readonly lines: () => readonly Line[];
  /** Resolves when the server has stopped. */
  readonly stop: () => Promise<void>;
}

/** A time limit that requests on a slow machine do not reach. */
const noTimeout = 600_000;

/** Serves the shop in this process, until the test ends. */
export async function openGateway(
  t: Pick<TestContext, 'onTestFinished'>,
  { manifest = {}, oauth, ...options }: Partial<ServeOptions> & { readonly manifest?: Partial<GatewayManifest> } = {},
): Promise<ServedGateway> {
  const site = await openShop();
  const stream = new Collector();
  const controller = new AbortController();
  const served = { ...(JSON.parse(manifestText()) as GatewayManifest), ...manifest };
  const { url, closed } = await serve(served, {
    baseUrl: site.origin,
    allowPrivateAddresses: true,
    port: 0,
    ...{ graceMilliseconds: 100, limits: patient },
    ...{ headersTimeout: noTimeout, requestTimeout: noTimeout, idleTimeout: noTimeout },
    log: createLog({ level: 'debug', stream, secrets: [] }),
    signal: controller.signal,
    ...(oauth && { oauth: { responseTimeout: noTimeout, ...oauth } }),
    ...options,
  });
  const stop = async (): Promise<void> => {
    controller.abort();
    await closed;
  };
  t.onTestFinished(stop);
  const lines = (): readonly Line[] =>
    stream.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  return { url, port: Number(new URL(url).port), site, lines, stop };
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sent {
  /** @default 'GET' */
  readonly method?: string;
  /** @default '/' */
  readonly path?: string;
  /** Any header, also those that fetch does not allow. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to a gateway at loopback. */
export const send = (port: number, { method = 'GET', path = '/', headers = {}, body }: Sent): Promise<Received> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A call of the action `find`, as a webtool. */
export const findCall = (headers: Readonly<Record<string, string>> = {}, q = 'tea'): Sent => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body: JSON.stringify({ action: 'find', request: { q } }),
});

/** The same call over MCP. */
export const findOverMcp = (headers: Readonly<Record<string, string>> = {}, q = 'tea'): Sent => ({
  method: 'POST',
  path: '/mcp',
  headers: { ...json, ...headers },
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'find', arguments: { q } },
  }),
});

export interface RawConnection {
  readonly socket: Socket;
  /** Resolves with all received data when the connection is closed. */
  readonly closed: Promise<string>;
}

/** Opens a connection without sending anything. */
export function openSocket(port: number): RawConnection {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  return { socket, closed: new Promise((resolve) => socket.on('close', () => resolve(text))) };
}
