import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

export interface CorsOptions {
  readonly methods: string[];
  readonly headers: string[];
  readonly exposedHeaders: string[];
}

/** Allows the scripts of some origins to call. */
export const allowOrigins = (
  origins: readonly string[],
  { methods, headers, exposedHeaders }: CorsOptions,
): MiddlewareHandler =>
  cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: methods,
    allowHeaders: headers,
    exposeHeaders: exposedHeaders,
    maxAge: 600,
  });
