import assert from 'node:assert/strict';
import type { Browser as ChromiumBrowser, Page as ChromiumPage } from 'playwright-core';
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../tools/programs.mjs';
import { until } from '../support/until.js';
import { patience } from '../support/e2e/open.js';
import * as review from '../support/e2e/review-page.js';
import { click, delayMs, disabled, enabled, middleOf, problemIn, submittedIn } from '../support/e2e/review-page.js';

for (const { label, program, open } of review.browsers) {
  describe(`a review in ${label}`, { skip: skipWithout(program) }, () => {
    let site: review.ReviewSite;
    beforeAll(async () => {
      site = await review.openReviewSite(open);
    });
    afterAll(() => site.close());

    async function openPage(url: string, opening = site.browser.newPage()): Promise<review.Page> {
      const page = await opening;
      page.setDefaultTimeout(patience);
      onTestFinished(() => page.close());
      await page.goto(url);
      return page;
    }

    it('ignores a press of a pointer that was not elsewhere in the window before, such as the second press of a double click that closed a window over it', async () => {
      const page = await until(async () => {
        const page = await openPage(site.urls.form);
        await enabled(page);
        const [x, y] = await middleOf(page);
        const start = performance.now();
        for (const shift of [0, 2]) await page.mouse.move(x + shift, y);
        await click(page);
        const isLate = performance.now() - start > delayMs;
        const submitted = await submittedIn(page);
        if (!isLate) assert.equal(submitted, 0);
        return submitted === 0 ? page : undefined; // otherwise the machine was too busy
      });
      assert.match(await problemIn(page), /moved/);
      await until(async () => {
        const [x, y] = await middleOf(page); // the message has moved it
        for (const shift of [200, 0]) await page.mouse.move(x + shift, y);
        await click(page);
        return (await submittedIn(page)) === 1;
      });
    });

    it('accepts a press of a pointer that was under the button when the button moved, if it left the button since and is at the same position again', async () => {
      const page = await openPage(site.urls.form);
      await enabled(page);
      const [x, y] = await middleOf(page);
      for (const shift of [200, 0]) await page.mouse.move(x + shift, y);
      await page.evaluate(`document.body.style.paddingTop = '10px'; undefined`);
      // The review checks the position in each frame.
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))',
      );
      await enabled(page);
      for (const shift of [200, 0]) await page.mouse.move(x + shift, y);
      await click(page);
      await until(async () => (await submittedIn(page)) === 1 || (await problemIn(page)) !== '');
      assert.equal(await problemIn(page), '');
    });

    it(
      'detects that the pointer has left the window of a page with an image named documentElement',
      { skip: label !== 'Chromium' },
      async () => {
        const page = await openPage(site.urls.clobberedForm);
        await until(async () => {
          await enabled(page);
          const [x, y] = await middleOf(page);
          for (const [left, top] of [
            [x + 200, y],
            [x + 202, y],
            [-50, -50],
          ] as const)
            await page.mouse.move(left, top);
          const start = performance.now();
          for (const shift of [0, 2]) await page.mouse.move(x + shift, y);
          await click(page);
          const isLate = performance.now() - start > delayMs;
          if (!isLate) assert.equal(await submittedIn(page), 0);
          return (await problemIn(page)).includes('(moved)') || isLate;
        });
      },
    );

    it('delays Approve again when its tab becomes visible', { skip: label === 'Chromium' }, async () => {
      const page = await openPage(site.urls.form);
      await enabled(page);
      const other = await openPage('about:blank');
      await other.bringToFront();
      await disabled(page);
      await page.bringToFront();
      await enabled(page);
    });

    it('ignores a press of a second finger', { skip: label !== 'Chromium' }, async () => {
      const page = await openPage(site.urls.form, (site.browser as ChromiumBrowser).newPage({ hasTouch: true }));
      await enabled(page);
      const [x, y] = await middleOf(page);
      const first = { x: x + 300, y, id: 1 };
      const session = await (page as ChromiumPage).context().newCDPSession(page as ChromiumPage);
      const touch = (type: 'touchStart' | 'touchEnd', ...touchPoints: (typeof first)[]): Promise<unknown> =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints });
      await touch('touchStart', first);
      await touch('touchStart', first, { x, y, id: 2 });
      await touch('touchEnd', first);
      await touch('touchEnd');
      assert.equal(await page.evaluate('pressed'), 2);
      const { touchscreen } = page as ChromiumPage;
      assert.equal(await submittedIn(page), 0);
      await touchscreen.tap(x, y);
      await until(async () => (await submittedIn(page)) === 1);
    });
  });
}
