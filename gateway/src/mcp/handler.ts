import { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { Hono } from 'hono';
import { liveManifest, type LiveManifest } from '../live-manifest.js';
import { sessionKey } from '../run-action.js';
import { tellerOf } from '../request-events.js';
import { settingsOf, type GatewayOptions } from '../settings.js';
import type { ManifestJson } from '../tool.js';
import { readJson } from '../http/request-json.js';
import { httpErrorOf, type HttpErrorCode } from '../http/http-error.js';
import { eventOf } from './call.js';
import { corsOf, refuseOtherPages } from './cors.js';
import { InFlight } from './in-flight.js';
import { rpcFailure } from './json-rpc.js';
import { GatewayServer, type Gateway } from './server.js';
import { ChangeStreams } from './streams.js';

export interface McpHandlerOptions extends GatewayOptions {
  /**
   * How many clients can wait at once to hear that the tools have changed. One client can take them all, since a handler
   * does not know clients apart: a proxy in front of it can limit each. Calls are answered without a stream.
   * @default 1000
   */
  readonly maxStreams?: number;
  /**
   * Milliseconds between the signs of life on their streams.
   * @default 15000
   */
  readonly keepAlive?: number;
  /**
   * How many messages a request has at most, in the versions of the protocol that take several. Where requests are
   * counted, one is right.
   * @default 100
   */
  readonly maxBatch?: number;
  /** Ends the streams, so that a server can be closed. Calls are answered all the same. */
  readonly signal?: AbortSignal;
}

/**
 * The tools of a manifest over MCP's Streamable HTTP, on any runtime. It keeps nothing between requests but the sessions
 * in their store, so a client may be answered by another process each time.
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
  const { maxStreams: most = 1000, keepAlive: keepAliveMs = 15_000, maxBatch = 100, signal } = options;
  const live = liveManifest(manifest);
  const settings = settingsOf(options);
  const streams = new ChangeStreams(live, { most, keepAliveMs, signal });
  const endpoint: Endpoint = { live, settings, streams, maxBatch, inFlight: new InFlight() };
  const app = new Hono().use(refuseOtherPages(settings.cors));
  if (settings.cors.length > 0) app.use(corsOf(settings.cors));
  app.all('*', async ({ req }) => await answer(endpoint, req.raw));
  return async (request) => await app.fetch(request);
}

interface Endpoint extends Gateway {
  readonly streams: ChangeStreams;
  readonly inFlight: InFlight;
  readonly maxBatch: number;
}

async function answer(endpoint: Endpoint, request: Request): Promise<Response> {
  const sessionId = request.headers.get('mcp-session-id') ?? undefined;
  if (sessionId !== undefined && !isUuid(sessionId)) return noSession();
  try {
    if (request.method === 'POST') return await post(endpoint, request, sessionId);
    if (request.method === 'GET') return await endpoint.streams.open(request);
    return await end(endpoint, request, sessionId);
  } catch (error) {
    return failed(endpoint, request, error);
  }
}

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

/**
 * Deviates from the spec: a session that was ended, or is over, is begun again by its id, since there is nothing in it
 * that has to be known.
 */
const noSession = (): Response =>
  rpcFailure({ status: 404, code: -32001, message: 'There is no such session: initialize again.' });

async function post(endpoint: Endpoint, request: Request, sessionId: string | undefined): Promise<Response> {
  const parsedBody = await readJson(request, endpoint.settings.maxRequestBytes);
  if (Array.isArray(parsedBody)) {
    if (!takesBatches(request)) return noBatch('This version of the protocol takes one message for each request.');
    const { maxBatch } = endpoint;
    if (parsedBody.length > maxBatch) return noBatch(`A request may have ${maxBatch} messages at most.`);
  }
  const server = new GatewayServer(endpoint, { sessionId, tell: tellerOf(endpoint.settings, request) });
  const transport = new HttpTransport({ enableJsonResponse: true });
  const following = sessionId === undefined ? undefined : endpoint.inFlight.follow(transport, sessionId);
  try {
    await server.connect(transport);
    const response = await unlessGone(request.signal, transport.handleRequest(request, { parsedBody }));
    if (server.getClientVersion()) response.headers.set('mcp-session-id', crypto.randomUUID());
    return response;
  } finally {
    following?.end();
    await server.close();
  }
}

/** https://modelcontextprotocol.io/specification/2025-06-18/changelog */
const takesBatches = ({ headers }: Request): boolean => (headers.get('mcp-protocol-version') ?? '') < '2025-06-18';

const noBatch = (message: string): Response => rpcFailure({ status: 400, code: -32600, message });

/** What is answered, unless nobody waits for it any more. */
async function unlessGone(signal: AbortSignal, answering: Promise<Response>): Promise<Response> {
  let leave: () => void = () => undefined;
  const gone = new Promise<Response>((resolve) => {
    leave = () => {
      resolve(rpcFailure({ status: 499, message: 'The client has gone away.' }));
    };
  });
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  return await Promise.race([answering, gone]).finally(() => {
    signal.removeEventListener('abort', leave);
  });
}

/** Ends a session. The transport answers, as it does for methods that it does not know. */
async function end({ settings }: Endpoint, request: Request, sessionId: string | undefined): Promise<Response> {
  if (request.method === 'DELETE' && sessionId === undefined) {
    return rpcFailure({ status: 400, message: 'The header Mcp-Session-Id is missing.' });
  }
  const onsessionclosed = async (): Promise<void> => {
    if (sessionId !== undefined) await settings.sessions.end(sessionKey(settings.baseUrl, sessionId));
  };
  return await new HttpTransport({ onsessionclosed }).handleRequest(request);
}

function failed({ settings }: Endpoint, request: Request, error: unknown): Response {
  const failure = httpErrorOf(error);
  const { code, status, message, headers } = failure;
  tellerOf(settings, request)({ ...eventOf(failure), status, milliseconds: 0 });
  return rpcFailure({ status, code: rpcCodes[code] ?? -32000, message, headers });
}

/** https://www.jsonrpc.org/specification#error_object */
const rpcCodes: Readonly<Partial<Record<HttpErrorCode, number>>> = {
  'schema-error': -32700,
  'internal-error': -32603,
};
