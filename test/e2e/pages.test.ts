import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { skipWithout } from '../../tools/programs.mjs';
import { colorRules, violationsIn } from '../support/e2e/axe.js';
import { openChromium, overflowOf } from '../support/e2e/open.js';
import { booking, openSite } from '../support/e2e/site.js';

const pages = readdirSync(fileURLToPath(new URL('../../demo/', import.meta.url)))
  .filter((file) => file.endsWith('.html') && file !== 'thanks.html')
  .map((file) => file.replace('.html', ''));

/** Opens the inspector with a tool. */
async function openInspector(page: Page): Promise<void> {
  await page.locator('summary', { hasText: 'Tools on this page' }).click();
  await page
    .locator('webmcp-inspector')
    .getByText(/\d+ tools?|No tools/)
    .first()
    .waitFor();
}

/** Waits for the transitions of all elements, including those in shadow trees. */
async function transitionsEnd(): Promise<void> {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
    await Promise.allSettled(root.getAnimations().map(({ finished }) => finished));
  }
}

async function setColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(transitionsEnd);
}

const site = await openSite();

describe('the pages of the demo', { skip: skipWithout('chromium') }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium(false);
  });
  afterAll(() => browser.close());

  const open = async (path: string): Promise<Page> => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    await page.goto(site + path);
    return page;
  };

  /** Checks the page as it is, wide and narrow, in light and dark colors. */
  async function check(page: Page): Promise<void> {
    for (const width of [1200, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await setColors(page, 'light');
      assert.deepEqual(await violationsIn(page), [], `${width} pixels wide`);
      assert.equal(await overflowOf(page), 0);
      await setColors(page, 'dark');
      assert.deepEqual(await violationsIn(page, { rules: colorRules }), [], `${width} pixels wide, dark`);
    }
    await page.close();
  }

  for (const name of pages) {
    it(`${name} has no axe violations and no overflow, wide and narrow, in light and dark colors`, async () => {
      const page = await open(`${name}.html`);
      await openInspector(page);
      await check(page);
    });
  }

  it('a form in review has no axe violations and no overflow, wide and narrow, in light and dark colors', async () => {
    const page = await open('reservation.html');
    await page.evaluate(
      `document.modelContext.getTools().then((tools) =>
        void document.modelContext.executeTool(tools.find(({ name }) => name === 'book_table'), ${JSON.stringify(booking())}).catch(() => undefined))`,
    );
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await check(page);
  });
});
