import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

interface CorsOptions {
  readonly methods: string[];
  readonly headers: string[];
  readonly exposedHeaders: string[];
}

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
