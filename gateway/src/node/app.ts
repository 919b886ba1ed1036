import { getConnInfo } from '@hono/node-server/conninfo';
import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { HTTPException } from 'hono/http-exception';
import { requestId } from 'hono/request-id';
import { errorResponse, HttpError, toHttpError } from '../http/http-error.js';
import { rpcFailure } from '../mcp/json-rpc.js';
import type { Log } from './log.js';
import { clientKey, type Allowance, type RateLimiter } from './rate-limit.js';
import type { RunningRequests } from './running.js';

type Handler = (request: Request) => Promise<Response>;

export interface AppOptions {
  readonly webtools: Handler;
  readonly mcp: Handler;
  readonly running: RunningRequests;
  readonly isHostAllowed: (host: string) => boolean;
  readonly token: string | undefined;
  readonly rateLimiter: RateLimiter | undefined;
  readonly clientAddressHeader: string | undefined;
  /** The origins of pages that may read error responses. */
  readonly cors: readonly string[];
  readonly log: Log;
}

interface Environment {
  readonly Bindings: HttpBindings;
  readonly Variables: { readonly requestId: string };
}

type Middleware = MiddlewareHandler<Environment>;

export function createApp(options: AppOptions): Hono<Environment> {
  const { webtools, mcp, token, rateLimiter, running } = options;
  const app = new Hono<Environment>();
  app.use(requestId(), forwardRequestId, closeConnections(options));
  app.get('/healthz', (context) => {
    const [status, code] = running.isClosing ? (['shutting-down', 503] as const) : (['ok', 200] as const);
    return context.json({ status }, code, { 'cache-control': 'no-store' });
  });
  app.use(rejectWhileClosing(options), checkHost(options));
  if (token !== undefined) app.use(checkToken(token));
  if (rateLimiter) app.use(limitRate(rateLimiter, options));
  app.all('/mcp', (context) => handle(context, mcp, options));
  app.all('*', (context) => handle(context, webtools, options));
  app.onError((error, context) => toErrorResponse(error, context, options));
  return app;
}

/**
 * Adds the ID to the request, for events, and to the response. Hono drops context headers that are set before a handler
 * returns its own response, and converts a response to a stream if context headers are set afterwards.
 */
const forwardRequestId: Middleware = async (context, next) => {
  context.req.raw.headers.set('x-request-id', context.var.requestId);
  await next();
  context.res.headers.set('x-request-id', context.var.requestId);
};

const closeConnections =
  ({ running }: AppOptions): Middleware =>
  async (context, next) => {
    await next();
    if (running.isClosing) context.header('connection', 'close');
  };

const shuttingDown = (message: string): HttpError =>
  new HttpError('shutting-down', message, { headers: { 'retry-after': '1' } });

const rejectWhileClosing =
  ({ running }: AppOptions): Middleware =>
  async (_context, next) => {
    if (running.isClosing) throw shuttingDown('The gateway is shutting down. Send the request again.');
    await next();
  };

const checkHost =
  ({ isHostAllowed }: AppOptions): Middleware =>
  async ({ req }, next) => {
    const isAllowed = URL.canParse(req.url) && [new URL(req.url).host, req.header('host') ?? ''].every(isHostAllowed);
    if (!isAllowed) {
      const message = 'The gateway does not serve this Host. Its operator can allow it.';
      throw new HttpError('host-not-allowed', message);
    }
    await next();
  };

/** CORS preflights have no credentials. https://fetch.spec.whatwg.org/#cors-protocol-and-credentials */
function checkToken(token: string): Middleware {
  const check = bearerAuth<Environment>({ token });
  return async (context, next) => (context.req.method === 'OPTIONS' ? await next() : await check(context, next));
}

/** Limits POST requests. Others are served from memory. */
const limitRate =
  (limiter: RateLimiter, { clientAddressHeader, log }: AppOptions): Middleware =>
  async (context, next) => {
    if (context.req.method !== 'POST') return await next();
    const forwarded = clientAddressHeader === undefined ? undefined : context.req.header(clientAddressHeader);
    const client = clientKey(getConnInfo(context).remote.address, forwarded);
    const allowance = await limiter.count(client).catch((error: unknown) => {
      log.error({ error }, 'the rate limiter failed: the call is allowed');
      return undefined;
    });
    if (allowance && !allowance.isAllowed) throw rateExceeded(limiter, allowance);
    await next();
    if (allowance) for (const [name, value] of rateHeaders(limiter, allowance)) context.res.headers.set(name, value);
  };

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
const rateHeaders = ({ calls, seconds }: RateLimiter, allowance: Allowance): readonly (readonly [string, string])[] => [
  ['ratelimit-policy', `"calls";q=${calls};w=${seconds}`],
  ['ratelimit', `"calls";r=${allowance.remaining};t=${allowance.seconds}`],
];

function rateExceeded(limiter: RateLimiter, allowance: Allowance): HttpError {
  const { seconds } = allowance;
  const message = `The limit of ${limiter.calls} calls in ${limiter.seconds} s is exceeded. Wait ${seconds} s.`;
  const headers = { ...Object.fromEntries(rateHeaders(limiter, allowance)), 'retry-after': String(seconds) };
  return new HttpError('rate-limit', message, { headers });
}

async function handle({ req, env }: Context<Environment>, handler: Handler, options: AppOptions): Promise<Response> {
  const { running } = options;
  const request = running.track(req.raw, env.outgoing);
  const response = await handler(request);
  if (!running.isAborted || !request.signal.aborted) return response;
  const advice = 'The site may have processed the submission. Check before you send it again.';
  throw shuttingDown(`The gateway shut down during the call. ${advice}`);
}

function toErrorResponse(error: Error, { req, var: variables }: Context, { cors, log }: AppOptions): Response {
  const httpError = error instanceof HTTPException ? unauthorized(error) : toHttpError(error);
  const { requestId } = variables as Environment['Variables'];
  const { code, status, message, headers } = httpError;
  if (code === 'internal-error') log.error({ requestId, code, error }, 'failed');
  else log.info({ requestId, code, status }, 'rejected');
  const response =
    req.path === '/mcp' ? rpcFailure({ status, message: `${code}: ${message}`, headers }) : errorResponse(httpError);
  const origin = req.header('origin');
  if (origin !== undefined && (cors.includes(origin) || cors.includes('*'))) {
    response.headers.set('access-control-allow-origin', origin);
    response.headers.set('access-control-expose-headers', 'retry-after');
    response.headers.append('vary', 'origin');
  }
  return response;
}

function unauthorized(error: HTTPException): HttpError {
  const challenge = error.getResponse().headers.get('www-authenticate') ?? 'Bearer';
  const message = 'The gateway requires its token. Send it as "Authorization: Bearer ...".';
  return new HttpError('unauthorized', message, { headers: { 'www-authenticate': challenge } });
}
