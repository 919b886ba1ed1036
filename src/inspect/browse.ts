import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { readTextFile } from '../site/pages/read-text.js';
import { oneLine } from '../site/printable.js';
import { reasonOf, UsageError } from '../site/usage-error.js';

export interface Visit {
  readonly url: string;
  readonly executable: string;
  /** Whether the browser's own WebMCP is enabled. */
  readonly isNative: boolean;
  /** A script that runs before the scripts of the page. */
  readonly script?: string;
  readonly timeoutMs: number;
  readonly waitFor?: string;
  /** Whether to accept untrusted certificates. */
  readonly insecure: boolean;
}

/** Thrown when a page crashes its renderer. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/** Opens a page in a new browser, reads it, and always closes the browser. */
export async function visit<Result>(options: Visit, read: (page: Page) => Promise<Result>): Promise<Result> {
  const { url, timeoutMs } = options;
  const browser = await launch(options);
  const timer = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw pageError(url, `it was not ready after ${timeoutMs / 1000} s`, `${moreTime}, or check its scripts.`);
  });
  timeout.catch(() => undefined);
  try {
    return await Promise.race([
      readPage(browser, options, read).catch((cause: unknown) => throwReadFailure(url, cause)),
      timeout,
    ]);
  } finally {
    timer.abort();
    await close(browser);
  }
}

const moreTime = 'Increase --timeout';

/** Converts a failed operation to a clear error. A crash of the browser rejects the pending operation. */
function throwReadFailure(url: string, cause: unknown): never {
  if (cause instanceof UsageError || cause instanceof CrashError) throw cause;
  const reason = reasonOf(cause);
  if (/crash/i.test(reason)) throw crashError(cause);
  if (/has been closed/.test(reason)) throw pageError(url, 'the browser was closed', 'Try again.', cause);
  if (/context was destroyed|navigation/i.test(reason))
    throw pageError(url, 'it navigated to another page while it was read', 'Name the page where it ends.', cause);
  throw cause;
}

const crashError = (cause?: unknown): CrashError => new CrashError('the page crashed its renderer', { cause });

export const pageError = (url: string, reason: string, advice: string, cause?: unknown): UsageError =>
  new UsageError(`Cannot read ${oneLine(url)}: ${oneLine(reason)}. ${advice}`, { cause });

async function launch({ executable, isNative, timeoutMs }: Visit): Promise<Browser> {
  const { chromium } = await import('playwright-core').catch((cause: unknown) => {
    const advice = 'Run npm install --save-dev playwright-core.';
    throw new UsageError(`Reading a live page needs playwright-core. ${advice}`, { cause });
  });
  const feature = isNative ? '--enable-features=WebMCP' : '--disable-features=WebMCP';
  const args = ['--disable-dev-shm-usage', feature];
  return chromium.launch({ executablePath: executable, args, timeout: timeoutMs }).catch((cause: unknown) => {
    const [reason = ''] = reasonOf(cause).split('\n');
    throw new UsageError(`Cannot start ${executable}: ${oneLine(reason)}. Name another Chromium with --chromium.`, {
      cause,
    });
  });
}

/** The timeout of `close`. A browser with a busy page may not respond. It ends with this process at the latest. */
const closeTimeoutMs = 5000;

const close = (browser: Browser): Promise<void> =>
  Promise.race([browser.close().catch(() => undefined), sleep(closeTimeoutMs, undefined, { ref: false })]);

async function readPage<Result>(
  browser: Browser,
  options: Visit,
  read: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ acceptDownloads: false, ignoreHTTPSErrors: options.insecure });
  const page = await context.newPage();
  context.on('page', (popup) => void popup.close().catch(() => undefined));
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  const crash = new Promise<never>((_, reject) => page.on('crash', () => reject(crashError())));
  crash.catch(() => undefined);
  return Promise.race([openAndRead(page, options, read), crash]);
}

async function openAndRead<Result>(page: Page, options: Visit, read: (page: Page) => Promise<Result>): Promise<Result> {
  if (options.script !== undefined) await page.addInitScript({ content: options.script });
  await open(page, options);
  await waitUntilReady(page, options);
  return read(page);
}

