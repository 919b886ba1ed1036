import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

/** https://owasp.org/www-project-secure-headers/ */
const always = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Adds the headers that every response of the gateway has. `cache-control` is `no-store` unless set. */
export function withSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(always)) response.headers.set(name, value);
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  return response;
}

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
