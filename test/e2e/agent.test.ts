import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { engines } from '../../tools/browsers.mjs';
import { skipWithout } from '../../tools/programs.mjs';
import { pressApprove } from '../support/e2e/press-approve.js';
import { openChromium } from '../support/e2e/open.js';
import { openSite } from '../support/e2e/site.js';

const site = await openSite();

/** Presses Approve in the frame with the site. */
const approve = (page: Page): Promise<boolean> =>
  pressApprove(
    page,
    page.frameLocator('#frame').getByRole('button', { name: 'Approve' }),
    async () => !(await page.locator('#state', { hasText: 'Waiting for you' }).isVisible()),
  );

for (const engine of ['chromium', 'webmcp'] as const) {
  const { label, program } = engines[engine];
  describe(`the agent console in ${label}`, { skip: skipWithout(program) }, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openChromium(engine === 'webmcp');
    });
    afterAll(() => browser.close());

    async function open(): Promise<Page> {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.goto(`${site}agent.html`);
      return page;
    }

    it('finds a tool, corrects its input, awaits the approval and reads the result', async () => {
      const page = await open();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.locator('#state', { hasText: 'Waiting for you' }).waitFor();
      await approve(page);
      await page.locator('#state', { hasText: 'Done' }).waitFor();
      const log = await page.locator('#log').innerText();
      assert.match(log, /2 parameters are wrong: date, guests/);
      const [code = ''] = /LUME-\w{6}/.exec(log) ?? [];
      assert.match(await page.frameLocator('#frame').locator('main').innerText(), new RegExp(code));
      await page.goto(`${site}admin.html`);
      assert.match(await page.locator('main').innerText(), new RegExp(code));
    });

    it('accepts that the user undoes the call', async () => {
      const page = await open();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.locator('#state', { hasText: 'Waiting for you' }).waitFor();
      await page.frameLocator('#frame').getByRole('button', { name: 'Undo' }).click();
      await page.locator('#log', { hasText: 'The user has undone' }).waitFor();
      assert.doesNotMatch(await page.locator('#log').innerText(), /LUME-\w{6}/);
    });

    it('runs one step at a time and can be stopped', async () => {
      const page = await open();
      await page.getByRole('button', { name: 'Step' }).click();
      await page.locator('#log > li', { hasText: 'Done' }).first().waitFor();
      assert.equal(await page.locator('#log > li').count(), 1);
      await page.getByRole('button', { name: 'Run' }).click();
      await page.locator('#state', { hasText: 'Waiting for you' }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.locator('#state', { hasText: /stopped/i }).waitFor();
    });
  });
}
