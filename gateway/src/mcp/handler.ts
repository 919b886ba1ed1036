import { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { Hono } from 'hono';
import { isRecord, WorkBudget, type JsonValue } from 'webmcp-forms/headless';
import { allowOrigins, withSecurityHeaders } from '../http/response-headers.js';
import { toHttpError, wireCode, type HttpErrorCode } from '../http/json-response.js';
import { rejectForeignPages } from '../http/origin.js';
import { readJson } from '../http/request-json.js';
import { toLiveManifest, type LiveManifest } from '../live-manifest.js';
import type { ManifestJson } from '../manifest.js';
import { eventReporter, failureFields } from '../request-events.js';
import { sessionKey } from '../run-action.js';
import { resolveSettings, type GatewayEvent, type GatewayOptions, type Settings } from '../settings.js';
import { InFlight } from './in-flight.js';
import { RpcRefusal, rpcFailure } from './json-rpc.js';
import { GatewayServer, type Gateway } from './server.js';
import { ChangeStreams } from './streams.js';

/**
 * Creates the ID of a session. With a session key it is signed for its client, so that any process of the gateway
 * recognizes the IDs that the gateway issued.
 */
async function createSessionId({ sessionKeys }: Settings, client: string | undefined): Promise<string> {
  const uuid = crypto.randomUUID();
  return sessionKeys ? `${uuid}.${await sessionKeys.sign(signedText(uuid, client))}` : uuid;
}

/** Whether the gateway issued an ID to a client; without a session key, whether the ID is well-formed. */
async function isSessionId({ sessionKeys }: Settings, id: string, client: string | undefined): Promise<boolean> {
  const [uuid = '', signature, ...others] = id.split('.');
  if (!uuidPattern.test(uuid) || others.length > 0) return false;
  if (!sessionKeys) return signature === undefined;
  return signature !== undefined && (await sessionKeys.isSigned(signedText(uuid, client), signature));
}

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const signedText = (uuid: string, client: string | undefined): string =>
  JSON.stringify(['mcp session', uuid, client ?? null]);

export interface McpHandlerOptions extends GatewayOptions {
  /**
   * The maximum number of open streams, on which clients learn that the tools changed. Calls do not need a stream.
   * @default 1000
   */
  readonly maxStreams?: number;
  /**
   * The maximum number of open streams of each client, as `rateLimitKey` identifies it.
   * @default 50
   */
  readonly maxClientStreams?: number;
  /** The interval of keep-alive messages on streams, in milliseconds. @default 15000 */
  readonly keepAlive?: number;
  /**
   * The maximum number of messages in a request, in versions of the protocol with batches. Use 1 with a rate limit.
   * @default 100
   */
  readonly maxBatch?: number;
  /** Ends the streams, so that a server can close. Calls continue. */
  readonly signal?: AbortSignal;
}

/**
 * Serves the tools of a manifest over MCP's Streamable HTTP, on any runtime. Only the session store has state between
 * requests, so each request can go to another process.
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
  const { maxStreams = 1000, maxClientStreams = 50, keepAlive: keepAliveMs = 15_000, maxBatch = 100, signal } = options;
  const live = toLiveManifest(manifest);
  const settings = resolveSettings(options);
  const streams = new ChangeStreams(live, { maxStreams, maxClientStreams, keepAliveMs, signal });
  const endpoint: Endpoint = { live, settings, streams, maxBatch, inFlight: new InFlight() };
  const app = new Hono().use(rejectForeignPages(settings));
  if (settings.cors.length > 0) app.use(allowOrigins(settings.cors, cors));
  app.all('*', async ({ req }) => await handle(endpoint, req.raw));
  app.onError((error, { req }) => fail(endpoint, req.raw, error));
  return async (request) => withSecurityHeaders(await app.fetch(request));
}

const cors = {
  methods: ['GET', 'POST', 'DELETE'],
  headers: ['accept', 'authorization', 'content-type', 'last-event-id', 'mcp-protocol-version', 'mcp-session-id'],
  exposedHeaders: ['mcp-session-id', 'retry-after'],
};

interface Endpoint extends Gateway {
  readonly streams: ChangeStreams;
  readonly inFlight: InFlight;
  readonly maxBatch: number;
}

/**
 * Deviates from the spec: an ended or expired session restarts under the same ID, because clients do not depend on its
 * state.
 */
async function handle(endpoint: Endpoint, request: Request): Promise<Response> {
  const { settings, streams } = endpoint;
  const sessionId = request.headers.get('mcp-session-id') ?? undefined;
  if (sessionId !== undefined && !(await isSessionId(settings, sessionId, settings.client(request)))) {
    const message = 'The session does not exist. Initialize again.';
    throw new RpcRefusal('session-not-found', { status: 404, code: -32001, message });
  }
  const client = settings.rateLimitKey(request);
  if (request.method === 'GET') return reportProtocolError(endpoint, request, await streams.open(request, client));
  if (request.method !== 'POST') {
    return reportProtocolError(endpoint, request, await endSession(endpoint, request, sessionId));
  }
  const held = settings.capacity.holdBody(client);
  try {
    const body = await readJson(request, settings.maxRequestBytes, held);
    return reportProtocolError(endpoint, request, await post(endpoint, request, { sessionId, body }));
  } finally {
    held.release();
  }
}

/** Reports a refusal of the SDK, such as one of an unknown version of the protocol. */
function reportProtocolError({ settings }: Endpoint, request: Request, response: Response): Response {
  const { status } = response;
  if (status >= 400) report(settings, request, { type: 'refusal', code: 'protocol-error', status });
  return response;
}

const report = (settings: Settings, request: Request, event: Pick<GatewayEvent, 'type' | 'code' | 'status'>): void =>
  eventReporter(settings, request)({ interface: 'mcp', milliseconds: 0, ...event });

interface Message {
  readonly sessionId: string | undefined;
  readonly body: JsonValue;
}

async function post(endpoint: Endpoint, request: Request, { sessionId, body }: Message): Promise<Response> {
  const { settings, maxBatch, inFlight } = endpoint;
  const [client, rateLimitKey] = [settings.client(request), settings.rateLimitKey(request)];
  checkIds(Array.isArray(body) ? (body as readonly JsonValue[]) : [body]);
  if (Array.isArray(body)) {
    const message = supportsBatches(request)
      ? `A request may have at most ${maxBatch} messages.`
      : 'This version of the protocol allows one message per request.';
    const isAllowed = supportsBatches(request) && body.length <= maxBatch;
    if (!isAllowed) throw new RpcRefusal('batch-not-allowed', { status: 400, code: -32600, message });
  }
  const report = eventReporter(settings, request);
  const server = new GatewayServer(endpoint, { sessionId, client, rateLimitKey, report, budget: new WorkBudget() });
  const transport = new HttpTransport({ enableJsonResponse: true });
  const stopTracking =
    sessionId === undefined ? undefined : inFlight.track(transport, JSON.stringify([client, sessionId]));
  try {
    await server.connect(transport);
    const response = await raceAbort(request.signal, transport.handleRequest(request, { parsedBody: body }));
    if (server.getClientVersion()) response.headers.set('mcp-session-id', await createSessionId(settings, client));
    return response;
  } finally {
    stopTracking?.();
    await server.close();
  }
}

/** An answer repeats the ID of its request. */
const maxIdLength = 1000;

/** Refuses IDs that are long, or that several messages of a batch have: only one of them would be answered. */
function checkIds(messages: readonly JsonValue[]): void {
  const ids = messages.map((each) => (isRecord(each) ? each.id : undefined)).filter((id) => id !== undefined);
  const refuse = (code: string, message: string): never => {
    throw new RpcRefusal(code, { status: 400, code: -32600, message });
  };
  if (ids.some((id) => typeof id === 'string' && id.length > maxIdLength)) {
    refuse('id-too-long', `An "id" has more than ${maxIdLength} characters. Use a shorter one.`);
  }
  if (new Set(ids).size < ids.length) refuse('id-repeated', 'Two messages have the same "id". Use distinct ones.');
}

/** https://modelcontextprotocol.io/specification/2025-06-18/changelog */
const supportsBatches = ({ headers }: Request): boolean => (headers.get('mcp-protocol-version') ?? '') < '2025-06-18';

async function raceAbort(signal: AbortSignal, response: Promise<Response>): Promise<Response> {
  let abort: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => (abort = resolve));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  const disconnected = aborted.then(() => rpcFailure({ status: 499, message: 'The client has disconnected.' }));
  return await Promise.race([response, disconnected]).finally(() => signal.removeEventListener('abort', abort));
}

