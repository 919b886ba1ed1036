import { join } from 'node:path';
import { root } from './run.mjs';

/** Opens VitePress as middleware of an HTTP server. */
async function openDocs(httpServer) {
  const { createServer } = await import('vitepress');
  return createServer(join(root, 'docs'), { middlewareMode: true, hmr: { server: httpServer } });
}

/**
 * Serves the documentation under /docs/ in a development server of Vite, with changes as they are made. Requests wait for
 * the generated pages.
 *
 * @param generated - the promise of the generated pages
 */
export function docsPlugin(generated) {
  return {
    name: 'docs',
    enforce: 'pre',
    configureServer({ httpServer, middlewares }) {
      const docs = generated.then(() => openDocs(httpServer));
      docs.catch(() => undefined); // each request reports the error
      httpServer.once('close', () => docs.then((server) => server.close()).catch(() => undefined));
      middlewares.use('/docs', (request, response, next) => {
        request.url = request.originalUrl;
        if (/^\/docs(?![^?#])/.test(request.url)) response.writeHead(301, { location: '/docs/' }).end();
        else docs.then((server) => server.middlewares(request, response, next)).catch(next);
      });
    },
  };
}
