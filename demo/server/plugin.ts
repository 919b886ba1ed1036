import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Plugin, ViteDevServer } from 'vite';
import { createApp, isForSite } from './app.js';
import { addSamples } from './bookings.js';
import { openStore, type Store } from './database.js';
import { withFrame } from './frame.js';
import type { Site } from './site.js';
import { momentOf } from './visits.js';

export interface OsteriaOptions {
  readonly pages: string;
  /** The folder of the built package. */
  readonly dist: string;
  readonly database: string;
}

type Next = () => void;
type Middleware = (request: IncomingMessage, response: ServerResponse, next: Next) => void;

interface Server {
  readonly middlewares: { use(middleware: Middleware): unknown };
}

const scripts = ['webmcp-forms.iife.js', 'webmcp-forms.agent.js'];
const isPageName = (file: string): boolean => /^[a-z-]+\.html$/.test(file);

function serveScripts(dist: string): Middleware {
  return (request, response, next) => {
    const script = scripts.find((file) => request.url === `/${file}`);
    if (script === undefined) return next();
    response.setHeader('content-type', 'text/javascript');
    response.end(readFileSync(join(dist, script)));
  };
}

/** Returns the open database. */
function serveSite(server: Server, database: string, template: Site['template']): Store {
  const store = openStore(database);
  const now = (): Date => new Date();
  addSamples(store, momentOf(now()).day, now().toISOString());
  const listen = getRequestListener(createApp({ store, template, now }).fetch, { overrideGlobalObjects: false });
  server.middlewares.use((request, response, next) => {
    if (isForSite(request.method ?? 'GET', request.url ?? '/')) void listen(request, response);
    else next();
  });
  return store;
}

async function readTemplate(folder: string, file: string): Promise<string | undefined> {
  const path = join(folder, file);
  return isPageName(file) && existsSync(path) ? readFile(path, 'utf8') : undefined;
}

async function transformed(server: ViteDevServer, pages: string, file: string): Promise<string | undefined> {
  const html = await readTemplate(pages, file);
  return html === undefined ? undefined : server.transformIndexHtml(`/${file}`, html);
}

export function osteria({ pages, dist, database }: OsteriaOptions): Plugin {
  let store: Store | undefined;
  return {
    name: 'osteria',
    transformIndexHtml: { order: 'pre', handler: (html, { path }) => withFrame(html, path) },
    configureServer(server) {
      server.middlewares.use(serveScripts(dist));
      store = serveSite(server, database, (file) => transformed(server, pages, file));
    },
    configurePreviewServer(server) {
      const { root, build } = server.config;
      store = serveSite(server, database, (file) => readTemplate(resolve(root, build.outDir), file));
    },
    closeServer: () => store?.close(),
    closePreviewServer: () => store?.close(),
    generateBundle() {
      for (const fileName of scripts)
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(dist, fileName)) });
    },
  };
}
