import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin, ResolvedConfig, ViteDevServer } from 'vite';
import { oneLine } from '../../site/report.js';
import { reasonOf } from '../../site/usage-error.js';
import { toPosix } from './entries.js';
import { createDevPages, type DevPages } from './pages.js';
import { injectOptions, scriptOf } from '../inject/inject.js';
import { createOutputs } from '../outputs.js';
import type { WebmcpFormsOptions } from '../options.js';
import { createOverlay, type Overlay } from './overlay.js';
import { nameOf } from '../page-problems.js';
import { problemsOf, problemText, type CompiledPage } from '../problems.js';
import type { Site } from '../site.js';

/** Makes the text of a file that is served, and says its type. */
interface Served {
  readonly type: string;
  readonly text: () => string | Buffer | Promise<string | Buffer>;
}

/** Serves the manifest and keeps it up to date. */
export function devPlugin(options: WebmcpFormsOptions, site: Site): Plugin {
  const pagesOf = new WeakMap<ResolvedConfig, DevPages>(); // the server itself may be behind a proxy
  const closing = new WeakMap<ResolvedConfig, AbortController>();
  return {
    name: 'webmcp-forms:dev',
    apply: 'serve',
    enforce: 'post',
    configureServer(server) {
      const overlay = options.strict ? createOverlay(server) : undefined;
      const onChange = (path: string, page: CompiledPage | undefined) => tell(server, { path, page, site, overlay });
      const ending = new AbortController();
      closing.set(server.config, ending);
      const pages = createDevPages(server, site, onChange, ending.signal);
      pagesOf.set(server.config, pages);
      const touch = (file: string): void => void pages.touch(toPosix(file)).catch(warnOf(server));
      server.watcher.on('add', touch).on('change', touch).on('unlink', touch);
      server.httpServer?.once('listening', () => void pages.all().catch(warnOf(server)));
      const files = servedFiles(server, pages, options, site);
      server.middlewares.use((request, response, next) => void answer(files, request, response, next));
    },
    buildEnd() {
      closing.get(this.environment.getTopLevelConfig())?.abort();
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { server, filename, path }) {
        if (server) await pagesOf.get(server.config)?.serve(filename, path, html).catch(warnOf(server));
      },
    },
  };
}

const warnOf =
  ({ config }: ViteDevServer) =>
  (error: unknown): void =>
    config.logger.warn(`webmcp-forms: ${oneLine(reasonOf(error))}`, { timestamp: true });

interface Changed {
  readonly path: string;
  readonly page: CompiledPage | undefined;
  readonly site: Site;
  readonly overlay: Overlay | undefined;
}

/** Says in the terminal what is wrong with a page, and to pages that the manifest is another one. */
async function tell(server: ViteDevServer, { path, page, site, overlay }: Changed): Promise<void> {
  const { hot } = server.environments.client;
  hot.send({ type: 'custom', event: 'webmcp-forms:update', data: { path, page: page?.page ?? null } });
  const problems = page ? await problemsOf(page, site.options) : [];
  for (const problem of problems) {
    server.config.logger.warn(`webmcp-forms: ${problemText(problem, nameOf(problem.id, server.config.root))}`, {
      timestamp: true,
    });
  }
  overlay?.show(
    path,
    problems.find(({ severity }) => severity === 'error'),
  );
}

function servedFiles(
  server: ViteDevServer,
  pages: DevPages,
  options: WebmcpFormsOptions,
  site: Site,
): ReadonlyMap<string, Served> {
  const { base, root } = server.config;
  const inject = injectOptions(options);
  const script = inject && scriptOf(inject, server.config);
  const below = decoded(base) ?? base;
  const outputs = [...createOutputs(options, site)].map(
    ([path, make]) => [below + path, { type: typeOf(path), text: async () => make(await pages.all(), root) }] as const,
  );
  return new Map<string, Served>([
    ...outputs,
    ...(script ? [[below + script.path, { type: typeOf(script.path), text: () => script.code }] as const] : []),
  ]);
}

/** A URL's path as text; undefined if it is none. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const typeOf = (path: string): string => (path.endsWith('.js') ? 'text/javascript' : 'application/json');

async function answer(
  files: ReadonlyMap<string, Served>,
  { url = '', method }: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
): Promise<void> {
  const served = files.get(decoded(url.replace(/[?#].*$/s, '')) ?? '');
  if (!served || (method !== 'GET' && method !== 'HEAD')) return next();
  try {
    const text = await served.text();
    response.setHeader('content-type', `${served.type}; charset=utf-8`);
    response.setHeader('cache-control', 'no-cache');
    response.end(method === 'HEAD' ? undefined : text);
  } catch (error) {
    next(error);
  }
}
