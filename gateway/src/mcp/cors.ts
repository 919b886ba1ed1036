import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { isLoopback } from '../upstream/addresses.js';
import { rpcFailure } from './json-rpc.js';

/**
 * Refuses pages of other origins than the given ones, so that no page can reach a gateway on its reader's machine. One
 * there may be asked by its own pages, as its name and its port show: a name that only leads there is not its own.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export const refuseOtherPages =
  (origins: readonly string[]): MiddlewareHandler =>
  async ({ req }, next) => {
    const origin = req.header('origin');
    if (origin === undefined || origins.includes(origin) || origins.includes('*')) return await next();
    if (isLocal(origin) && new URL(origin).host === new URL(req.url).host) return await next();
    return rpcFailure({ status: 403, message: 'Pages of this origin may not call the gateway.' });
  };

const isLocal = (origin: string): boolean => URL.canParse(origin) && isLoopback(new URL(origin).hostname);

/** Lets the scripts of some pages call. */
export const corsOf = (origins: readonly string[]): MiddlewareHandler =>
  cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: [
      ...['accept', 'authorization', 'content-type'],
      ...['last-event-id', 'mcp-protocol-version', 'mcp-session-id'],
    ],
    exposeHeaders: ['mcp-session-id', 'retry-after'],
    maxAge: 600,
  });
