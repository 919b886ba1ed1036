import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { skipWithout } from '../../tools/programs.mjs';
import { violationsIn } from './axe.js';
import { openChromium, shotPath } from './open.js';
import { booking, openSite } from './site.js';

const pages = readdirSync(fileURLToPath(new URL('../../demo/', import.meta.url)))
  .filter((file) => file.endsWith('.html') && file !== 'thanks.html')
  .map((file) => file.replace('.html', ''));

/** The horizontal overflow of the page in pixels. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Opens the inspector with a tool. */
async function openInspector(page: Page): Promise<void> {
  await page.locator('summary', { hasText: 'Tools on this page' }).click();
  await page
    .locator('webmcp-inspector')
    .getByText(/\d+ tools?|No tools/)
    .first()
    .waitFor();
}

const site = await openSite();

describe('the pages of the demo', { skip: skipWithout('chromium') }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium(false);
  });
  afterAll(() => browser.close());

  async function open(path: string, colorScheme: 'light' | 'dark', width: number): Promise<Page> {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(site + path);
    return page;
  }

  for (const [scheme, width] of [
    ['light', 1200],
    ['dark', 1200],
    ['light', 360],
    ['dark', 360],
  ] as const) {
    for (const name of pages) {
      it(`${name} has no axe violations and no overflow, ${scheme} and ${width} pixels wide`, async () => {
        const page = await open(`${name}.html`, scheme, width);
        await openInspector(page);
        await page.screenshot({ path: shotPath(`${name}-${scheme}-${width}`), fullPage: true });
        assert.deepEqual(await violationsIn(page), []);
        assert.equal(await overflow(page), 0);
        await page.context().close();
      });
    }

    it(`a form in review has no axe violations, ${scheme} and ${width} pixels wide`, async () => {
      const page = await open('reservation.html', scheme, width);
      await page.evaluate(
        `document.modelContext.getTools().then((tools) =>
          void document.modelContext.executeTool(tools.find(({ name }) => name === 'book_table'), ${JSON.stringify(booking())}).catch(() => undefined))`,
      );
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await page.screenshot({ path: shotPath(`review-${scheme}-${width}`), fullPage: true });
      assert.deepEqual(await violationsIn(page), []);
      assert.equal(await overflow(page), 0);
      await page.context().close();
    });
  }
});
