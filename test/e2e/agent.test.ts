import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { engines } from '../../tools/browsers.mjs';
import { skipWithout } from '../../tools/programs.mjs';
import { pressApprove } from '../support/e2e/press-approve.js';
import { openChromium } from '../support/e2e/open.js';
import { openSite } from '../support/e2e/site.js';
import { until } from '../support/until.js';

const site = await openSite();

/** Presses Approve in the frame with the site. */
const approve = (page: Page): Promise<boolean> =>
  pressApprove(
    page,
    page.frameLocator('#frame').getByRole('button', { name: 'Approve' }),
    async () => !(await page.locator('#state', { hasText: 'Waiting for you' }).isVisible()),
  );

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const boxOf = async (element: Locator): Promise<Box> => (await element.boundingBox()) ?? assert.fail();

/** Whether a whole button is visible in the window and, if it is in a frame, in the frame. */
async function isInView(page: Page, button: Locator): Promise<boolean> {
  const ratio = await button.evaluate(
    (element) =>
      new Promise<number>((resolve) =>
        new IntersectionObserver(([entry], observer) => {
          observer.disconnect();
          resolve(entry?.intersectionRatio ?? 0);
        }).observe(element),
      ),
  );
  const { y, height } = await boxOf(button);
  return ratio > 0.99 && y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
}

for (const engine of ['chromium', 'webmcp'] as const) {
  const { label, program } = engines[engine];
  describe(`the agent console in ${label}`, { skip: skipWithout(program) }, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openChromium(engine === 'webmcp');
    });
    afterAll(() => browser.close());

    async function open(width = 1280, height = 900): Promise<Page> {
      const page = await browser.newPage({ viewport: { width, height } });
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

    for (const [width, height] of [
      [1280, 720],
      [900, 600],
      [390, 844],
      [640, 400],
    ] as const)
      it(`has Approve and Stop in view and enabled when it waits, ${width} × ${height} pixels`, async () => {
        const page = await open(width, height);
        await page.getByRole('button', { name: 'Run' }).click();
        await page.locator('#state', { hasText: 'Waiting for you' }).waitFor();
        const buttons = [
          page.frameLocator('#frame').getByRole('button', { name: 'Approve' }),
          page.getByRole('button', { name: 'Stop' }),
        ];
        for (const button of buttons) {
          await until(() => isInView(page, button));
          await until(async () => (await button.getAttribute('aria-disabled')) === null);
        }
        await page.close();
      });

    it('has the log beside the site in a wide window, and closed below it in a narrow one', async () => {
      for (const [width, isBeside] of [
        [900, true],
        [890, false],
      ] as const) {
        const page = await open(width);
        const [log, frame] = await Promise.all([boxOf(page.locator('#log-box')), boxOf(page.locator('#frame'))]);
        assert.equal(log.x + log.width <= frame.x, isBeside);
        assert.equal(log.y >= frame.y + frame.height, !isBeside);
        assert.equal(await page.locator('#log-box[open]').count(), isBeside ? 1 : 0);
        await page.close();
      }
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
