import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** The URL that shares a page, as the button of the playground creates it. */
export const sharedUrl = (site: string, html: string): string =>
  `${site}playground.html#html=${deflateRawSync(html).toString('base64url')}`;

export interface PlaygroundPage {
  readonly page: Page;
  /** The URLs of requests that left the site. */
  readonly foreign: readonly string[];
  close(): Promise<void>;
}

/** Opens the playground, and waits until it has compared the page with the DOM. */
export async function openPlayground(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<PlaygroundPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const foreign: string[] = [];
  const { origin } = new URL(url);
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(origin)) foreign.push(request.url());
  });
  await page.goto(url);
  await page.locator('.pg-frame iframe').waitFor();
  return { page, foreign, close: () => context.close() };
}

/** Replaces the text of the editor, as a visitor who pastes a page. */
export async function paste(page: Page, html: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(html);
}

export const equalText = /^Equal: parse5 and the DOM of this browser give the same tool in all profiles\.$/;

/** The frame that shows the page. */
export const renderedFrame = (page: Page) => page.frameLocator('.pg-frame iframe');

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** The violations that axe finds in the page, except in the frame, whose content is the visitor's. */
export async function violationsIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResult>("axe.run({ exclude: ['.pg-frame iframe'] }, { iframes: false })");
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

export interface OtherSite {
  readonly url: string;
  /** The paths that were requested, and the word "connection" for each connection. */
  readonly received: readonly string[];
}

/** A server of another origin, which should receive nothing. */
export async function serveOtherSite(): Promise<OtherSite> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').end('<p>other site</p>');
  });
  server.on('connection', () => received.push('connection'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
