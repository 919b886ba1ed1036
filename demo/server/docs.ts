import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type Context } from 'hono';

const base = '/docs';

/** Serves the documentation site under /docs, as a host of static files does, from the folder that `npm run docs` writes. */
export function createDocs(folder: string): Hono {
  const app = new Hono();
  const notFound = (context: Context) => context.html(readFileSync(join(folder, '404.html'), 'utf8'), 404);
  app.get(base, (context) => context.redirect(`${base}/`, 301));
  app.get(`${base}/*`, async (context, next) => {
    context.header('x-content-type-options', 'nosniff');
    const files = serveStatic({ root: folder, rewriteRequestPath: (path) => path.slice(base.length) });
    return (await files(context, next)) ?? notFound(context);
  });
  return app;
}
