import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { engines } from '../../tools/browsers.mjs';
import { skipWithout } from '../../tools/programs.mjs';
import { openChromium } from '../support/e2e/open.js';
import { openSite } from '../support/e2e/site.js';

const site = await openSite();

/** Presses a key until a condition holds. */
async function pressUntil(page: Page, key: string, isSo: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await page.evaluate(isSo)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to: ${isSo}`);
}

const inspector = "document.querySelector('webmcp-inspector')";
const focused = `${inspector}.shadowRoot.activeElement`;

for (const engine of ['chromium', 'webmcp'] as const) {
  const { label, program } = engines[engine];
  describe(`the inspector in the demo, in ${label}`, { skip: skipWithout(program) }, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openChromium(engine === 'webmcp');
    });
    afterAll(() => browser.close());

    it('opens, lists the tools, runs one and shows its effect in the page by keyboard', async () => {
      const page = await browser.newPage();
      await page.goto(`${site}menu.html`);
      await pressUntil(page, 'Tab', "document.activeElement.textContent.trim() === 'Tools on this page'");
      await page.keyboard.press('Enter');
      await page.locator('webmcp-inspector [role=option]').first().waitFor();
      await page.locator('webmcp-inspector').getByRole('button', { name: 'Run' }).waitFor();
      await pressUntil(page, 'Tab', `${focused}?.closest('label, div')?.textContent?.trim().startsWith('q')`);
      await page.keyboard.type('leeks');
      await pressUntil(page, 'Tab', `${focused}?.textContent?.trim() === 'Run'`);
      await page.keyboard.press('Enter');
      await page.locator('#dishes').getByText('Tagliolini').waitFor({ state: 'detached' });
      await page.locator('webmcp-inspector .result .done').waitFor();
      assert.match(await page.locator('#dishes').innerText(), /Charred leeks/);
    });

    it('shows the sources of the descriptions of a form and the differences of the profiles', async () => {
      const page = await browser.newPage();
      await page.goto(`${site}reservation.html`);
      await page.getByRole('button', { name: 'Tools on this page' }).click();
      await page.locator('webmcp-inspector [role=option]', { hasText: 'book_table' }).click();
      const element = page.locator('webmcp-inspector');
      await element.getByRole('tab', { name: 'Parameters' }).click();
      await element.getByText('toolparamdescription').first().waitFor();
      await element.getByRole('tab', { name: 'Schema' }).click();
      await element.getByText('Differences between the profiles').click();
      await element.getByText('differs').first().waitFor();
    });
  });
}