async function open(page: Page, { url, timeoutMs }: Visit): Promise<void> {
  const options = { waitUntil: 'domcontentloaded', timeout: timeoutMs } as const;
  const response = await page.goto(url, options).catch((cause: unknown) => {
    throw navigationError(url, reasonOf(cause), cause);
  });
  const status = response?.status() ?? 200;
  if (status >= 400)
    throw pageError(url, `the status is ${status} ${response?.statusText() ?? ''}`, 'Name a page that exists.');
}

const navigationErrors: readonly (readonly [pattern: RegExp, reason: string, advice: string])[] = [
  [
    /ERR_CERT_|ERR_SSL_/,
    'its certificate is not trusted',
    'Install the certificate, or accept all certificates with --insecure.',
  ],
  [/Download is starting/, 'it is a download', 'Name a page.'],
  [/ERR_ABORTED/, 'it has no content', 'Name a page, not a download or a response without content.'],
  [/ERR_CONNECTION_REFUSED/, 'the connection was refused', 'Start the server.'],
  [/ERR_NAME_NOT_RESOLVED/, 'the host is unknown', 'Check the name.'],
  [/ERR_FILE_NOT_FOUND/, 'the file does not exist', 'Name a file that exists.'],
  [/ERR_TOO_MANY_REDIRECTS/, 'there are too many redirects', 'Name the page where they should end.'],
  [/Timeout|timeout/, 'it did not load in time', `${moreTime}.`],
];

function navigationError(url: string, message: string, cause: unknown): Error {
  if (/crashed/i.test(message)) return crashError(cause);
  const code = /net::(ERR_\w+)/.exec(message)?.[1];
  const known = navigationErrors.find(([pattern]) => pattern.test(message));
  if (known === undefined)
    return pageError(url, code ?? message.split('\n')[0] ?? '', 'Check that a browser opens it.', cause);
  const [, reason, advice] = known;
  return pageError(url, code === undefined ? reason : `${reason} (${code})`, advice, cause);
}

/** The time limit for the load event, and the delay after it for scripts. */
const loadTimeoutMs = 5000;
const scriptDelayMs = 200;

async function waitUntilReady(page: Page, { url, timeoutMs: timeout, waitFor }: Visit): Promise<void> {
  await page.waitForLoadState('load', { timeout: Math.min(loadTimeoutMs, timeout) }).catch(() => undefined);
  if (waitFor !== undefined)
    await page.waitForSelector(waitFor, { state: 'attached', timeout }).catch((cause: unknown) => {
      if (/Timeout/.test(reasonOf(cause)))
        throw pageError(
          url,
          `no element matched ${waitFor} in time`,
          `Correct the selector, or increase --timeout.`,
          cause,
        );
      throw pageError(url, `--wait-for ${waitFor} is not a selector`, 'Correct it.', cause);
    });
  await sleep(scriptDelayMs);
}

/** The polyfill for a page without WebMCP. */
export async function ourScript(profile: string, sensitive: string | undefined): Promise<string> {
  const root = dirname(createRequire(import.meta.url).resolve('webmcp-forms/package.json'));
  const script = await readTextFile(join(root, 'dist/webmcp-forms.full.iife.js'), 'dist/webmcp-forms.full.iife.js');
  const dataset = JSON.stringify({ profile, ...(sensitive !== undefined && { sensitive }) });
  return `(() => {
  if (window !== top) return;
  // Files cannot have an origin-keyed agent cluster, and Chromium's WebMCP does not require one for files.
  if (location.protocol === 'file:') Object.defineProperty(window, 'originAgentCluster', { value: true, configurable: true });
  const own = Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript');
  Object.defineProperty(Document.prototype, 'currentScript', { ...own, get: () => ({ dataset: ${dataset} }) });
  try {
${script}
  } finally {
    Object.defineProperty(Document.prototype, 'currentScript', own);
  }
})();`;
}
