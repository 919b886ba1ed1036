import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { build } from 'vite';
import { chromiumPath } from '../../../tools/programs.mjs';

const flags = [
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), // Chromium's sandbox does not work for root
];

/** A script of the folder `page` as one classic script. Its exports are members of the global `fuzz`. */
async function bundle(name: string): Promise<string> {
  const entry = fileURLToPath(new URL(`../page/${name}.ts`, import.meta.url));
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['iife'], name: 'fuzz', fileName: 'fuzz' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [first] = [outputs].flat();
  if (!first || !('output' in first)) throw new Error(`The script ${name} was not built.`);
  return first.output[0].code;
}

/** A page of a real Chromium, with a script of the folder `page`. It is opened again after a hang or a crash. */
export class ChromiumPage {
  readonly #browser: Browser;
  readonly #server: Server;
  readonly #url: string;
  #page: Page | undefined;

  private constructor(browser: Browser, server: Server) {
    this.#browser = browser;
    this.#server = server;
    this.#url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  }

  /** @param frameScript - the script of the page `/frame`, which the script can open from another origin */
  static async open(script: string, frameScript?: string): Promise<ChromiumPage> {
    const code = await bundle(script);
    const scripts = new Map([['/fuzz.js', code]]);
    if (frameScript !== undefined) scripts.set('/frame.js', await bundle(frameScript));
    const server = createServer(({ url = '/' }, response) => {
      const served = scripts.get(url);
      response.setHeader('content-type', `${served === undefined ? 'text/html' : 'text/javascript'}; charset=utf-8`);
      const name = url === '/frame' ? 'frame' : 'fuzz';
      response.end(served ?? `<!doctype html><title>fuzz</title><body><script src=/${name}.js></script>`);
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const browser = await puppeteer.launch({ executablePath: chromiumPath() ?? '', pipe: true, args: flags });
    return new ChromiumPage(browser, server);
  }

  async #opened(): Promise<Page> {
    if (this.#page) return this.#page;
    this.#page = await this.#browser.newPage();
    await this.#page.goto(this.#url);
    return this.#page;
  }

  /**
   * Calls a function of the script. Its argument and result are JSON.
   *
   * @throws if it does not return within the time, or if the page crashes
   */
  async call<Value>(name: string, argument: unknown, milliseconds: number): Promise<Value> {
    const page = await this.#opened();
    const text = JSON.stringify(JSON.stringify(argument))
      .replaceAll('\u2028', '\\u2028')
      .replaceAll('\u2029', '\\u2029');
    const calling = page.evaluate(`(async () => JSON.stringify(await fuzz.${name}(JSON.parse(${text}))))()`);
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('hang: the page does not respond')), milliseconds);
    });
    try {
      return JSON.parse((await Promise.race([calling, expired])) as string) as Value;
    } catch (error) {
      calling.catch(() => undefined);
      await this.#discard();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A page that hangs cannot be closed, but its process ends with the browser. */
  async #discard(): Promise<void> {
    const closing = this.#page?.close().catch(() => undefined);
    this.#page = undefined;
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 2000))]);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
