import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

/** https://owasp.org/www-project-secure-headers/ */
const always = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** Adds the headers that every response of the gateway has, unless it has others. */
export function withSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(always)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
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
