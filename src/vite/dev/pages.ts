import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix, relative, resolve, sep } from 'node:path';
import type { ViteDevServer, ResolvedConfig } from 'vite';
import type { ManifestPage } from '../../site/manifest/manifest.js';
import { readPageFile } from '../../site/pages/page-encoding.js';
import { isPageFile } from '../../site/pages/page-extensions.js';
import { oneLine } from '../../site/printable.js';
import { reasonOf } from '../../site/usage-error.js';
import { compilePage, pagesBelow, type CompiledPage, type PageFile, type Site } from '../site.js';
import type { Suggester } from './components.js';

/** Called when a page changes. The page is undefined if it was removed. */
type OnChange = (path: string, page: CompiledPage | undefined) => void | Promise<void>;

export interface PageListener {
  readonly onChange: OnChange;
  readonly suggest?: Suggester['suggest'];
}

const debounceMs = 50;

/** The delay before a changed file is read again. Vite's watcher drops a change less than 50 ms after another change. */
const recheckMs = 100;

export class DevPages {
  readonly #server: ViteDevServer;
  readonly #site: Site;
  readonly #listener: PageListener;
  readonly #closed: AbortSignal;
  readonly #entries: ReadonlySet<string>;
  readonly #publicFolder: string;
  readonly #pages = new Map<string, CompiledPage>();
  readonly #stale: Set<string>;
  /** The paths of pages without a file. */
  readonly #virtualPaths = new Set<string>();
  #isPublicRead = false;
  #timer: NodeJS.Timeout | undefined;
  /** The last task. Tasks run sequentially. */
  #lastTask: Promise<void> = Promise.resolve();