/** The transport rejects methods other than DELETE. */
async function endSession({ settings }: Endpoint, request: Request, sessionId: string | undefined): Promise<Response> {
  if (request.method === 'DELETE' && sessionId === undefined) {
    throw new RpcRefusal('session-missing', { status: 400, message: 'The header Mcp-Session-Id is missing.' });
  }
  const onsessionclosed = async (): Promise<void> => {
    if (sessionId !== undefined) {
      await settings.sessions.end(sessionKey(settings.baseUrl, sessionId), settings.client(request));
    }
  };
  return await new HttpTransport({ onsessionclosed }).handleRequest(request);
}

function fail({ settings }: Endpoint, request: Request, error: unknown): Response {
  if (error instanceof RpcRefusal) {
    report(settings, request, { type: 'refusal', code: error.code, status: error.failure.status });
    return rpcFailure(error.failure);
  }
  const failure = toHttpError(error);
  const { code, status, message, headers } = failure;
  const type = request.method === 'POST' && code !== 'origin-not-allowed' ? 'call' : 'refusal';
  report(settings, request, { type, ...failureFields(failure), status });
  return rpcFailure({ status, code: rpcCodes[code] ?? -32000, message: `${wireCode(code)}: ${message}`, headers });
}

/** https://www.jsonrpc.org/specification#error_object */
const rpcCodes: Readonly<Partial<Record<HttpErrorCode, number>>> = {
  'schema-error': -32700,
  'internal-error': -32603,
};
