import type { MiddlewareHandler } from 'hono';
import { isLoopback } from '../upstream/addresses.js';
import { rpcFailure } from './json-rpc.js';

/**
 * Rejects requests of web pages, so that a website cannot reach a gateway on its visitor's machine. Allows the given
 * origins and pages of the gateway's own loopback host. A DNS name that resolves to loopback is not allowed.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export const rejectForeignPages =
  (origins: readonly string[]): MiddlewareHandler =>
  async ({ req }, next) => {
    const origin = req.header('origin');
    if (origin === undefined || origins.includes(origin) || origins.includes('*')) return await next();
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    if (url && isLoopback(url.hostname) && url.host === new URL(req.url).host) return await next();
    return rpcFailure({ status: 403, message: 'Pages of this origin are not allowed to call the gateway.' });
  };