  constructor(server: ViteDevServer, site: Site, listener: PageListener, closed: AbortSignal) {
    this.#server = server;
    this.#site = site;
    this.#listener = listener;
    this.#closed = closed;
    this.#entries = new Set(htmlEntries(server.config));
    this.#stale = new Set(this.#entries);
    this.#publicFolder = server.config.publicDir && `${toPosix(server.config.publicDir)}/`;
    server.watcher.add([...this.#entries]);
  }

  async handleServed(filename: string, url: string, html: string): Promise<void> {
    const file = toPosix(filename);
    if (this.#entries.has(file)) await this.#compile(pathOnServer(this.#server.config.root, file), html, file);
    else if (!existsSync(filename)) await this.#compileVirtual(url, html);
  }

  handleFileChange(file: string): Promise<void> {
    return this.#enqueue(async () => {
      const isEntry = this.#entries.has(file);
      if (isEntry || (this.#publicFolder && file.startsWith(this.#publicFolder) && isPageFile(file))) {
        this.#recheck(file, await textIn(file));
        return isEntry ? this.#refresh(file) : this.#refreshPublic(file);
      }
      const isModule = this.#server.environments.client.moduleGraph.getModulesByFile(file)?.size;
      if (!isModule) await this.#invalidateAll();
    });
  }

  #recheck(file: string, text: string | undefined): void {
    const check = async (): Promise<void> => {
      if (!this.#closed.aborted && (await textIn(file)) !== text) await this.handleFileChange(file);
    };
    setTimeout(() => void check().catch((error: unknown) => this.#warn(oneLine(reasonOf(error)))), recheckMs).unref();
  }

  async readAll(): Promise<readonly ManifestPage[]> {
    await this.#enqueue(async () => {
      if (!this.#isPublicRead) await this.#readPublic();
      for (const file of [...this.#stale]) await this.#refresh(file);
    });
    return [...this.#pages.values()].map(({ page }) => page);
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const result = this.#lastTask.then(task);
    this.#lastTask = result.catch(() => undefined);
    return result;
  }

  async #set(path: string, compiled: CompiledPage | undefined): Promise<void> {
    const before = this.#pages.get(path);
    const suggestions = compiled && (await this.#listener.suggest?.(compiled));
    const page = compiled && suggestions ? { ...compiled, suggestions } : compiled;
    if (page) this.#pages.set(path, page);
    else this.#pages.delete(path);
    if (before?.page !== page?.page && contentOf(before) !== contentOf(page)) await this.#listener.onChange(path, page);
  }

  async #compile(path: string, html: string, file: string | undefined): Promise<void> {
    if (this.#site.has(path)) await this.#set(path, await this.#site.compile(path, html, file));
  }

  /** Compiles a page without a file. The URL may start with the base. */
  async #compileVirtual(url: string, html: string): Promise<void> {
    const { root, base } = this.#server.config;
    const path = pathOfUrl(url, base);
    const entry = toPosix(`${root}/${path}`);
    if (this.#entries.has(entry)) return this.#compile(path, html, entry);
    this.#virtualPaths.add(path);
    await this.#compile(path, html, undefined);
  }

  /** Transforms an entry, so that `handleServed` is called with the result of all plugins. */
  async #refresh(file: string): Promise<void> {
    const { root, logger } = this.#server.config;
    this.#stale.delete(file);
    const path = pathOnServer(root, file);
    const html = await textIn(file);
    if (html === undefined) return this.#set(path, undefined);
    try {
      await this.#server.transformIndexHtml(urlOfFile(root, file), html);
    } catch (error) {
      logger.error(`webmcp-forms: ${path} is not updated in the manifest: ${String(error)}`, { timestamp: true });
    }
  }

  async #readPublic(): Promise<void> {
    const { root, publicDir } = this.#server.config;
    const files = publicDir ? await pagesBelow(publicDir) : [];
    for (const file of files) if (!this.#entries.has(`${root}/${file.path}`)) await this.#compileFile(file);
    this.#isPublicRead = true;
  }

  async #refreshPublic(file: string): Promise<void> {
    const path = file.slice(this.#publicFolder.length);
    if (!existsSync(file)) return this.#set(path, undefined);
    await this.#compileFile({ path, file, read: () => readPageFile(file, file) });
  }

  async #compileFile(file: PageFile): Promise<void> {
    if (!this.#site.has(file.path)) return;
    const page = await compilePage(file, this.#site, (message) => this.#warn(message));
    await this.#set(file.path, page);
  }

  /**
   * Marks all entries as stale, because a file that is not a module can affect any page. Removes pages without a file until
   * they are served again.
   */
  async #invalidateAll(): Promise<void> {
    for (const entry of this.#entries) this.#stale.add(entry);
    for (const path of this.#virtualPaths) await this.#set(path, undefined);
    if (this.#virtualPaths.size > 0) this.#isPublicRead = false; // a virtual page may have replaced a public file
    this.#virtualPaths.clear();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refreshLater(), debounceMs).unref();
  }

  #refreshLater(): void {
    if (!this.#closed.aborted) this.readAll().catch((error: unknown) => this.#warn(oneLine(reasonOf(error))));
  }

  #warn(message: string): void {
    this.#server.config.logger.warn(`webmcp-forms: ${message}`, { timestamp: true });
  }
}

const textIn = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

const contentOf = (compiled: CompiledPage | undefined): string =>
  JSON.stringify([compiled?.page, compiled?.suggestions]);

function pathOfUrl(url: string, base: string): string {
  const pathname = `/${url.replace(/[?#].*$/s, '')}`.replace(/^\/+/, '/');
  const below = pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
  const path = posix.normalize(`/${decodeURIComponent(below)}`).replace(/^\/+/, '');
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

function htmlEntries(config: ResolvedConfig): readonly string[] {
  const { build } = config.environments.client ?? config;
  // In Vite 8, rollupOptions is an alias of rolldownOptions. Vite 6 and 7 only have rollupOptions.
  const { input } = ('rolldownOptions' in build ? build.rolldownOptions : build['rollupOptions']) as {
    readonly input?: string | readonly string[] | Readonly<Record<string, string>>;
  };
  const inputs = input === undefined ? ['index.html'] : typeof input === 'string' ? [input] : Object.values(input);
  const files = inputs.filter((file) => isPageFile(file)).map((file) => resolveInput(file, config.root));
  return [...new Set(files)];
}

/** As in Vite, a path with a leading slash may be relative to the root. */
function resolveInput(input: string, root: string): string {
  const fromRoot = resolve(root, input.replace(/^\/+/, ''));
  return toPosix(existsSync(input) || !existsSync(fromRoot) ? resolve(root, input) : fromRoot);
}

export const toPosix = (path: string): string => (sep === '\\' ? path.replaceAll('\\', '/') : path);

/** The path of a file on the dev server, which serves files outside of the root below `@fs/`. */
function pathOnServer(root: string, file: string): string {
  const path = toPosix(relative(root, file));
  return path.startsWith('../') ? `@fs/${file.replace(/^\//, '')}` : path;
}

/** The URL of a file on the dev server, without the base. */
const urlOfFile = (root: string, file: string): string =>
  encodeURI(`/${pathOnServer(root, file)}`)
    .replaceAll('?', '%3F')
    .replaceAll('#', '%23');
