import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback } from 'webmcp-forms/headless';
import { createNodeFetch } from 'webmcp-forms/node-fetch';
import { createCapacity } from '../concurrency/capacity.js';
import { toLiveManifest, type LiveManifest, type ManifestJson } from '../manifest.js';
import { createMcpHandler, type McpHandlerOptions } from '../mcp/handler.js';
import { parsePublicUrl, resolveSettings, type GatewayOptions } from '../settings.js';
import { createGateway } from '../webtools/handler.js';
import { GatewayError } from '../gateway-error.js';
import type { Client } from './access/clients.js';
import { hostGuard } from './access/checks.js';
import { openFailureLimit, withFallback, type RateLimiter } from './access/rate-limit.js';
import { Tokens, tokenAdvice, type Token } from './access/tokens.js';
import { openOAuth, type OAuthOptions } from './access/oauth/oauth.js';
import { createApp } from './app.js';
import { createPageReader } from './pages/page-reader.js';
import { noLog, withLog, type Log } from './log.js';
import { RunningRequests } from './running.js';
import { createHttpServer, type ServerTimeouts } from './server/http-server.js';
import { readinessOf } from './server/readiness.js';
import { openStore } from './stores.js';

export interface ServeOptions extends GatewayOptions, ServerTimeouts {
  /** The port, or 0 for a free one. @default 8787 */
  readonly port?: number | undefined;
  /** The listening address. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** The allowed `Host` names besides loopback names. @default IP addresses, unless `host` is loopback */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The bearer token that every request must send. It has at least 20 characters. */
  readonly token?: string | undefined;
  /** Tokens besides `token`, one for each client. */
  readonly tokens?: readonly Token[] | undefined;
  /** Also accepts access tokens of an authorization server, over Webtools and MCP. Requires `publicUrl`. */
  readonly oauth?: OAuthOptions | undefined;
  /** Whether anybody may call without a token at an address other than loopback. @default false */
  readonly allowAnonymous?: boolean | undefined;
  /** Limits the calls of each client; see `openRateLimiter`. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Limits the calls of each client in a longer period; see `openRateLimiter` with the kind `quota`. */
  readonly quota?: RateLimiter | undefined;
  /** The header with a proxy's client address. Set it only behind a proxy, because clients can send it as well. */
  readonly clientAddressHeader?: string | undefined;
  /**
   * The public URL of the gateway: an HTTPS or local URL. With `oauth`, it identifies the resource of access tokens,
   * and people cannot be asked for secrets. Without `oauth`, people type secrets on pages below it, and each process
   * needs its own URL.
   * @default the listening address, if it is loopback and `clientAddressHeader` and `allowedHosts` are not set. Without
   * a URL, people cannot be asked for secrets
   */
  readonly publicUrl?: string | undefined;
  /** @default no log */
  readonly log?: Log | undefined;
  /** The maximum time for running calls after the server is stopped, in milliseconds. @default 10000 */
  readonly graceMilliseconds?: number | undefined;
  /** @default 5000 */
  readonly maxConnections?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Served {
  /** The URL of the webtool. MCP is at `mcp` below it, the health checks at `healthz` and `readyz`. */
  readonly url: string;
  /** Resolves when the server has stopped, after `signal`. */
  readonly closed: Promise<void>;
}

/**
 * Serves the tools of a manifest over HTTP, as a webtool and over MCP. Node only. Without `allowPrivateAddresses`, the
 * gateway only connects to sites at public addresses.
 *
 * @throws {GatewayError} `config-error`
 * @throws {Error} the system's error if it cannot listen
 * @example
 * const { url, closed } = await serve(manifest, { baseUrl: 'https://shop.example/', signal });
 */
export async function serve(manifest: ManifestJson | LiveManifest, options: ServeOptions): Promise<Served> {
  const { log = noLog, graceMilliseconds = 10_000, signal } = options;
  const { host = '127.0.0.1', port = 8787 } = options;
  const running = new RunningRequests();
  const streams = new AbortController();
  const pageReader = createPageReader();
  const server: Server = createHttpServer({
    ...options,
    log,
    fetch: await createRequestHandler(
      manifest,
      { ...options, pageReader: options.pageReader ?? pageReader },
      { host, log, running, streams: streams.signal, url: () => urlOf(server.address() as AddressInfo) },
    ),
  });
  await once(server.listen({ port, host, backlog }), 'listening');
  const closed = aborted(signal).then(async () => {
    streams.abort();
    server.close();
    log.info({ running: running.size }, 'stopping');
    await running.close(graceMilliseconds);
    server.closeAllConnections();
    await pageReader.close();
  });
  return { url: urlOf(server.address() as AddressInfo), closed };
}

interface Serving {
  readonly host: string;
  readonly log: Log;
  readonly running: RunningRequests;
  readonly streams: AbortSignal;
  /** The URL of the server, once it listens. */
  readonly url: () => string;
}

async function createRequestHandler(
  manifest: ManifestJson | LiveManifest,
  options: ServeOptions,
  { host, log, running, streams, url }: Serving,
): Promise<(request: Request) => Response | Promise<Response>> {
  const tokens = readTokens(host, options);
  const { allowPrivateAddresses = false } = options;
  const oauth =
    options.oauth && (await openOAuth(options.oauth, options.publicUrl, createNodeFetch({ allowPrivateAddresses })));
  const isHostAllowed = hostGuard(host, [...(options.allowedHosts ?? []), ...(oauth ? [oauth.host] : [])]);
  const clients = new WeakMap<Request, Client>();
  const live = toLiveManifest(manifest);
  const authorize: GatewayOptions['authorize'] =
    oauth && ((request, access) => oauth.refusal(request, clients.get(request)?.scopes, access));
  const gateway: GatewayOptions = {
    ...(await nodeOptions(options, log)),
    client: options.client ?? ((request) => clients.get(request)?.identity),
    rateLimitKey: options.rateLimitKey ?? ((request) => clients.get(request)?.key),
    authorize: options.authorize ?? authorize,
    capacity: options.capacity ?? createCapacity(),
    isOwnHost: options.isOwnHost ?? isHostAllowed,
  };
  const settings = resolveSettings(gateway);
  const [rateLimiter, quota] = await Promise.all(
    [options.rateLimiter, options.quota].map((each) => counting(each, log)),
  );
  const maxBatch = rateLimiter || quota ? 1 : undefined;
  return createApp({
    webtools: createGateway(live, gateway),
    mcp: createMcpHandler(live, { ...gateway, signal: streams, maxBatch, publicUrl: publicUrlOf(options, host, url) }),
    readiness: readinessOf(live, settings),
    failures: await openFailureLimit(),
    running,
    tokens,
    oauth,
    rateLimiter,
    quota,
    clients,
    isHostAllowed,
    log,
    clientAddressHeader: options.clientAddressHeader,
    isOwnHost: isHostAllowed,
    cors: settings.cors,
  }).fetch;
}

/** The URL of the pages on which people type secrets. Behind a proxy, the public URL is unknown unless it is configured. */
function publicUrlOf(
  { publicUrl, allowedHosts = [], clientAddressHeader, oauth }: ServeOptions,
  host: string,
  ownUrl: () => string,
): McpHandlerOptions['publicUrl'] {
  if (oauth) return undefined; // a browser has no access token, so the gateway would not know who types there
  if (publicUrl !== undefined) return new URL('mcp', parsePublicUrl(publicUrl)).href;
  const isLocal = isLoopback(host) && allowedHosts.length === 0 && clientAddressHeader === undefined;
  return isLocal ? () => `${ownUrl()}mcp` : undefined;
}

/** @throws {GatewayError} `config-error` */
function readTokens(host: string, { token, tokens = [], oauth, allowAnonymous = false }: ServeOptions): Tokens {
  const all = new Tokens([...(token === undefined ? [] : [{ token }]), ...tokens]);
  if (all.isRequired || oauth || allowAnonymous || isLoopback(host)) return all;
  const problem = `Anybody who can reach ${host} could call with the credentials of the gateway's operator`;
  const advice = `Set WEBMCP_FORMS_TOKEN or token to ${tokenAdvice}, or allow it with --allow-anonymous or allowAnonymous`;
  throw new GatewayError('config-error', `${problem}. ${advice}.`);
}

const counting = async (limiter: RateLimiter | undefined, log: Log): Promise<RateLimiter | undefined> =>
  limiter && (await withFallback(limiter, limiterFailure(log)));

export const limiterFailure =
  (log: Log) =>
  (error: unknown): void => {
    if (error === undefined) log.info('the rate limiter works again');
    else log.error({ error }, 'the rate limiter failed: this process counts alone');
  };

export async function nodeOptions(options: GatewayOptions, log: Log): Promise<GatewayOptions> {
  const { allowPrivateAddresses = false, fetch = createNodeFetch({ allowPrivateAddresses }) } = options;
  const sessions = options.sessions ?? (await openStore('memory', 'sessions')).storage;
  return withLog({ ...options, fetch, sessions }, log);
}

/**
 * The maximum number of connections that wait for a busy process. With the default of 511, Linux resets some
 * connections of a burst.
 */
const backlog = 4096;

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`;
}

/** Resolves when the signal is aborted. Never resolves without a signal. */
export const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
