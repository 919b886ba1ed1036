import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../tools/programs.mjs';
import { until } from '../support/until.js';
import { patience } from '../support/e2e/open.js';
import * as review from '../support/e2e/review-page.js';
import { click, disabled, enabled, middleOf, part, problemIn, submittedIn } from '../support/e2e/review-page.js';

for (const { label, program, open } of review.browsers) {
  describe(`a review in a frame in ${label}`, { skip: skipWithout(program) }, () => {
    let site: review.ReviewSite;
    beforeAll(async () => {
      site = await review.openReviewSite(open);
    });
    afterAll(() => site.close());

    async function openFrame(url: string): Promise<readonly [review.Page, review.Frame]> {
      const page = await site.browser.newPage();
      page.setDefaultTimeout(patience);
      onTestFinished(() => page.close());
      await page.goto(url);
      return [page, page.frames().at(-1) as review.Frame];
    }

    /** @param top - the place of the frame in the page */
    async function press(page: review.Page, frame: review.Frame, top = 0): Promise<void> {
      const [x, y] = await middleOf(frame);
      for (const shift of [200, 2, 0]) await page.mouse.move(x + shift, y + top);
      await click(page);
    }

    async function pressEnter(page: review.Page, frame: review.Frame): Promise<void> {
      await frame.evaluate(`${part('approve')}.focus({ preventScroll: true })`);
      await page.keyboard.press('Enter');
    }

    for (const [title, url] of [
      ['accepts neither presses nor keys in a frame of another origin, and shows the reason', 'game'],
      ['accepts neither presses nor keys in a frame of its own origin inside of one', 'nestedGame'],
      [
        'accepts neither presses nor keys in a frame of a page with an image named defaultView inside of one',
        'clobberedGame',
      ],
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

    for (const [title, url] of [
      ['takes presses if its author allows embedding', 'partner'],
      ['takes presses in a frame of its own origin that is at a fraction of a pixel', 'own'],
    ] as const)
      it(title, async () => {
        const [page, frame] = await openFrame(site.urls[url]);
        await enabled(frame);
        assert.equal(await problemIn(frame), '');
        await until(async () => {
          await press(page, frame, url === 'own' ? 145.19 : 0);
          return (await submittedIn(frame)) === 1;
        });
      });
  });
}
