import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin, ResolvedConfig, ViteDevServer } from 'vite';
import { percentDecode } from '../../site/pages/page-path.js';
import { oneLine } from '../../site/printable.js';
import { reasonOf } from '../../site/usage-error.js';
import { readScripts, resolveInjectOptions } from '../inject/inject.js';
import type { WebmcpFormsOptions } from '../options.js';
import type { Outputs } from '../outputs.js';
import { problemsOf, problemText, type Problem } from '../problems.js';
import type { Site } from '../site.js';
import { createComponentLinter, createSuggester } from './components.js';
import { toPosix, DevPages, type PageListener } from './pages.js';
import { Panel, panelId, panelModule } from './panel.js';

interface Overlay {
  readonly update: (path: string, error: Problem | undefined) => void;
}

/** Creates the overlay. Sends the error again to each new connection, because clients reload after a change. */
function createOverlay({ ws }: ViteDevServer): Overlay {
  const errors = new Map<string, Problem>();
  ws.on('connection', (socket) => {
    const all = [...errors.values()];
    const error = all.find(({ severity }) => severity === 'error') ?? all[0];
    if (error) socket.send(JSON.stringify(payloadOf(error)));
  });
  return {
    update(path, error) {
      const isCleared = errors.delete(path) && !error && errors.size === 0;
      if (error) errors.set(path, error);
      if (error) ws.send(payloadOf(error));
      if (isCleared) ws.send({ type: 'update', updates: [] });
    },
  };
}

const payloadOf = ({ message, id, loc, frame }: Problem) => ({
  type: 'error' as const,
  err: {
    message,
    stack: '',
    id,
    plugin: 'webmcp-forms',
    ...(loc && { loc }),
    ...(frame !== undefined && { frame }),
  },
});

const resolvedPanelId = `\0${panelId}`;

export function devPlugin(options: WebmcpFormsOptions, site: Site, outputs: Outputs): Plugin {
  const pagesOf = new WeakMap<ResolvedConfig, DevPages>(); // other plugins may wrap the server in a proxy
  const componentsOf = new WeakMap<ResolvedConfig, (id: string) => void>();
  const hasPanel = options.suggest === 'overlay';
  const closing = new WeakMap<ResolvedConfig, AbortController>();
  return {
    name: 'webmcp-forms:dev',
    apply: 'serve',
    enforce: 'post',
    configureServer(server) {
      const controller = new AbortController();
      closing.set(server.config, controller);
      const reports = createReports(server, options, site);
      const pages = new DevPages(server, site, reports.listener, controller.signal);
      componentsOf.set(server.config, reports.onModule);
      pagesOf.set(server.config, pages);
      const handleChange = (file: string): void =>
        void pages.handleFileChange(toPosix(file)).catch((error: unknown) => warn(server, error));
      server.watcher.on('add', handleChange).on('change', handleChange).on('unlink', handleChange);
      server.watcher.on('unlink', (file) => reports.onModule(toPosix(file)));
      server.httpServer?.once('listening', () => void pages.readAll().catch((error: unknown) => warn(server, error)));
      const files = servedFiles(server, pages, options, outputs);
      server.middlewares.use((request, response, next) => void respond(files, request, response, next));
      const { panel } = reports;
      // Runs after the Vite middleware that checks the host.
      return () =>
        panel &&
        server.middlewares.use((request, response, next) => void panel.respond(request, response, next).catch(next));
    },
    resolveId: (source) => (hasPanel && source === panelId ? resolvedPanelId : undefined),
    load(id) {
      if (!hasPanel || id !== resolvedPanelId) return undefined;
      const { config } = this.environment;
      return panelModule(config, this.environment.getTopLevelConfig());
    },
    transform: {
      order: 'pre',
      handler(_, id) {
        if (this.environment.name === 'client') componentsOf.get(this.environment.getTopLevelConfig())?.(id);
      },
    },
    buildEnd() {
      closing.get(this.environment.getTopLevelConfig())?.abort();
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { server, filename, path }) {
        const pages = server && pagesOf.get(server.config);
        if (pages) await pages.handleServed(filename, path, html).catch((error: unknown) => warn(server, error));
        if (!pages || !hasPanel) return [];
        const attrs = { type: 'module', src: `${server.config.base}@id/${panelId}` };
        return [{ tag: 'script', attrs, injectTo: 'body' as const }];
      },
    },
  };
}

