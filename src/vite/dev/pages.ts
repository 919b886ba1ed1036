import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { ViteDevServer } from 'vite';
import type { ManifestPage } from '../../site/manifest/manifest.js';
import { readTextFile } from '../../site/pages/read-text.js';
import { oneLine } from '../../site/report.js';
import { reasonOf } from '../../site/usage-error.js';
import { htmlEntries, pathFromRoot, toPosix, urlOfFile } from './entries.js';
import { pagesBelow, type PageFile } from '../page-files.js';
import type { CompiledPage } from '../problems.js';
import type { Site } from '../site.js';

/** Tells of a page that is another one now; undefined if it is gone. */
export type OnChange = (path: string, page: CompiledPage | undefined) => void | Promise<void>;

/** The pages of a dev server, as they are served. */
export interface DevPages {
  /** Takes the HTML that was served. */
  readonly serve: (filename: string, url: string, html: string) => Promise<void>;
  /** A file was written, made or deleted. */
  readonly touch: (file: string) => Promise<void>;
  /** All of them, none out of date. */
  readonly all: () => Promise<readonly ManifestPage[]>;
  readonly compiled: () => readonly CompiledPage[];
}

/** For how many milliseconds to wait for more changes before pages are read again. */
const patience = 50;

export function createDevPages(server: ViteDevServer, site: Site, onChange: OnChange, closed: AbortSignal): DevPages {
  const { config } = server;
  const entries = new Set(htmlEntries(config));
  const publicDir = config.publicDir && `${toPosix(config.publicDir)}/`;
  const pages = new Map<string, CompiledPage>();
  const stale = new Set(entries);
  const made = new Set<string>(); // the paths of pages that are no files
  let isPublicRead = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve(); // one thing after another, so that nobody gets what is out of date
  server.watcher.add([...entries]);

  async function set(path: string, page: CompiledPage | undefined): Promise<void> {
    const before = pages.get(path);
    if (page) pages.set(path, page);
    else pages.delete(path);
    if (before?.page !== page?.page && JSON.stringify(before?.page) !== JSON.stringify(page?.page)) {
      await onChange(path, page);
    }
  }

  const compile = async (path: string, html: string, file: string | undefined): Promise<void> => {
    if (site.has(path)) await set(path, site.compile(path, html, file));
  };

  /** What the plugins make of a page comes back by `serve`. */
  async function refresh(file: string): Promise<void> {
    stale.delete(file);
    const path = pathFromRoot(config.root, file);
    const html = await readFile(file, 'utf8').catch(() => undefined);
    if (html === undefined) return set(path, undefined);
    try {
      await server.transformIndexHtml(urlOfFile(config.root, file), html);
    } catch (error) {
      config.logger.error(`webmcp-forms: ${path} is in the manifest as it was: ${String(error)}`, { timestamp: true });
    }
  }

  async function refreshAll(): Promise<void> {
    if (!isPublicRead) await readPublic();
    for (const file of [...stale]) await refresh(file);
  }

  async function readPublic(): Promise<void> {
    const files = config.publicDir ? await pagesBelow(config.publicDir) : [];
    for (const file of files) if (!entries.has(`${config.root}/${file.path}`)) await compileFile(file);
    isPublicRead = true;
  }

  /** One that cannot be read is left out, as it is in a build. */
  async function compileFile({ path, file, read }: PageFile): Promise<void> {
    if (!site.has(path)) return;
    try {
      await compile(path, await read(), file);
    } catch (error) {
      const text = `webmcp-forms: ${oneLine(reasonOf(error))}; the page is not in the manifest`;
      config.logger.warn(text, { timestamp: true });
      await set(path, undefined);
    }
  }

  async function touchPublic(file: string): Promise<void> {
    const path = file.slice(publicDir.length);
    if (!existsSync(file)) return set(path, undefined);
    await compileFile({ path, file, read: () => readTextFile(file, file) });
  }

  /** A file of unknown use may be a part of any page: what is no file is gone until it is served again. */
  async function touchAll(): Promise<void> {
    for (const entry of entries) stale.add(entry);
    for (const path of made) await set(path, undefined);
    if (made.size > 0) isPublicRead = false; // one may have stood in for a file
    made.clear();
    clearTimeout(timer);
    timer = setTimeout(refreshSoon, patience).unref();
  }

  function refreshSoon(): void {
    if (closed.aborted) return;
    all().catch((error: unknown) => {
      config.logger.warn(`webmcp-forms: ${oneLine(reasonOf(error))}`, { timestamp: true });
    });
  }

  async function all(): Promise<readonly ManifestPage[]> {
    const refreshed = working.then(refreshAll);
    working = refreshed.catch(() => undefined);
    await refreshed;
    return [...pages.values()].map(({ page }) => page);
  }

  /** Takes a page that no file was found for: the base may be in its URL. */
  async function serveMade(url: string, html: string): Promise<void> {
    const path = pathOfUrl(url, config.base);
    const entry = toPosix(`${config.root}/${path}`);
    if (entries.has(entry)) return compile(path, html, entry);
    made.add(path);
    await compile(path, html, undefined);
  }

  async function touch(file: string): Promise<void> {
    if (entries.has(file)) return refresh(file);
    if (publicDir && file.startsWith(publicDir) && /\.html$/i.test(file)) return touchPublic(file);
    const isModule = server.environments.client.moduleGraph.getModulesByFile(file)?.size;
    if (!isModule) await touchAll();
  }

  return {
    async serve(filename, url, html) {
      const file = toPosix(filename);
      if (entries.has(file)) await compile(pathFromRoot(config.root, file), html, file);
      else if (!existsSync(filename)) await serveMade(url, html);
    },
    async touch(file) {
      const touched = working.then(() => touch(file));
      working = touched.catch(() => undefined);
      await touched;
    },
    all,
    compiled: () => [...pages.values()],
  };
}

/** The path of a page that is no file, from the base, and never above it. */
function pathOfUrl(url: string, base: string): string {
  const given = `/${url.replace(/[?#].*$/s, '')}`.replace(/^\/+/, '/');
  const below = given.startsWith(base) ? given.slice(base.length) : given;
  const path = posix.normalize(`/${decodeURIComponent(below)}`).replace(/^\/+/, '');
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}
