import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InlineConfig, Plugin, Rollup, ViteDevServer } from 'vite';
import { atEnd } from '../at-end.js';
import type { Manifest } from '../../../src/build.js';
import { webmcpForms, type WebmcpFormsOptions } from '../../../src/vite/index.js';

type Vite = typeof import('vite');

/** The supported major versions of Vite. */
export const majors: readonly (readonly [name: string, vite: Vite])[] = [
  ['Vite 6', (await import('vite6')) as unknown as Vite],
  ['Vite 7', (await import('vite7')) as unknown as Vite],
  ['Vite 8', await import('vite')],
];

/** Copies the site in test/fixtures/vite/shop with some files changed. The copy is removed after the test. */
export async function makeSite(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'webmcp-forms-vite-')));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await cp(fileURLToPath(new URL('../../fixtures/vite/shop', import.meta.url)), folder, { recursive: true });
  await change(folder, files);
  return folder;
}

export async function change(root: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** The result of a build. */
export interface Built {
  readonly files: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

export const inputs = ['index.html', 'shop/order.html', 'about.html'];

export interface SiteConfig {
  readonly options?: WebmcpFormsOptions;
  readonly plugins?: readonly Plugin[];
  readonly config?: InlineConfig;
}

/** The configuration of a site. Warnings and errors of Vite are collected in `warnings`. */
export function configOf(vite: Vite, root: string, site: SiteConfig, warnings: string[]): InlineConfig {
  const { options = {}, plugins = [], config = {} } = site;
  const logger = vite.createLogger('silent');
  logger.warn = logger.error = (text) => void warnings.push(text);
  return vite.mergeConfig(
    {
      root,
      configFile: false,
      logLevel: 'silent',
      customLogger: logger,
      cacheDir: join(root, 'node_modules/.vite'),
      optimizeDeps: { noDiscovery: true },
      plugins: [...plugins, webmcpForms(options)],
      build: { rollupOptions: { input: inputs.map((path) => join(root, path)) } },
    } satisfies InlineConfig,
    config,
  );
}

export async function build(vite: Vite, root: string, site: SiteConfig = {}): Promise<Built> {
  const warnings: string[] = [];
  const result = await vite.build(configOf(vite, root, site, warnings));
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) => ('output' in each ? each.output : []));
  return { files: Object.fromEntries(outputs.map((output) => [output.fileName, textOf(output)])), warnings };
}

const textOf = (output: Rollup.OutputAsset | Rollup.OutputChunk): string =>
  output.type === 'chunk' ? output.code : Buffer.from(output.source).toString();

/** A busy system can lose file events, so the tests poll. */
const watch = { usePolling: true, interval: 50 };

const opened: (() => Promise<unknown>)[] = [];

/** Closes something after the test. The hooks of a file run only when all servers are closed. */
export const closeLater = (close: () => Promise<unknown>): void => void opened.push(close);

export async function closeAll(): Promise<void> {
  for (let close = opened.pop(); close; close = opened.pop()) await close();
}

/** Starts a dev server, which `closeAll` closes. */
export async function serve(vite: Vite, root: string, site: SiteConfig = {}) {
  const warnings: string[] = [];
  const { server: own, ...config } = configOf(vite, root, site, warnings);
  let watching: Promise<unknown> = Promise.resolve();
  const ready: Plugin = {
    name: 'ready',
    configureServer: ({ watcher }) => void (watching = new Promise((resolve) => watcher.once('ready', resolve))),
  };
  const plugins = [ready, ...(config.plugins ?? [])];
  const server = await vite.createServer({ ...config, plugins, server: { host: '127.0.0.1', port: 0, watch, ...own } });
  await server.listen();
  closeLater(() => server.close());
  await watching; // earlier edits are not noticed
  return { server, warnings, url: urlOf(server), untilWatching: () => watching };
}

export function urlOf(server: ViteDevServer): string {
  const address = server.httpServer?.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server is not listening.');
  return `http://127.0.0.1:${address.port}${server.config.base}`;
}

export const fetchManifest = async (url: string): Promise<Manifest> =>
  (await (await fetch(`${url}webmcp.json`, { headers: { connection: 'close' } })).json()) as Manifest;

export const toolsOf = (manifest: Manifest): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(manifest.pages.map(({ path, tools }) => [path, tools.map(({ name }) => name)]));
