import { join } from 'node:path';
import { root } from './run.mjs';
import { startingListener } from './starting-page.mjs';

/** Opens VitePress as middleware of an HTTP server. */
export async function openDocs(httpServer) {
  const { createServer } = await import('vitepress');
  return createServer(join(root, 'docs'), { middlewareMode: true, hmr: { server: httpServer } });
}

/**
 * Serves the documentation under /docs/ in a development server of Vite, with changes as they are made.
 *
 * @param docs - the promise of `openDocs`
 * @param stateNow - returns the current state of the start as a sentence
 */
export function docsPlugin(docs, stateNow) {
  const listener = startingListener(
    docs.then(({ middlewares }) => middlewares),
    stateNow,
  );
  return {
    name: 'docs',
    enforce: 'pre',
    configureServer({ middlewares }) {
      middlewares.use('/docs', (request, response, next) => {
        request.url = request.originalUrl;
        if (/^\/docs(?![^?#])/.test(request.url)) response.writeHead(301, { location: '/docs/' }).end();
        else void listener(request, response, next);
      });
    },
    closeServer: () => docs.then((server) => server.close()).catch(() => undefined),
  };
}
