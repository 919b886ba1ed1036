import { chromium, type Browser, type Page } from 'playwright-core';
import puppeteer, { type Browser as FirefoxBrowser, type Page as FirefoxPage } from 'puppeteer-core';
import { firefoxPreferences, type EngineName } from '../../../tools/browsers.mjs';
import { chromiumPath, firefoxPath, headlessChromiumPath } from '../../../tools/programs.mjs';
import { WebKitDriver } from '../../../tools/webkit-driver.mjs';

/** A page of a real browser, with the functions that the drivers of all engines have. */
export interface Tab {
  readonly engine: EngineName;
  goto(url: string): Promise<void>;
  /** Runs a function in the page. Its argument and result are JSON. */
  evaluate<Argument, Value>(page: (argument: Argument) => Value, argument: Argument): Promise<Awaited<Value>>;
  press(...keys: readonly Key[]): Promise<void>;
  close(): Promise<void>;
}

export type Key = 'Tab' | 'Shift+Tab' | 'Enter' | 'Space' | 'Escape';

const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : []; // Chromium's sandbox refuses root

/** The time after which a driver gives up. It only ends tests that hang: no machine is this slow. */
export const patience = 300_000;

/** Chromium, with or without native WebMCP. */
export async function openChromium(
  isNative: boolean,
  executablePath = headlessChromiumPath(),
  args: readonly string[] = [],
): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    args: [...flags, '--disable-dev-shm-usage', ...(isNative ? ['--enable-features=WebMCP'] : []), ...args],
    timeout: patience,
  });
  browser.on('context', (context) => context.setDefaultTimeout(patience));
  return browser;
}

/** The horizontal overflow of the page in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** An expression that calls a function in the page. The compiler of the tests wraps functions in `__name`. */
export const expression = <Argument, Value>(steps: (argument: Argument) => Value, argument: Argument): string =>
  `((__name) => (${steps.toString()})(${JSON.stringify(argument)}))((named) => named)`;

async function chromiumTab(engine: 'chromium' | 'webmcp'): Promise<Tab> {
  const browser = await openChromium(engine === 'webmcp', chromiumPath());
  const page: Page = await browser.newPage();
  return {
    engine,
    goto: async (url) => void (await page.goto(url)),
    evaluate: (steps, argument) => page.evaluate(expression(steps, argument)),
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    close: () => browser.close(),
  };
}

async function pressInFirefox({ keyboard }: FirefoxPage, key: Key): Promise<void> {
  if (key !== 'Shift+Tab') return keyboard.press(key);
  await keyboard.down('Shift');
  await keyboard.press('Tab');
  await keyboard.up('Shift');
}

export const openFirefox = (): Promise<FirefoxBrowser> =>
  puppeteer.launch({
    ...{ browser: 'firefox', executablePath: firefoxPath() ?? '', extraPrefsFirefox: firefoxPreferences },
    ...{ timeout: patience, protocolTimeout: patience },
  });

async function firefoxTab(): Promise<Tab> {
  const browser = await openFirefox();
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  return {
    engine: 'firefox',
    goto: async (url) => void (await page.goto(url)),
    evaluate: (steps, argument) => page.evaluate(expression(steps, argument)) as never,
    async press(...keys) {
      for (const key of keys) await pressInFirefox(page, key);
    },
    close: () => browser.close(),
  };
}

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const codes: Readonly<Record<Key, string>> = {
  ...{ Tab: '\uE004', 'Shift+Tab': '\uE008\uE004', Enter: '\uE007', Space: ' ', Escape: '\uE00C' },
};

async function webkitTab(): Promise<Tab> {
  const driver = new WebKitDriver();
  await driver.start();
  return {
    engine: 'webkit',
    goto: (url) => driver.open(url),
    evaluate: (steps, argument) => driver.evaluate(`() => ${expression(steps, argument)}`) as never,
    press: (...keys) => driver.press(...keys.map((key) => codes[key])),
    close: () => driver.stop(),
  };
}

/** Opens a browser with one tab. */
export function openTab(engine: EngineName): Promise<Tab> {
  if (engine === 'firefox') return firefoxTab();
  return engine === 'webkit' ? webkitTab() : chromiumTab(engine);
}
