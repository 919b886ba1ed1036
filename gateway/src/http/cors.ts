import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

/** Lets the scripts of some pages call. */
export function corsOf(origins: readonly string[]): MiddlewareHandler {
  const allow = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'HEAD', 'POST'],
    allowHeaders: ['authorization', 'content-type'],
    exposeHeaders: ['etag', 'retry-after'],
    maxAge: 600,
  });
  return async (context, next) => {
    const isQuestion = context.req.method === 'OPTIONS' && !context.req.header('access-control-request-method');
    return isQuestion ? await next() : await allow(context, next);
  };
}
