import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { requestId } from 'hono/request-id';
import { errorResponse, HttpError, toHttpError, wireCode, withSecurityHeaders } from '../http/json-response.js';
import { rejectForeignPages, type OriginPolicy } from '../http/origin.js';
import { isSecretPage } from '../mcp/ask/secrets/answer-page.js';
import { rpcFailure } from '../mcp/json-rpc.js';
import {
  checkHost,
  checkToken,
  clientOf,
  identifyAddress,
  limitRate,
  type AccessOptions,
  type Environment,
} from './access/checks.js';
import type { Log } from './log.js';
import type { readinessOf } from './server/readiness.js';
import type { RunningRequests } from './running.js';

type Handler = (request: Request) => Promise<Response>;

interface AppOptions extends AccessOptions, OriginPolicy {
  readonly webtools: Handler;
  readonly mcp: Handler;
  readonly running: RunningRequests;
  readonly readiness: ReturnType<typeof readinessOf>;
  readonly log: Log;
}

type Middleware = MiddlewareHandler<Environment>;

export function createApp(options: AppOptions): Hono<Environment> {
  const { webtools, mcp, running, readiness } = options;
  const app = new Hono<Environment>();
  app.use(requestId(), finishResponse(options), identifyAddress(options));
  const rejectPages = rejectForeignPages(options);
  app.get('/healthz', rejectPages, (context) => {
    const [status, code] = running.isClosing ? (['shutting-down', 503] as const) : (['ok', 200] as const);
    return context.json({ status }, code);
  });
  app.get('/readyz', rejectPages, async (context) => {
    const problem = running.isClosing ? 'shutting-down' : await readiness();
    return context.json({ status: problem ?? 'ready' }, problem === undefined ? 200 : 503);
  });
  app.use(rejectWhileClosing(options), checkHost(options), serveResourceMetadata(options));
  app.use(forSecretPages(basicAsBearer, rejectPages), checkToken(options), limitRate(options));
  app.all('/mcp/ask/*', (context) => handle(context, mcp, options));
  app.all('/mcp', (context) => handle(context, mcp, options));
  app.all('*', (context) => handle(context, webtools, options));
  app.onError((error, context) => toErrorResponse(error, context, options));
  return app;
}

/**
 * Adds the request ID to the request, for events, and to the response. Sets headers of the response itself: Hono drops
 * context headers that are set before a handler returns its own response, and converts a response to a stream if
 * context headers are set afterwards.
 */
const finishResponse =
  ({ running }: AppOptions): Middleware =>
  async (context, next) => {
    context.req.raw.headers.set('x-request-id', context.var.requestId);
    await next();
    context.res.headers.set('x-request-id', context.var.requestId);
    if (running.isClosing) context.res.headers.set('connection', 'close');
    withSecurityHeaders(context.res);
  };

/** Uses other middleware for secret pages, which check by themselves that requests come from their own form. */
const forSecretPages =
  (forPages: MiddlewareHandler, forOthers: MiddlewareHandler): MiddlewareHandler =>
  async (context, next) =>
    await (isSecretPage(context.req.raw) ? forPages : forOthers)(context, next);

/** Accepts the client's token as the password of HTTP basic authentication, because browsers can ask for a password. */
const basicAsBearer: MiddlewareHandler = async ({ req }, next) => {
  const [, credentials] = /^Basic ([A-Za-z\d+/=]+)$/i.exec(req.header('authorization') ?? '') ?? [];
  const text = Buffer.from(credentials ?? '', 'base64').toString();
  if (credentials !== undefined) req.raw.headers.set('authorization', `Bearer ${text.slice(text.indexOf(':') + 1)}`);
  await next();
};

const basicChallenge = 'Basic realm="webmcp-gateway: your token is the password", charset="UTF-8"';

const shuttingDown = (message: string): HttpError =>
  new HttpError('shutting-down', message, { headers: { 'retry-after': '1' } });

const rejectWhileClosing =
  ({ running }: AppOptions): Middleware =>
  async (_context, next) => {
    if (running.isClosing) throw shuttingDown('The gateway is shutting down. Send the request again.');
    await next();
  };

/** Serves the metadata to any page, because clients in browsers read it before they have a token. */
const serveResourceMetadata =
  ({ oauth }: AppOptions): Middleware =>
  async ({ req }, next) =>
    oauth?.metadataResponse(req.raw) ?? (await next());

async function handle({ req, env }: Context<Environment>, handler: Handler, options: AppOptions): Promise<Response> {
  const { running } = options;
  const request = running.track(req.raw, env.outgoing);
  const response = await handler(request);
  if (!running.isAborted || !request.signal.aborted) return response;
  const advice = 'The site may have processed the submission. Check before you send it again.';
  throw shuttingDown(`The gateway shut down during the call. ${advice}`);
}

/** Logs one line for each refusal. The handlers report their own refusals as events. */
function toErrorResponse(error: Error, context: Context, options: AppOptions): Response {
  const { cors, log } = options;
  const { req, var: variables } = context;
  const httpError = toHttpError(error);
  const { requestId } = variables as Environment['Variables'];
  const { code, status, message, headers } = httpError;
  const { key: client } = clientOf(options, context);
  if (code === 'internal-error') log.error({ requestId, client, code, error }, 'failed');
  else if (code === 'authorization-unavailable')
    log.warn({ requestId, client, code, status, reason: message }, 'refused');
  else log.info({ requestId, client, code, status }, 'refused');
  const response =
    req.path === '/mcp'
      ? rpcFailure({ status, message: `${wireCode(code)}: ${message}`, headers })
      : errorResponse(httpError);
  if (code === 'unauthorized' && isSecretPage(req.raw)) response.headers.set('www-authenticate', basicChallenge);
  const origin = req.header('origin');
  if (origin !== undefined && (cors.includes(origin) || cors.includes('*'))) {
    response.headers.set('access-control-allow-origin', origin);
    response.headers.set('access-control-expose-headers', 'retry-after, www-authenticate');
    response.headers.append('vary', 'origin');
  }
  return response;
}
