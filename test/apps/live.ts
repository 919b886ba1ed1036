import { setTimeout as wait } from 'node:timers/promises';
import puppeteer from 'puppeteer-core';
import { firefoxPath } from '../../tools/programs.mjs';
import { expression, openChromium } from '../support/e2e/open.js';
import type { Told, ToldError } from './told.js';
import type { Cookie } from './visitor.js';

/** The engines of the applications' tests, as in `tools/browsers.mjs`. */
export type LiveEngine = 'chromium' | 'webmcp' | 'firefox';

/** A page in a browser context of its own. */
export interface LiveTab {
  goto(url: string): Promise<void>;
  evaluate<Argument, Value>(page: (argument: Argument) => Value, argument: Argument): Promise<Awaited<Value>>;
  close(): Promise<void>;
}

export interface LiveBrowser {
  /** Opens a tab with cookies for a site. */
  open(site: string, cookies: readonly Cookie[]): Promise<LiveTab>;
  close(): Promise<void>;
}

async function openChromiumBrowser(isNative: boolean): Promise<LiveBrowser> {
  const browser = await openChromium(isNative);
  return {
    async open(site, cookies) {
      const context = await browser.newContext();
      await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: site })));
      const page = await context.newPage();
      return {
        goto: async (url) => void (await page.goto(url)),
        evaluate: (steps, argument) => page.evaluate(expression(steps, argument)),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

async function openFirefoxBrowser(): Promise<LiveBrowser> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefoxPath() ?? '' });
  return {
    async open(site, cookies) {
      const context = await browser.createBrowserContext();
      const domain = new URL(site).hostname;
      await context.setCookie(...cookies.map((cookie) => ({ ...cookie, domain, path: '/' })));
      const page = await context.newPage();
      page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined)); // "Leave this page?"
      return {
        goto: async (url) => void (await page.goto(url)),
        evaluate: (steps, argument) => page.evaluate(expression(steps, argument)) as never,
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

export const openBrowser = (engine: LiveEngine): Promise<LiveBrowser> =>
  engine === 'firefox' ? openFirefoxBrowser() : openChromiumBrowser(engine === 'webmcp');

/** Polls a function in the page until it returns a true value, also across navigations. */
export async function until<Argument, Value>(
  tab: LiveTab,
  isSo: (argument: Argument) => Value,
  argument: Argument,
  seconds = 20,
): Promise<Awaited<Value>> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(50)) {
    const value = await tab.evaluate(isSo, argument).catch(() => undefined); // between two pages
    if (value) return value;
  }
  const text = await tab.evaluate(() => `${location.href}\n${document.body.innerText}`, null);
  throw new Error(`It did not come true: ${isSo.toString()} with ${JSON.stringify(argument)}\non the page ${text}`);
}

const outcomeKey = 'outcome of the call';

interface Outcome {
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string; readonly errors?: ToldError['parameters'] };
}

/** Starts a call. Its outcome goes to the session storage, which survives a navigation. */
async function startCall(tab: LiveTab, name: string, input: object, removes = ''): Promise<void> {
  await until(
    tab,
    async ([wanted, given, key, removed]) => {
      const context = document.modelContext;
      const tool = (await context?.getTools())?.find(({ name }) => name === wanted);
      if (!context || !tool) return false;
      const store = (outcome: Outcome): void => sessionStorage.setItem(key, JSON.stringify(outcome));
      sessionStorage.removeItem(key);
      if (removed !== '') document.querySelectorAll(removed).forEach((element) => element.remove());
      Reflect.set(window, key, true);
      context.executeTool(tool, given).then(
        (value) => store({ value }),
        ({ name, message, errors }: NonNullable<Outcome['error']>) =>
          store({ error: { name, message, ...(errors && { errors }) } }),
      );
      return true;
    },
    [name, input, outcomeKey, removes] as const,
  );
}

interface Seen {
  readonly outcome?: Outcome;
  /** The next page, once it has loaded. */
  readonly page?: { readonly url: string; readonly text: string };
}

/** The current state of the call. */
const look = (tab: LiveTab): Promise<Seen> =>
  tab.evaluate((key) => {
    const outcome = sessionStorage.getItem(key);
    const hasLeft = !Reflect.has(window, key) && document.readyState === 'complete';
    return {
      ...(outcome !== null && { outcome: JSON.parse(outcome) as Outcome }),
      ...(hasLeft && { page: { url: location.href, text: document.body.innerText } }),
    };
  }, outcomeKey);

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}

/** A native browser returns the errors of a script's tool as a result. */
function toldBy({ value, error }: Outcome, page: Seen['page']): Told {
  const at = page && { page };
  if (error) {
    const { name, message, errors } = error;
    return { error: { code: name, message, ...(errors && { parameters: errors }) }, ...at };
  }
  const result = parsed(value) as { isError?: true; message?: string; errors?: ToldError['parameters'] } | null;
  if (!result?.isError) return { value: result, ...at };
  return { error: { message: result.message ?? '', ...(result.errors && { parameters: result.errors }) }, ...at };
}

export interface CallOptions {
  /** A selector of elements that the page removes after its tools were listed. */
  readonly removes?: string;
  readonly graceSeconds?: number;
}

/**
 * Calls a tool of the page, and resolves with what an agent receives: the result or the error, and the next page if the
 * form navigates. After a result of null, waits for the navigation for `graceSeconds`.
 */
export async function callLive(tab: LiveTab, name: string, input: object, options: CallOptions = {}): Promise<Told> {
  const { removes, graceSeconds = 5 } = options;
  await startCall(tab, name, input, removes);
  let graceEnd = Infinity;
  for (const end = Date.now() + 40_000; Date.now() < end; await wait(50)) {
    const { outcome, page } = await look(tab).catch((): Seen => ({})); // between two pages
    if (page) return outcome ? toldBy(outcome, page) : { page };
    if (!outcome) continue;
    const told = toldBy(outcome, undefined);
    if (told.error || told.value !== null || Date.now() > graceEnd) return told;
    graceEnd = Math.min(graceEnd, Date.now() + graceSeconds * 1000);
  }
  throw new Error(`The call of ${name} has no outcome.`);
}
