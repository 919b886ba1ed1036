import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { skipWithout } from '../../tools/programs.mjs';
import { colorRules, violationsIn } from '../support/e2e/axe.js';
import { openChromium, overflowOf } from '../support/e2e/open.js';
import { booking, openDay, openSite } from '../support/e2e/site.js';

const pages = readdirSync(fileURLToPath(new URL('../../demo/', import.meta.url)))
  .filter((file) => file.endsWith('.html') && file !== 'thanks.html')
  .map((file) => file.replace('.html', ''));

const opener = (page: Page): Locator => page.getByRole('button', { name: 'Tools on this page' });

/** Opens the inspector with the tools of the page. */
async function openInspector(page: Page): Promise<void> {
  await opener(page).click();
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

/** Starts a call of a tool. */
const callTool = (page: Page, name: string, input: object): Promise<unknown> =>
  page.evaluate(
    `document.modelContext.getTools().then((tools) =>
      void document.modelContext.executeTool(tools.find(({ name }) => name === '${name}'), ${JSON.stringify(input)}).catch(() => undefined))`,
  );

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
      if (name !== 'index') await openInspector(page);
      await check(page);
    });
  }

  for (const width of [1280, 390])
    it(`the tools of a page open in view with the focus, and Escape closes them, ${width} pixels wide`, async () => {
      const page = await open('order.html');
      await page.setViewportSize({ width, height: 800 });
      await openInspector(page);
      const { x, y, width: right, height } = (await page.locator('#tools').boundingBox()) ?? assert.fail();
      assert.ok(x >= 0 && y >= 0 && x + right <= width && y + height <= 800, `${x} ${y} ${right} ${height}`);
      assert.equal(await opener(page).getAttribute('aria-expanded'), 'true');
      assert.equal(await page.locator('#tools :focus').count(), 1);
      await page.keyboard.press('Escape');
      await page.locator('#tools').waitFor({ state: 'hidden' });
      assert.equal(await opener(page).evaluate((button) => button === document.activeElement), true);
      assert.equal(await opener(page).getAttribute('aria-expanded'), 'false');
      await page.close();
    });

  it('the header has one row in windows of all widths, with a menu of the pages in narrow ones', async () => {
    const page = await open('order.html');
    for (const width of [1280, 1210, 1190, 1000, 640, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const { height } = (await page.locator('header').boundingBox()) ?? assert.fail();
      assert.ok(height < 70, `${height} pixels in a window of ${width}`);
      assert.equal(await overflowOf(page), 0, `${width} pixels wide`);
    }
    const menu = page.getByRole('button', { name: 'Pages' });
    await menu.press('Enter');
    await page.getByRole('link', { name: 'Back office' }).waitFor();
    assert.deepEqual(await violationsIn(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Back office' }).waitFor({ state: 'hidden' });
    await page.close();
  });

  it('the free tables that an agent has asked for are a list in the page', async () => {
    const page = await open('reservation.html');
    await callTool(page, 'check_availability', { date: openDay(), guests: 2 });
    await page.locator('#free-form .answer li', { hasText: '17:30' }).waitFor();
    await check(page);
  });

  it('a form in review has no axe violations and no overflow, wide and narrow, in light and dark colors', async () => {
    const page = await open('reservation.html');
    await callTool(page, 'book_table', booking());
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await check(page);
  });
});
