import type { HonoRequest } from 'hono';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import type { Env } from './site.js';

const isFromOtherSite = (request: HonoRequest): boolean => {
  const [site, origin] = [request.header('sec-fetch-site'), request.header('origin')];
  if (site !== undefined) return !['same-origin', 'none'].includes(site);
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== new URL(request.url).host);
};

/**
 * Accepts forms of the site's own pages, and of clients without `Sec-Fetch-Site` and `Origin`, which have no visitor's
 * cookie.
 */
export const refuseOtherSites = createMiddleware<Env>(async ({ req }, next) => {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(req.method) && isFromOtherSite(req))
    throw new HTTPException(403, { message: 'This was sent from another site. Use the form on ours.' });
  await next();
});
