import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { urlOf } from 'webmcp-forms/headless';
import { HttpError } from './json-response.js';

export interface OriginPolicy {
  /** The origins whose pages may call, or `*`. */
  readonly cors: readonly string[];
  readonly isOwnHost: (hostname: string) => boolean;
}

/**
 * Rejects requests of web pages, except those of the gateway's own host and of allowed origins, so that a website
 * cannot use a gateway that its visitor can reach. Requests with neither `Origin` nor `Sec-Fetch-Site`, such as those
 * of programs, are allowed.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export const rejectForeignPages =
  (policy: OriginPolicy): MiddlewareHandler =>
  async ({ req }, next) => {
    if (isOfForeignPage(req.raw, policy)) {
      const message =
        'Pages of this origin cannot call the gateway. Its operator can allow them with --cors or the option cors.';
      throw new HttpError('origin-not-allowed', message);
    }
    await next();
  };

function isOfForeignPage({ headers, method, url }: Request, { cors, isOwnHost }: OriginPolicy): boolean {
  if (cors.includes('*')) return false;
  const origin = headers.get('origin');
  if (origin !== null) return !cors.includes(origin) && !isOwnOrigin(origin, url, isOwnHost);
  const site = headers.get('sec-fetch-site') ?? 'none';
  return site !== 'none' && site !== 'same-origin' && !isLink(method, headers);
}

/** The gateway does not know whether a proxy in front of it uses TLS, so the schemes are not compared. */
function isOwnOrigin(origin: string, url: string, isOwnHost: OriginPolicy['isOwnHost']): boolean {
  const own = /^https?:\/\//.test(origin) ? urlOf(origin) : undefined;
  const target = own && urlOf(url.replace(/^[a-z]+:/i, own.protocol));
  return own !== undefined && target?.host === own.host && isOwnHost(own.hostname);
}

/**
 * Whether the request is a navigation, such as by a link. The page with the link cannot read the response.
 * https://www.w3.org/TR/fetch-metadata/
 */
const isLink = (method: string, headers: Headers): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document';

export const allowOrigins = (origins: readonly string[], options: Parameters<typeof cors>[0]): MiddlewareHandler =>
  cors({ ...options, origin: origins.includes('*') ? '*' : [...origins], maxAge: 600 });
