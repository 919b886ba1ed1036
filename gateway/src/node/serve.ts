import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { liveManifest, type LiveManifest } from '../live-manifest.js';
import { createMcpHandler } from '../mcp/index.js';
import { settingsOf, type GatewayOptions } from '../settings.js';
import type { ManifestJson } from '../tool.js';
import { createGateway } from '../webtools/webtools.js';
import { createApp } from './app.js';
import { withLog } from './events.js';
import { createNodeFetch } from './fetch.js';
import { hostGuard } from './hosts.js';
import { noLog, type Log } from './log.js';
import type { RateLimiter } from './rate-limit.js';
import { Running } from './running.js';
import { openStore } from './stores.js';

export interface ServeOptions extends GatewayOptions {
  /**
   * The port, or 0 for any that is free.
   * @default 8787
   */
  readonly port?: number;
  /**
   * The address that is listened on.
   * @default '127.0.0.1'
   */
  readonly host?: string;
  /** Names that requests may call this server by, beside loopback names. By default all, unless `host` is loopback. */
  readonly allowedHosts?: readonly string[];
  /** What each request has to prove itself with: `Authorization: Bearer ...`. Without it everybody may call. */
  readonly token?: string;
  /** How many calls each client may make; see `openRateLimiter`. Without it any number. */
  readonly rateLimiter?: RateLimiter;
  /** The header in which a proxy says the address of its client. Set it only behind one: clients can send it as well. */
  readonly clientAddressHeader?: string;
  /** @default one that says nothing */
  readonly log?: Log;
  /**
   * How many milliseconds calls that run may take when the server is to end.
   * @default 10000
   */
  readonly graceMilliseconds?: number;
  /** Ends the server. */
  readonly signal?: AbortSignal;
}

/** A server that listens. */
export interface Served {
  /** Webtools is there, MCP at `mcp` below it, and `healthz` says whether it is well. */
  readonly url: string;
  /** Resolves when it has ended, after `signal`. */
  readonly closed: Promise<void>;
}

/**
 * Serves the tools of a manifest over HTTP: as a webtool, and over MCP. Node only. Unless `allowPrivateAddresses` is set,
 * it connects to sites at public addresses alone.
 *
 * @throws {GatewayError} `config-error`
 * @throws {Error} the system's, when the port cannot be listened on
 * @example
 * const { url, closed } = await serve(manifest, { baseUrl: 'https://shop.example/', signal });
 */
export async function serve(manifest: ManifestJson | LiveManifest, options: ServeOptions): Promise<Served> {
  const { log = noLog, graceMilliseconds = 10_000, host = '127.0.0.1', port = 8787, signal } = options;
  const running = new Running();
  const streams = new AbortController();
  const live = liveManifest(manifest);
  const gateway = await gatewayOptions(options, log);
  const app = createApp({
    webtools: createGateway(live, gateway),
    mcp: createMcpHandler(live, { ...gateway, signal: streams.signal, ...(options.rateLimiter && { maxBatch: 1 }) }),
    running,
    isHostAllowed: hostGuard(host, options.allowedHosts ?? []),
    token: options.token,
    rateLimiter: options.rateLimiter,
    clientAddressHeader: options.clientAddressHeader,
    cors: settingsOf(gateway).cors,
    log,
  });
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions, overrideGlobalObjects: false }) as Server;
  await listen(server, port, host);
  const closed = aborted(signal).then(async () => {
    streams.abort();
    server.close();
    log.info({ running: running.size }, 'ending');
    await running.close(graceMilliseconds);
    server.closeAllConnections();
  });
  return { url: urlOf(server.address() as AddressInfo), closed };
}

/** Who sends a request so slowly, or so much of a head, wants to keep the server busy. */
const serverOptions = {
  connectionsCheckingInterval: 5_000,
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  maxHeaderSize: 16_384,
};

/** What both interfaces share. */
export async function gatewayOptions(options: GatewayOptions, log: Log): Promise<GatewayOptions> {
  const { allowPrivateAddresses = false } = options;
  const fetch = createNodeFetch({ allowPrivateAddresses });
  const sessions = options.sessions ?? (await openStore('memory', 'sessions')).storage;
  return withLog({ fetch, ...options, sessions }, log);
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve();
    });
  });

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`;
}

/** Resolves when a signal is aborted, and never without one. */
export const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
