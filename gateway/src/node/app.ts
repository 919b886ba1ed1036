import { getConnInfo } from '@hono/node-server/conninfo';
import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { HTTPException } from 'hono/http-exception';
import { requestId } from 'hono/request-id';
import { rpcFailure } from '../mcp/json-rpc.js';
import { errorResponse, HttpError, httpErrorOf } from '../http/http-error.js';
import type { Log } from './log.js';
import { clientOf, type Allowance, type RateLimiter } from './rate-limit.js';
import type { Running } from './running.js';

type Handler = (request: Request) => Promise<Response>;

export interface AppOptions {
  readonly webtools: Handler;
  readonly mcp: Handler;
  readonly running: Running;
  readonly isHostAllowed: (host: string) => boolean;
  readonly token: string | undefined;
  readonly rateLimiter: RateLimiter | undefined;
  readonly clientAddressHeader: string | undefined;
  /** The origins of pages that may read why they were refused. */
  readonly cors: readonly string[];
  readonly log: Log;
}

interface Environment {
  readonly Bindings: HttpBindings;
  readonly Variables: { readonly requestId: string };
}

type Middleware = MiddlewareHandler<Environment>;

/** What answers each request: who may ask, and who answers. */
export function createApp(options: AppOptions): Hono<Environment> {
  const { webtools, mcp, token, rateLimiter } = options;
  const app = new Hono<Environment>();
  app.use(requestId(), tellId, sayFarewell(options));
  app.get('/healthz', (context) => health(context, options));
  app.use(refuseWhileClosing(options), checkHost(options));
  if (token !== undefined) app.use(checkToken(token));
  if (rateLimiter) app.use(checkRate(rateLimiter, options));
  app.all('/mcp', (context) => answer(context, mcp, options));
  app.all('*', (context) => answer(context, webtools, options));
  app.onError((error, context) => refuse(error, context, options));
  return app;
}

/**
 * Tells the id to the handlers, which tell it with what happens, and to the client: Hono forgets headers that were set
 * before a handler has made its own response, and makes a stream of one whose headers are set through the context.
 */
const tellId: Middleware = async (context, next) => {
  context.req.raw.headers.set('x-request-id', context.var.requestId);
  await next();
  context.res.headers.set('x-request-id', context.var.requestId);
};

const sayFarewell =
  ({ running }: AppOptions): Middleware =>
  async (context, next) => {
    await next();
    if (running.isClosing) context.header('connection', 'close');
  };

function health(context: Context<Environment>, { running }: AppOptions): Response {
  const [status, code] = running.isClosing ? (['shutting-down', 503] as const) : (['ok', 200] as const);
  return context.json({ status }, code, { 'cache-control': 'no-store' });
}

const shuttingDown = (what: string): HttpError =>
  new HttpError('shutting-down', what, { headers: { 'retry-after': '1' } });

const refuseWhileClosing =
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
      const message = 'The gateway is not known by the name of this Host header. Its operator can allow it.';
      throw new HttpError('host-not-allowed', message);
    }
    await next();
  };

/** Browsers ask by OPTIONS without credentials. https://fetch.spec.whatwg.org/#cors-protocol-and-credentials */
function checkToken(token: string): Middleware {
  const check = bearerAuth<Environment>({ token });
  return async (context, next) => (context.req.method === 'OPTIONS' ? await next() : await check(context, next));
}

/** What reaches the site comes by POST. All else is answered from memory, and a client may look as often as it likes. */
const checkRate =
  (limiter: RateLimiter, { clientAddressHeader, log }: AppOptions): Middleware =>
  async (context, next) => {
    if (context.req.method !== 'POST') return await next();
    const said = clientAddressHeader === undefined ? undefined : context.req.header(clientAddressHeader);
    const client = clientOf(getConnInfo(context).remote.address, said);
    const allowance = await limiter.count(client).catch((error: unknown) => {
      log.error({ error }, 'the rate limit does not answer: the call is let through');
      return undefined;
    });
    if (allowance && !allowance.isAllowed) throw tooMany(limiter, allowance);
    await next();
    if (allowance) for (const [name, value] of rateHeaders(limiter, allowance)) context.res.headers.set(name, value);
  };

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
const rateHeaders = ({ calls, seconds }: RateLimiter, allowance: Allowance): readonly (readonly [string, string])[] => [
  ['ratelimit-policy', `"calls";q=${calls};w=${seconds}`],
  ['ratelimit', `"calls";r=${allowance.remaining};t=${allowance.seconds}`],
];

function tooMany(limiter: RateLimiter, allowance: Allowance): HttpError {
  const { seconds } = allowance;
  const message = `There were more than ${limiter.calls} calls in ${limiter.seconds} s. Wait ${seconds} s.`;
  const headers = { ...Object.fromEntries(rateHeaders(limiter, allowance)), 'retry-after': String(seconds) };
  return new HttpError('rate-limit', message, { headers });
}

async function answer(
  { req, env }: Context<Environment>,
  handler: Handler,
  { running }: AppOptions,
): Promise<Response> {
  const request = running.follow(req.raw, env.outgoing);
  const response = await handler(request);
  if (!running.isOver || !request.signal.aborted) return response;
  const advice = 'The site may have taken the submission all the same: look before you send it again.';
  throw shuttingDown(`The gateway was shut down before the call had ended. ${advice}`);
}

function refuse(error: Error, { req, var: { requestId } }: Context, { cors, log }: AppOptions): Response {
  const known = knownError(error);
  const { code } = known;
  if (code === 'internal-error') log.error({ requestId: requestId, code, error }, 'failed');
  else log.info({ requestId: requestId, code, status: known.status }, 'refused');
  const response = req.path === '/mcp' ? rpcRefusal(known) : errorResponse(known);
  const origin = req.header('origin');
  if (origin !== undefined && (cors.includes(origin) || cors.includes('*'))) {
    response.headers.set('access-control-allow-origin', origin);
    response.headers.set('access-control-expose-headers', 'retry-after');
    response.headers.append('vary', 'origin');
  }
  return response;
}

const rpcRefusal = ({ code, status, message, headers }: HttpError): Response =>
  rpcFailure({ status, message: `${code}: ${message}`, headers });

function knownError(error: Error): HttpError {
  if (!(error instanceof HTTPException)) return httpErrorOf(error);
  const challenge = error.getResponse().headers.get('www-authenticate') ?? 'Bearer';
  const message = 'The gateway wants its token: send it as "Authorization: Bearer ...".';
  return new HttpError('unauthorized', message, { headers: { 'www-authenticate': challenge } });
}
