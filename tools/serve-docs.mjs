import { join } from 'node:path';
import { root } from './run.mjs';
import { startingListener } from './starting-page.mjs';

/** Opens VitePress as middleware of an HTTP server. */
async function openDocs(httpServer) {
  const { createServer } = await import('vitepress');
  return createServer(join(root, 'docs'), { middlewareMode: true, hmr: { server: httpServer } });
}

/**
 * Serves the documentation under /docs/ in a development server of Vite, with changes as they are made.
 *
 * @param httpServer - the server whose requests the development server of Vite handles
 * @param generated - the promise of the generated pages
 * @param stateNow - returns what is done until they are generated, as a sentence
 */
export function docsPlugin(httpServer, generated, stateNow) {
  const docs = generated.then(() => openDocs(httpServer));
  docs.catch(() => undefined); // each request reports the error
  return {
    name: 'docs',
    enforce: 'pre',
    configureServer({ middlewares }) {
      const listener = startingListener(
        docs.then((server) => server.middlewares),
        stateNow,
      );
      middlewares.use('/docs', (request, response, next) => {
        request.url = request.originalUrl;
        if (/^\/docs(?![^?#])/.test(request.url)) response.writeHead(301, { location: '/docs/' }).end();
        else void listener(request, response, next);
      });
    },
    closeServer: () => docs.then((server) => server.close()).catch(() => undefined),
  };
}
