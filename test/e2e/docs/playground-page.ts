import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { atEnd } from '../../support/at-end.js';
import { violationsIn as violationsOfAxe } from '../../support/e2e/axe.js';

/** The URL that shares a page, as the button of the playground creates it. */
export const sharedUrl = (site: string, html: string): string =>
  `${site}playground.html#html=${deflateRawSync(html).toString('base64url')}`;

export interface PlaygroundPage {
  readonly page: Page;
  /** The URLs of other sites that have answered. */
  readonly foreign: readonly string[];
  readonly close: () => Promise<void>;
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
  page.on('response', (response) => {
    if (!/^(?:data|blob):/.test(response.url()) && !response.url().startsWith(origin)) foreign.push(response.url());
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

/** Waits until the page has been compared, without a difference. */
export const untilEqual = (page: Page): Promise<void> =>
  page
    .getByText('Equal: parse5, the parser of builds, and the DOM of this browser give the same tool in all profiles.')
    .waitFor();

/** The frame that shows the page. */
export const renderedFrame = (page: Page) => page.frameLocator('.pg-frame iframe');

/** The violations that axe finds in the page, except in the frame, whose content is the visitor's. */
export const violationsIn = (page: Page): Promise<readonly string[]> =>
  violationsOfAxe(page, { exclude: ['.pg-frame iframe'] });

export interface OtherSite {
  readonly url: string;
  /** The paths that were requested. */
  readonly requested: readonly string[];
  connections(): number;
}

/** A server of another origin, which should receive nothing. */
export async function serveOtherSite(): Promise<OtherSite> {
  const requested: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requested.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').end('<p>other site</p>');
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    connections: () => connections,
  };
}
