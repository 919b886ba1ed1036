import {
  createMcpHandler as createModernHandler,
  isLegacyRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { isRecord, type JsonValue } from 'webmcp-forms/headless';
import { toHttpError, wireCode, withSecurityHeaders, type HttpErrorCode } from '../http/json-response.js';
import { allowOrigins, rejectForeignPages } from '../http/origin.js';
import { readJson } from '../http/request-json.js';
import { toLiveManifest, type LiveManifest, type ManifestJson } from '../manifest.js';
import { eventReporter, failureFields, requireAccess } from '../request.js';
import {
  parsePublicUrl,
  resolveSettings,
  type Access,
  type GatewayEvent,
  type GatewayOptions,
  type Settings,
} from '../settings.js';
import { findWebtool } from '../webtools/find-webtool.js';
import { answerPage, isSecretPage } from './ask/secrets/answer-page.js';
import { createMcpGateway, defaultKeepAlive, type Gateway } from './gateway.js';
import { InFlight } from './in-flight.js';
import { RpcRefusal, rpcFailure } from './json-rpc.js';
import { checkBatch, checkIds, endSession, post, type LegacyEndpoint } from './legacy.js';
import { modernFactory } from './server.js';
import { isSessionId } from './session-ids.js';
import { ChangeStreams } from './streams.js';

export interface McpHandlerOptions extends GatewayOptions {
  /**
   * The maximum number of open streams, on which clients learn that the tools changed. Calls do not need a stream.
   * @default 1000
   */
  readonly maxStreams?: number | undefined;
  /** The maximum number of open streams of each client, as `rateLimitKey` identifies it. @default 50 */
  readonly maxClientStreams?: number | undefined;
  /** The interval of keep-alive messages on streams and of progress notifications, in milliseconds. @default 15000 */
  readonly keepAlive?: number | undefined;
  /**
   * The maximum number of messages in a request, in versions of the protocol with batches. Use 1 if a rate limit counts
   * requests.
   * @default 100
   */
  readonly maxBatch?: number | undefined;
  /**
   * The public URL of this handler: an HTTPS or local URL, or a function if the URL is known later. For clients that
   * support URLs, people type passwords and other required secrets on pages below it, at `ask/`. These requests have no
   * token of the client. If `client` is set, it must return the same string for a client and for the browser of its
   * user.
   * @default people cannot be asked for secrets
   */
  readonly publicUrl?: (string | (() => string)) | undefined;
  /** Ends the streams, so that a server can close. Calls continue. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Serves the tools of a manifest over MCP's Streamable HTTP, on any runtime. Calls share state only in the session
 * store, so each can run in another process. Files, questions and cancellations need the process of their call.
 *
 * @throws {GatewayError} `config-error`
 * @example
 * const handle = createMcpHandler(manifest, { baseUrl: 'https://shop.example/' });
 * app.all('/mcp', (context) => handle(context.req.raw));
 */
export function createMcpHandler(
  manifest: ManifestJson | LiveManifest,
  options: McpHandlerOptions,
): (request: Request) => Promise<Response> {
  const {
    maxStreams = 1000,
    maxClientStreams = 50,
    keepAlive: keepAliveMs = defaultKeepAlive,
    maxBatch = 100,
    signal,
    publicUrl,
  } = options;
  const live = toLiveManifest(manifest);
  const settings = resolveSettings(options);
  if (typeof publicUrl === 'string') parsePublicUrl(publicUrl);
  const openPlace = publicUrl === undefined ? undefined : placeOf(publicUrl);
  const gateway = createMcpGateway(live, settings, { keepAliveMs, openPlace });
  const factory = modernFactory(gateway);
  const streams = new ChangeStreams(live, factory, { maxStreams, maxClientStreams, keepAliveMs, signal });
  const modern = createModernHandler(factory, { legacy: 'reject', keepAliveMs });
  const endpoint: Endpoint = { ...gateway, streams, modern, maxBatch, inFlight: new InFlight() };
  const app = new Hono();
  if (openPlace)
    app.use(async ({ req }, next) => (isSecretPage(req.raw) ? await answerPage(gateway, req.raw) : await next()));
  app.use(rejectForeignPages(settings));
  if (settings.cors.length > 0) app.use(allowOrigins(settings.cors, cors));
  app.all('*', async ({ req }) => await handle(endpoint, req.raw));
  app.onError((error, { req }) => fail(endpoint, req.raw, error));
  return async (request) => withSecurityHeaders(await app.fetch(request));
}

const placeOf =
  (publicUrl: string | (() => string)): NonNullable<Gateway['openPlace']> =>
  async () => {
    const url = parsePublicUrl(typeof publicUrl === 'string' ? publicUrl : publicUrl());
    return await Promise.resolve({ url, release: () => undefined });
  };

const cors = {
  allowMethods: ['GET', 'POST', 'DELETE'],
  allowHeaders: [
    'accept',
    'authorization',
    'content-type',
    'last-event-id',
    'mcp-method',
    'mcp-name',
    'mcp-protocol-version',
    'mcp-session-id',
  ],
  exposeHeaders: ['mcp-session-id', 'retry-after', 'www-authenticate'],
};

interface Endpoint extends LegacyEndpoint {
  readonly streams: ChangeStreams;
  readonly modern: McpHttpHandler;
  readonly maxBatch: number;
}

async function handle(endpoint: Endpoint, request: Request): Promise<Response> {
  const { settings, streams, maxBatch } = endpoint;
  const sessionId = await sessionOf(settings, request);
  const client = settings.rateLimitKey(request);
  if (request.method !== 'POST') await checkAccess(endpoint, request);
  if (request.method === 'GET') return reportProtocolError(endpoint, request, await streams.open(request, client));
  if (request.method !== 'POST') {
    return reportProtocolError(endpoint, request, await endSession(endpoint, request, sessionId));
  }
  const held = settings.capacity.holdBody(client);
  try {
    const body = await readJson(request, settings.maxRequestBytes, held);
    checkIds(body);
    checkBatch(request, body, maxBatch);
    await checkAccess(endpoint, request, body);
    const answer = (await isLegacyRequest(request, body))
      ? post(endpoint, request, { sessionId, body })
      : postModern(endpoint, request, body);
    return reportProtocolError(endpoint, request, await answer);
  } finally {
    held.release();
  }
}

/**
 * Checks whether the client of a request is allowed to send its messages.
 *
 * @throws {HttpError} `insufficient-scope`
 * @throws {GatewayError} `store-unavailable`
 */
async function checkAccess(gateway: Gateway, request: Request, body: JsonValue = null): Promise<void> {
  if (!gateway.settings.authorize) return;
  requireAccess(gateway.settings, request, await accessOf(gateway, body));
}

/** The access that the calls of a request need. Calls of unknown tools submit nothing. */
async function accessOf({ live, settings }: Gateway, body: JsonValue): Promise<Access> {
  const names = (Array.isArray(body) ? (body as readonly JsonValue[]) : [body]).flatMap(calledTool);
  if (names.length === 0) return 'read';
  const { webtool } = await findWebtool(live, settings);
  return names.some((name) => webtool.actions.get(name)?.readOnly === false) ? 'submit' : 'read';
}

function calledTool(message: JsonValue): readonly string[] {
  if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params)) return [];
  const { name } = message.params;
  return typeof name === 'string' ? [name] : [];
}

