import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { readTextFile } from '../site/pages/read-text.js';
import { oneLine } from '../site/report.js';
import { reasonOf, UsageError } from '../site/usage-error.js';

type Playwright = typeof import('playwright-core');

/** A page to open, and how. */
export interface Visit {
  readonly url: string;
  /** The browser's executable. */
  readonly executable: string;
  readonly isNative: boolean;
  /** A script that runs before those of the page. */
  readonly script?: string;
  /** Milliseconds for the whole visit. */
  readonly timeout: number;
  readonly waitFor?: string;
  /** Whether certificates that nobody vouches for are accepted. */
  readonly insecure: boolean;
}

/** The page ended its renderer. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/** Opens a page in a browser of its own, has it read, and closes the browser whatever comes. */
export async function visit<Result>(options: Visit, read: (page: Page) => Promise<Result>): Promise<Result> {
  const browser = await launch(options);
  const timer = new AbortController();
  const timeout = sleep(options.timeout, undefined, { signal: timer.signal }).then(() => {
    throw tooSlow(options);
  });
  timeout.catch(() => undefined);
  try {
    return await Promise.race([
      readPage(browser, options, read).catch((cause: unknown) => ended(options, cause)),
      timeout,
    ]);
  } finally {
    timer.abort();
    await close(browser);
  }
}

/** A browser that ended says so in the error of whatever was asked of it. */
function ended({ url }: Visit, cause: unknown): never {
  if (cause instanceof UsageError || cause instanceof CrashError) throw cause;
  const reason = reasonOf(cause);
  if (/crash/i.test(reason)) throw crashed(cause);
  if (/has been closed/.test(reason)) throw cannotOpen(url, 'the browser was closed', 'try again', cause);
  if (/context was destroyed|navigation/i.test(reason))
    throw cannotOpen(url, 'it goes to another page while it is read', 'name the page where it ends', cause);
  throw cause;
}

const crashed = (cause?: unknown): CrashError => new CrashError('the page ended its process in the browser', { cause });

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

const tooSlow = ({ url, timeout }: Visit): UsageError =>
  cannotOpen(
    url,
    `it was not ready after ${seconds(timeout)}`,
    'give it more with --timeout, or see what its scripts do',
  );

export const cannotOpen = (url: string, reason: string, advice: string, cause?: unknown): UsageError =>
  new UsageError(`cannot read ${oneLine(url)}: ${oneLine(reason)}: ${advice}`, { cause });

async function loadPlaywright(): Promise<Playwright> {
  return import('playwright-core').catch((cause: unknown) => {
    throw new UsageError('reading a live page needs playwright-core: run npm install --save-dev playwright-core', {
      cause,
    });
  });
}

async function launch({ executable, isNative, timeout }: Visit): Promise<Browser> {
  const { chromium } = await loadPlaywright();
  const feature = isNative ? '--enable-features=WebMCP' : '--disable-features=WebMCP';
  const args = ['--disable-dev-shm-usage', feature];
  return chromium.launch({ executablePath: executable, args, timeout }).catch((cause: unknown) => {
    const [reason = ''] = reasonOf(cause).split('\n');
    throw new UsageError(`cannot start ${executable}: ${oneLine(reason)}: name another Chromium with --chromium`, {
      cause,
    });
  });
}

/** A browser whose page never stops may not answer. It ends with this process at the latest. */
const patience = 5000;

const close = (browser: Browser): Promise<void> =>
  Promise.race([browser.close().catch(() => undefined), sleep(patience, undefined, { ref: false })]);

async function readPage<Result>(
  browser: Browser,
  options: Visit,
  read: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ acceptDownloads: false, ignoreHTTPSErrors: options.insecure });
  const page = await context.newPage();
  context.on('page', (popup) => void popup.close().catch(() => undefined));
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  const crash = new Promise<never>((_, reject) => page.on('crash', () => reject(crashed())));
  crash.catch(() => undefined);
  return Promise.race([openAndRead(page, options, read), crash]);
}

