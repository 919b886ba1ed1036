import { WebStandardStreamableHTTPServerTransport as HttpTransport } from '@modelcontextprotocol/server';
import { isRecord, type JsonValue } from 'webmcp-forms/headless';
import { sessionKey } from '../run-action.js';
import { supportsForms, supportsUrls } from './ask/ask-in-request.js';
import type { InFlight } from './in-flight.js';
import { RpcRefusal, rpcFailure } from './json-rpc.js';
import { observedResponse } from './streams.js';
import { progressTokenOf } from './progress.js';
import type { Gateway } from './gateway.js';
import { serverFor } from './server.js';
import { canAskIn, canOpenIn, createSessionId } from './session-ids.js';

export interface LegacyEndpoint extends Gateway {
  readonly inFlight: InFlight;
}

interface Message {
  readonly sessionId: string | undefined;
  readonly body: JsonValue;
}

/** Answers a POST in a protocol version with `initialize`, that is, before 2026-07-28. */
export async function post(endpoint: LegacyEndpoint, request: Request, message: Message): Promise<Response> {
  const { settings, keepAliveMs } = endpoint;
  const { body, sessionId } = message;
  const canAsk = isCall(body) && canAskIn(sessionId);
  const canOpen = isRecord(body) && canOpenIn(sessionId);
  const server = serverFor(endpoint, request, { sessionId, hasSession: true, canAsk, canOpen });
  const isStream = canAsk || (isCall(body) && canOpen) || wantsProgress(body);
  const transport = new HttpTransport({ enableJsonResponse: !isStream, keepAliveMs });
  const stopTracking = track(endpoint, request, message, transport);
  const end = (): void => {
    stopTracking();
    void server.close();
  };
  let isOpen = false;
  let isComplete = false;
  try {
    await server.connect(transport);
    const response = await raceAbort(request.signal, transport.handleRequest(request, { parsedBody: body }));
    isComplete = !request.signal.aborted;
    if (server.getClientVersion()) {
      const capabilities = server.getClientCapabilities();
      const canAsk = supportsForms(capabilities);
      const canOpen = supportsUrls(capabilities, server.getNegotiatedProtocolVersion());
      const id = await createSessionId(settings, settings.client(request), { canAsk, canOpen });
      response.headers.set('mcp-session-id', id);
    }
    isOpen = response.headers.get('content-type') === 'text/event-stream';
    if (!isOpen || response.body === null) return response;
    request.signal.addEventListener('abort', end, { once: true });
    return observedResponse(response, response.body.getReader(), { onEnd: end });
  } finally {
    if (isComplete && !isOpen) stopTracking(); // closing the server would create an unused error
    else if (!isOpen) end();
  }
}

function track(
  { settings, inFlight }: LegacyEndpoint,
  request: Request,
  { sessionId }: Message,
  transport: HttpTransport,
): () => void {
  if (sessionId === undefined) return () => undefined;
  return inFlight.track(transport, JSON.stringify([settings.client(request), sessionId]));
}

const isCall = (body: JsonValue): body is JsonValue & { readonly params: { readonly _meta?: unknown } } =>
  isRecord(body) && body.method === 'tools/call' && isRecord(body.params);

const wantsProgress = (body: JsonValue): boolean =>
  isCall(body) && isRecord(body.params._meta) && progressTokenOf(body.params._meta) !== undefined;

export function checkBatch(request: Request, body: JsonValue, maxBatch: number): void {
  if (!Array.isArray(body)) return;
  const message = supportsBatches(request)
    ? `A request may have at most ${maxBatch} messages.`
    : 'This version of the protocol allows one message per request.';
  const isAllowed = supportsBatches(request) && body.length <= maxBatch;
  if (!isAllowed) throw new RpcRefusal('batch-not-allowed', { status: 400, code: -32600, message });
}

/** The maximum length of a request ID, which the answer repeats. */
const maxIdLength = 1000;

/** Refuses long IDs, and IDs that several messages of a batch share, because only one of these messages would be answered. */
export function checkIds(body: JsonValue): void {
  const messages = Array.isArray(body) ? (body as readonly JsonValue[]) : [body];
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

/** Ends a session. The transport rejects methods other than DELETE. */
export async function endSession(
  { settings }: Gateway,
  request: Request,
  sessionId: string | undefined,
): Promise<Response> {
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
