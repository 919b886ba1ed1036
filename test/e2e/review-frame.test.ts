import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../tools/programs.mjs';
import { until } from '../support/until.js';
import * as review from '../support/e2e/review-page.js';
import { click, disabled, enabled, middleOf, part, problemIn, submittedIn } from '../support/e2e/review-page.js';

for (const { label, program, open } of review.browsers) {
  describe(`a review in a frame of another origin in ${label}`, { skip: skipWithout(program) }, () => {
    let site: review.ReviewSite;
    beforeAll(async () => {
      site = await review.openReviewSite(open);
    });
    afterAll(() => site.close());

    async function openFrame(url: string): Promise<readonly [review.Page, review.Frame]> {
      const page = await site.browser.newPage();
      onTestFinished(() => page.close());
      await page.goto(url);
      return [page, page.frames().at(-1) as review.Frame];
    }

    async function press(page: review.Page, frame: review.Frame): Promise<void> {
      const [x, y] = await middleOf(frame);
      for (const shift of [200, 2, 0]) await page.mouse.move(x + shift, y);
      await click(page);
    }

    async function pressEnter(page: review.Page, frame: review.Frame): Promise<void> {
      await frame.evaluate(`${part('approve')}.focus({ preventScroll: true })`);
      await page.keyboard.press('Enter');
    }

    for (const [title, url] of [
      ['takes neither presses nor keys, and says why', 'game'],
      ['takes neither presses nor keys in a frame of its own origin between', 'nestedGame'],
    ] as const)
      it(title, async () => {
        const [page, frame] = await openFrame(site.urls[url]);
        await until(async () => (await problemIn(frame)).includes('(embedded)'));
        await until(async () => {
          await press(page, frame); // Chromium ignores presses of a frame that it has just loaded
          return (await frame.evaluate('pressed')) !== 0;
        });
        await pressEnter(page, frame);
        await disabled(frame);
        assert.equal(await submittedIn(frame), 0);
      });

    it('takes presses if its author allows embedding', async () => {
      const [page, frame] = await openFrame(site.urls.partner);
      await enabled(frame);
      assert.equal(await problemIn(frame), '');
      await until(async () => {
        await press(page, frame);
        return (await submittedIn(frame)) === 1;
      });
    });
  });
}