async function openAndRead<Result>(page: Page, options: Visit, read: (page: Page) => Promise<Result>): Promise<Result> {
  if (options.script !== undefined) await page.addInitScript({ content: options.script });
  await open(page, options);
  await settle(page, options);
  return read(page);
}

async function open(page: Page, { url, timeout }: Visit): Promise<void> {
  const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout }).catch((cause: unknown) => {
    throw notOpened(url, reasonOf(cause), cause);
  });
  const status = response?.status() ?? 200;
  if (status >= 400)
    throw cannotOpen(url, `it answered ${status} ${response?.statusText() ?? ''}`, 'name a page that is served');
}

/** What the browser says when it opens nothing, and the way out. */
const reasons: readonly (readonly [says: RegExp, reason: string, advice: string])[] = [
  [/ERR_CERT_|ERR_SSL_/, 'its certificate is not trusted', 'install it, or accept any with --insecure'],
  [/Download is starting/, 'it is a download', 'name a page'],
  [/ERR_ABORTED/, 'it shows no page', 'name a page, not a download or an answer without content'],
  [/ERR_CONNECTION_REFUSED/, 'nothing listens there', 'start the server'],
  [/ERR_NAME_NOT_RESOLVED/, 'no such host is known', 'check the name'],
  [/ERR_FILE_NOT_FOUND/, 'there is no such file', 'name a file that exists'],
  [/ERR_TOO_MANY_REDIRECTS/, 'it redirects without end', 'name the page where it should end'],
  [/Timeout|timeout/, 'it did not come in time', 'give it more with --timeout'],
];

function notOpened(url: string, text: string, cause: unknown): Error {
  if (/crashed/i.test(text)) return crashed(cause);
  const [, reason, advice] = reasons.find(([says]) => says.test(text)) ?? [];
  const code = /net::(ERR_\w+)/.exec(text)?.[1];
  if (reason === undefined)
    return cannotOpen(url, code ?? text.split('\n')[0] ?? '', 'check that a browser opens it', cause);
  return cannotOpen(url, code === undefined ? reason : `${reason} (${code})`, advice ?? '', cause);
}

/** For how long, at most, what the page loads is waited for once it can be read, and then for scripts that come last. */
const loadPatience = 5000;
const scriptPatience = 200;

async function settle(page: Page, { url, timeout, waitFor }: Visit): Promise<void> {
  await page.waitForLoadState('load', { timeout: Math.min(loadPatience, timeout) }).catch(() => undefined);
  if (waitFor !== undefined)
    await page.waitForSelector(waitFor, { state: 'attached', timeout }).catch((cause: unknown) => {
      const isWrong = !/Timeout/.test(reasonOf(cause));
      const reason = isWrong ? `--wait-for ${waitFor} is no selector` : `nothing matched ${waitFor} in time`;
      throw cannotOpen(url, reason, isWrong ? 'correct it' : 'correct it, or give more time with --timeout', cause);
    });
  await sleep(scriptPatience);
}

/** The script of this package that a page without WebMCP would load, for a profile. */
export async function ourScript(profile: string, sensitive: string | undefined): Promise<string> {
  const root = dirname(createRequire(import.meta.url).resolve('webmcp-forms/package.json'));
  const script = await readTextFile(join(root, 'dist/webmcp-forms.full.iife.js'), 'dist/webmcp-forms.full.iife.js');
  const dataset = JSON.stringify({ profile, ...(sensitive !== undefined && { sensitive }) });
  return `(() => {
  if (window !== top) return;
  // Chromium's own WebMCP asks files for no agent cluster of their own, which they cannot have.
  if (location.protocol === 'file:') Object.defineProperty(window, 'originAgentCluster', { value: true, configurable: true });
  Object.defineProperty(document, 'currentScript', { value: { dataset: ${dataset} }, configurable: true });
  try {
${script}
  } finally {
    delete document.currentScript;
  }
})();`;
}