const warn = ({ config }: ViteDevServer, error: unknown): void =>
  config.logger.warn(`webmcp-forms: ${oneLine(reasonOf(error))}`, { timestamp: true });

interface Reports {
  readonly listener: PageListener;
  /** Lints a module that is a component. */
  readonly onModule: (id: string) => void;
  readonly panel: Panel | undefined;
}

/** Reports the findings of pages and components in the log, errors in the overlay, and suggestions in the panel. */
function createReports(server: ViteDevServer, options: WebmcpFormsOptions, site: Site): Reports {
  const { strict = false, suggest = false } = options;
  const overlay = strict ? createOverlay(server) : undefined;
  const panel = suggest === 'overlay' ? new Panel(server) : undefined;
  const suggester = suggest === false ? undefined : createSuggester();
  const components = createComponentLinter(suggest !== false);
  const log = createLog(server.config);
  const { root } = server.config;
  const onComponent = async (file: string): Promise<void> => {
    const { findings, problems } = await components.lint(file);
    log(file, problems);
    await panel?.update(file, problems, findings);
  };
  return {
    panel,
    onModule(id) {
      if (components.has(id, root)) void onComponent(id).catch((error: unknown) => warn(server, error));
    },
    listener: {
      ...(suggester && { suggest: suggester.suggest }),
      async onChange(path, page) {
        const data = { path, page: page?.page ?? null };
        server.environments.client.hot.send({ type: 'custom', event: 'webmcp-forms:update', data });
        const problems = page ? await problemsOf(page, site) : [];
        const findings = page?.suggestions ?? [];
        const suggested = page && suggester ? await suggester.problemsOf(page, findings) : [];
        log(path, [...problems, ...suggested]);
        overlay?.update(path, strict ? problems.find(({ severity }) => severity === 'error') : undefined);
        await panel?.update(path, suggested, findings);
      },
    },
  };
}

interface ServedFile {
  readonly type: string;
  readonly content: () => string | Promise<string>;
}

function servedFiles(
  { config }: ViteDevServer,
  pages: DevPages,
  options: WebmcpFormsOptions,
  outputs: Outputs,
): ReadonlyMap<string, ServedFile> {
  const base = percentDecode(config.base);
  const files = new Map<string, ServedFile>();
  const add = (path: string, content: ServedFile['content']): void => {
    const type = path.endsWith('.js') ? 'text/javascript' : 'application/json';
    files.set(base + path, { type, content });
  };
  for (const [path, generate] of outputs) add(path, async () => generate(await pages.readAll(), config.root));
  const inject = resolveInjectOptions(options);
  for (const { path, code } of inject ? readScripts(inject, config) : []) add(path, () => code);
  return files;
}

async function respond(
  files: ReadonlyMap<string, ServedFile>,
  { url = '', method }: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
): Promise<void> {
  const file = files.get(percentDecode(url.replace(/[?#].*$/s, '')));
  if (!file || (method !== 'GET' && method !== 'HEAD')) return next();
  try {
    const content = await file.content();
    response.setHeader('content-type', `${file.type}; charset=utf-8`);
    response.setHeader('cache-control', 'no-cache');
    response.end(method === 'HEAD' ? undefined : content);
  } catch (error) {
    next(error);
  }
}

/** Logs the new problems of a page or component. A known problem at another place is not new. */
function createLog({ logger, root }: ResolvedConfig): (path: string, problems: readonly Problem[]) => void {
  const known = new Map<string, ReadonlySet<string>>();
  return (path, problems) => {
    const before = known.get(path);
    const counts = new Map<string, number>();
    const keys = problems.map(({ message }) => {
      const count = (counts.get(message) ?? 0) + 1;
      counts.set(message, count);
      return `${count} ${message}`;
    });
    known.set(path, new Set(keys));
    for (const [index, problem] of problems.entries()) {
      if (before?.has(keys[index] ?? '')) continue;
      const text = `webmcp-forms: ${problemText(problem, root)}`;
      if (problem.severity === 'info') logger.info(text, { timestamp: true });
      else logger.warn(text, { timestamp: true });
    }
  };
}
