import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { toLiveManifest, type LiveManifest } from '../live-manifest.js';
import type { ManifestJson } from '../manifest.js';
import { createMcpHandler } from '../mcp/index.js';
import { resolveSettings, type GatewayOptions } from '../settings.js';
import { createGateway } from '../webtools/handler.js';
import { createApp } from './app.js';
import { createNodeFetch } from './fetch.js';
import { hostGuard } from './hosts.js';
import { noLog, withLog, type Log } from './log.js';
import type { RateLimiter } from './rate-limit.js';
import { RunningRequests } from './running.js';
import { openStore } from './stores.js';

export interface ServeOptions extends GatewayOptions {
  /** The port, or 0 for a free one. @default 8787 */
  readonly port?: number;
  /** The listening address. @default '127.0.0.1' */
  readonly host?: string;
  /** The allowed `Host` names beside loopback names. By default all, unless `host` is loopback. */
  readonly allowedHosts?: readonly string[];
  /** The bearer token that every request must send. Without it anybody can call. */
  readonly token?: string;
  /** Limits the calls of each client; see `openRateLimiter`. */
  readonly rateLimiter?: RateLimiter;
  /** The header with a proxy's client address. Set it only behind a proxy, because clients can send it as well. */
  readonly clientAddressHeader?: string;
  /** @default no log */
  readonly log?: Log;
  /** The maximum time for running calls after the server is stopped, in milliseconds. @default 10000 */
  readonly graceMilliseconds?: number;
  /** The maximum time for the headers of a request, in milliseconds. @default 15000 */
  readonly headersTimeout?: number;
  readonly signal?: AbortSignal;
}

export interface Served {
  /** The URL of the webtool. MCP is at `mcp` below it, the health check at `healthz`. */
  readonly url: string;
  /** Resolves when the server has stopped, after `signal`. */
  readonly closed: Promise<void>;
}

/**
 * Serves the tools of a manifest over HTTP, as a webtool and over MCP. Node only. Without `allowPrivateAddresses` it only
 * connects to sites at public addresses.
 *
 * @throws {GatewayError} `config-error`
 * @throws {Error} the system's error if it cannot listen
 * @example
 * const { url, closed } = await serve(manifest, { baseUrl: 'https://shop.example/', signal });
 */
export async function serve(manifest: ManifestJson | LiveManifest, options: ServeOptions): Promise<Served> {
  const { log = noLog, graceMilliseconds = 10_000, headersTimeout = 15_000, signal } = options;
  const { host = '127.0.0.1', port = 8787, allowedHosts = [], token, rateLimiter, clientAddressHeader } = options;
  const running = new RunningRequests();
  const streams = new AbortController();
  const live = toLiveManifest(manifest);
  const gateway = await nodeOptions(options, log);
  const { cors } = resolveSettings(gateway);
  const isHostAllowed = hostGuard(host, allowedHosts);
  const webtools = createGateway(live, gateway);
  const mcp = createMcpHandler(live, { ...gateway, signal: streams.signal, ...(rateLimiter && { maxBatch: 1 }) });
  const { fetch } = createApp({
    webtools,
    mcp,
    running,
    isHostAllowed,
    token,
    rateLimiter,
    clientAddressHeader,
    cors,
    log,
  });
  const serverOptions = { ...serverLimits, headersTimeout, connectionsCheckingInterval: headersTimeout / 3 };
  const server = createAdaptorServer({ fetch, serverOptions, overrideGlobalObjects: false }) as Server;
  await listen(server, port, host);
  const closed = aborted(signal).then(async () => {
    streams.abort();
    server.close();
    log.info({ running: running.size }, 'stopping');
    await running.close(graceMilliseconds);
    server.closeAllConnections();
  });
  return { url: urlOf(server.address() as AddressInfo), closed };
}

const serverLimits = { requestTimeout: 60_000, keepAliveTimeout: 10_000, maxHeaderSize: 16_384 };

export async function nodeOptions(options: GatewayOptions, log: Log): Promise<GatewayOptions> {
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

/** Resolves when the signal is aborted. Never resolves without a signal. */
export const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
