import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { HttpError } from '../../http/json-response.js';
import { addressOf, type Client, type Clients } from './clients.js';
import type { Allowance, FailureLimit, RateLimiter } from './rate-limit.js';
import type { OAuth } from './oauth/oauth.js';
import { TokenProblem } from './oauth/verify-token.js';
import type { Tokens } from './tokens.js';
import { isIP } from 'node:net';
import { isLoopback } from 'webmcp-forms/headless';

export interface Environment {
  readonly Bindings: HttpBindings;
  readonly Variables: { readonly requestId: string };
}

type Middleware = MiddlewareHandler<Environment>;

/** The rules for access to the gateway and its rate limits. */
export interface AccessOptions {
  readonly isHostAllowed: (host: string) => boolean;
  readonly tokens: Tokens;
  readonly oauth: OAuth | undefined;
  readonly failures: FailureLimit;
  readonly rateLimiter: RateLimiter | undefined;
  readonly quota: RateLimiter | undefined;
  readonly clientAddressHeader: string | undefined;
  readonly clients: Clients;
}

export const checkHost =
  ({ isHostAllowed }: AccessOptions): Middleware =>
  async ({ req }, next) => {
    const isAllowed = URL.canParse(req.url) && [new URL(req.url).host, req.header('host') ?? ''].every(isHostAllowed);
    if (!isAllowed) {
      const message =
        'The gateway does not serve this Host. Its operator can allow the name with --allow-host or allowedHosts.';
      throw new HttpError('host-not-allowed', message);
    }
    await next();
  };

/** Records the address of the client, before its token is known. */
export const identifyAddress =
  ({ clients, clientAddressHeader }: AccessOptions): Middleware =>
  async (context, next) => {
    const address = addressOf(context, clientAddressHeader);
    clients.set(context.req.raw, { address, key: address });
    await next();
  };

/**
 * Checks the token, and limits the attempts of an address. CORS preflights have no credentials.
 * https://fetch.spec.whatwg.org/#cors-protocol-and-credentials
 */
export const checkToken =
  (options: AccessOptions): Middleware =>
  async (context, next) => {
    const { tokens, oauth, failures, clients } = options;
    if (!(tokens.isRequired || oauth) || context.req.method === 'OPTIONS') return await next();
    const { address } = clientOf(options, context);
    const blocked = failures.blockedFor(address);
    if (blocked > 0) throw tooManyFailures(blocked);
    const authorization = context.req.header('authorization') ?? '';
    const found = tokens.find(authorization) ?? (await oauth?.authenticate(authorization, context.req.path));
    if (!found || found instanceof TokenProblem) return await refuse(options, context, found);
    const { name, ...client } = found;
    clients.set(context.req.raw, { ...client, address, key: name ?? address });
    await next();
  };

/**
 * A wrong token counts as a failure, unless it is an access token that is not forged, such as an expired one. All wrong
 * tokens, and POST requests without a token, count toward the rate limit.
 */
async function refuse(options: AccessOptions, context: Context, problem: TokenProblem | undefined): Promise<never> {
  const { address } = clientOf(options, context);
  const isMissing = context.req.header('authorization') === undefined;
  if (!isMissing && problem?.isForged !== false) await options.failures.count(address);
  if (!isMissing || context.req.method === 'POST') {
    const allowance = await options.rateLimiter?.count(address);
    if (options.rateLimiter && allowance?.isAllowed === false)
      throw exceeded('rate-limit', options.rateLimiter, allowance);
  }
  if (options.oauth) throw options.oauth.unauthorized(context.req.path, isMissing ? undefined : problem);
  const challenge = `Bearer realm="webmcp-gateway"${isMissing ? '' : ', error="invalid_token"'}`;
  const message = `The token is ${isMissing ? 'missing' : 'wrong'}. Send the gateway's token as "Authorization: Bearer ...".`;
  throw new HttpError('unauthorized', message, { headers: { 'www-authenticate': challenge } });
}

function tooManyFailures(seconds: number): HttpError {
  const message = `This client has sent too many wrong tokens. Wait ${seconds} s.`;
  return new HttpError('rate-limit', message, { headers: { 'retry-after': String(seconds) } });
}

/** Limits POST requests. Other requests are served from memory. */
export const limitRate =
  (options: AccessOptions): Middleware =>
  async (context, next) => {
    if (context.req.method !== 'POST') return await next();
    const { key } = clientOf(options, context);
    const { rateLimiter, quota } = options;
    const headers = [
      ...(rateLimiter ? await count('rate-limit', rateLimiter, key) : []),
      ...(quota ? await count('quota-exceeded', quota, key) : []),
    ];
    await next();
    for (const [name, value] of headers) context.res.headers.append(name, value);
  };

type LimitCode = 'rate-limit' | 'quota-exceeded';
type Header = readonly [string, string];

async function count(code: LimitCode, limiter: RateLimiter, key: string): Promise<readonly Header[]> {
  const allowance = await limiter.count(key);
  if (!allowance.isAllowed) throw exceeded(code, limiter, allowance);
  return limitHeaders(code, limiter, allowance);
}

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
function limitHeaders(code: LimitCode, { calls, seconds }: RateLimiter, allowance: Allowance): readonly Header[] {
  const name = code === 'rate-limit' ? 'calls' : 'quota';
  return [
    ['ratelimit-policy', `"${name}";q=${calls};w=${seconds}`],
    ['ratelimit', `"${name}";r=${allowance.remaining};t=${allowance.seconds}`],
  ];
}

function exceeded(code: LimitCode, limiter: RateLimiter, allowance: Allowance): HttpError {
  const { seconds } = allowance;
  const limit = code === 'rate-limit' ? 'limit' : 'quota';
  const message = `The ${limit} of ${limiter.calls} calls in ${limiter.seconds} s is exceeded. Wait ${seconds} s.`;
  const headers = { ...Object.fromEntries(limitHeaders(code, limiter, allowance)), 'retry-after': String(seconds) };
  return new HttpError(code, message, { headers });
}

export const clientOf = ({ clients }: AccessOptions, { req }: Context): Client =>
  clients.get(req.raw) ?? { address: 'unknown', key: 'unknown' };

/** The host name or address in a `Host` header, without its port; undefined if it is invalid. */
export function hostnameIn(host: string): string | undefined {
  const url = `http://${host}`;
  if (!/^[^\s/?#@\\]+$/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.$/, '');
}

/**
 * Protects against DNS rebinding: a page of any site can resolve its own name to a loopback address, and its requests have
 * that name. https://owasp.org/www-community/attacks/DNS_rebinding
 *
 * @param address - the listening address
 * @param allowed - names besides loopback names. If it is empty and `address` is not loopback, all IP addresses are
 * allowed, because they need no DNS
 */
export function hostGuard(address: string, allowed: readonly string[]): (host: string) => boolean {
  const allowsAddresses = !isLoopback(address) && allowed.length === 0;
  const names = new Set(allowed.map((name) => hostnameIn(name)));
  return (host) => {
    const hostname = hostnameIn(host);
    if (hostname === undefined) return false;
    return names.has(hostname) || isLoopback(hostname) || (allowsAddresses && isAddress(hostname));
  };
}

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