/**
 * The session of a request, in versions with sessions.
 *
 * Deviates from the spec: an ended or expired session restarts under the same ID, because clients do not depend on its
 * state.
 */
async function sessionOf(settings: Settings, request: Request): Promise<string | undefined> {
  const { headers } = request;
  const id = headers.get('mcp-session-id') ?? undefined;
  if (id === undefined || (headers.get('mcp-protocol-version') ?? '') >= firstModernVersion) return undefined;
  if (await isSessionId(settings, id, settings.client(request))) return id;
  const message = 'The session does not exist. Initialize again.';
  throw new RpcRefusal('session-not-found', { status: 404, code: -32001, message });
}

/** The first version without `initialize` and without sessions. */
const firstModernVersion = '2026-07-28';

async function postModern(
  { modern, streams, settings }: Endpoint,
  request: Request,
  body: JsonValue,
): Promise<Response> {
  const isStream = isRecord(body) && body.method === 'subscriptions/listen';
  if (isStream) return await streams.listen(request, body, settings.rateLimitKey(request));
  return await modern.fetch(request, { parsedBody: body });
}

/** Reports a request that the SDK has refused, for example because the protocol version is unknown. */
function reportProtocolError({ settings }: Endpoint, request: Request, response: Response): Response {
  const { status } = response;
  if (status >= 400) report(settings, request, { type: 'refusal', code: 'protocol-error', status });
  return response;
}

const report = (settings: Settings, request: Request, event: Pick<GatewayEvent, 'type' | 'code' | 'status'>): void =>
  eventReporter(settings, request)({ interface: 'mcp', milliseconds: 0, ...event });

function fail({ settings }: Endpoint, request: Request, error: unknown): Response {
  if (error instanceof RpcRefusal) {
    report(settings, request, { type: 'refusal', code: error.code, status: error.failure.status });
    return rpcFailure(error.failure);
  }
  const failure = toHttpError(error);
  const { code, status, message, headers } = failure;
  const type = request.method === 'POST' && !refusals.includes(code) ? 'call' : 'refusal';
  report(settings, request, { type, ...failureFields(failure), status });
  return rpcFailure({ status, code: rpcCodes[code] ?? -32000, message: `${wireCode(code)}: ${message}`, headers });
}

const refusals: readonly HttpErrorCode[] = ['origin-not-allowed', 'insufficient-scope'];

/** https://www.jsonrpc.org/specification#error_object */
const rpcCodes: Readonly<Partial<Record<HttpErrorCode, number>>> = {
  'schema-error': -32700,
  'internal-error': -32603,
};
