import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../tools/programs.mjs';
import { until } from '../support/until.js';
import * as review from '../support/e2e/review-page.js';
import {
  click,
  delayMs,
  disabled,
  enabled,
  middleOf,
  part,
  problemIn,
  submittedIn,
} from '../support/e2e/review-page.js';

type Frame = review.Frame;
type Page = review.Page;

const setStyle = (page: Page, element: 'iframe' | 'div', style: string): Promise<unknown> =>
  page.evaluate(`void (document.querySelector('${element}').style.cssText += ';' + ${JSON.stringify(style)})`);

/** Waits for the delay of Approve, in frames that are painted. */
const painted = (frame: Frame): Promise<unknown> =>
  frame.evaluate(
    `(async () => { for (let count = 0; count < 60; count++) await new Promise(requestAnimationFrame); })()`,
  );

/** Crops the frame to the line of Approve. Returns the middle of Approve in the page. */
async function crop(page: Page, frame: Frame): Promise<readonly [x: number, y: number]> {
  const [x, y] = await middleOf(frame);
  await setStyle(page, 'div', 'height: 60px');
  await setStyle(page, 'iframe', `top: ${30 - y}px`);
  return [x, 30];
}

for (const { label, program, open } of review.browsers) {
  describe(`a review in a frame of another origin in ${label}`, { skip: skipWithout(program) }, () => {
    let site: review.ReviewSite;
    beforeAll(async () => {
      site = await review.openReviewSite(open);
    });
    afterAll(() => site.close());

    async function openGame(url = site.urls.game): Promise<readonly [Page, Frame]> {
      const page = await site.browser.newPage();
      onTestFinished(() => page.close());
      await page.goto(url);
      return [page, page.frames()[1] as Frame];
    }

    /** Opens a page with the review in a frame, in which Approve is enabled. */
    async function openFrame(): Promise<readonly [Page, Frame]> {
      const [page, frame] = await openGame();
      await enabled(frame);
      return [page, frame];
    }

    it('does not take a press of a pointer under which the frame has just moved', async () => {
      const { page, frame } = await until(async () => {
        const [page, frame] = await openFrame();
        const [x, y] = await middleOf(frame);
        for (const shift of [0, 2]) await page.mouse.move(x + 300 + shift, y);
        const start = performance.now();
        await setStyle(page, 'iframe', 'left: 300px');
        await click(page);
        const isLate = performance.now() - start > delayMs;
        const submitted = await submittedIn(frame);
        if (!isLate) assert.equal(submitted, 0);
        return submitted === 0 && (await frame.evaluate('pressed')) === 1 ? { page, frame } : undefined; // or too busy
      });
      await until(async () => {
        const place = await middleOf(frame); // the message has moved it
        for (const shift of [0, 2]) await page.mouse.move(place[0] + 300 + shift, place[1]);
        await click(page);
        return (await submittedIn(frame)) === 1;
      });
    });

    it('does not take a press of a pointer that has not moved, from which the frame has moved and to which it has returned', async () => {
      await until(async () => {
        const [page, frame] = await openFrame();
        const [x, y] = await middleOf(frame);
        for (const shift of [4, 2, 0]) await page.mouse.move(x + shift, y);
        await painted(frame);
        await setStyle(page, 'iframe', 'left: 300px');
        await painted(frame);
        await setStyle(page, 'iframe', 'left: 0');
        const start = performance.now();
        await click(page);
        const isLate = performance.now() - start > delayMs;
        const submitted = await submittedIn(frame);
        if (!isLate) assert.equal(submitted, 0);
        return !isLate;
      });
    });

    it('does not take a press of a pointer that the frame follows', async () => {
      await until(async () => {
        const [page, frame] = await openFrame();
        const [x, y] = await middleOf(frame);
        let last = 0;
        for (let shift = 0, end = performance.now() + 2 * delayMs; performance.now() < end; shift += 5) {
          last = performance.now();
          await setStyle(page, 'iframe', `left: ${shift}px`);
          await page.mouse.move(x + shift, y);
        }
        await click(page);
        const isLate = performance.now() - last > delayMs;
        const submitted = await submittedIn(frame);
        if (!isLate) assert.equal(submitted, 0);
        return !isLate;
      });
    });

    it('takes neither presses nor keys while the page around the frame makes it too small to be read', async () => {
      const [page, frame] = await openFrame();
      await setStyle(page, 'iframe', 'zoom: 0.1');
      await until(async () => Number(await frame.evaluate('devicePixelRatio')) < 0.2);
      await painted(frame);
      await disabled(frame);
      await until(async () => {
        const [x, y] = await middleOf(frame);
        for (const shift of [20, 1, 0]) await page.mouse.move(x / 10 + shift, y / 10);
        await click(page);
        return (await problemIn(frame)).includes('frame-hidden');
      });
      await frame.evaluate(`${part('approve')}.focus({ preventScroll: true })`);
      await painted(frame);
      await page.keyboard.press('Enter');
      assert.equal(await submittedIn(frame), 0);
      await setStyle(page, 'iframe', 'zoom: 1');
      await enabled(frame);
      await page.keyboard.press('Enter');
      await until(async () => (await submittedIn(frame)) === 1);
    });

    it('takes keys only while the frame is visible', async () => {
      const [page, frame] = await openFrame();
      await setStyle(page, 'iframe', label === 'Chromium' ? 'opacity: 0' : 'left: -2000px');
      await disabled(frame);
      await frame.evaluate(`${part('approve')}.focus({ preventScroll: true })`);
      await page.keyboard.press('Enter');
      await until(async () => (await problemIn(frame)).includes('frame-hidden'));
      assert.equal(await submittedIn(frame), 0);
      await setStyle(page, 'iframe', 'opacity: 1; left: 0');
      await enabled(frame);
      await page.keyboard.press('Enter');
      await until(async () => (await submittedIn(frame)) === 1);
    });

    it('takes neither presses nor keys while the frame is cropped to Approve, or was cropped or small until now', async () => {
      const [page, frame] = await openFrame();
      await crop(page, frame);
      await disabled(frame);
      await until(async () => {
        const [x] = await crop(page, frame); // the message has moved it
        for (const shift of [4, 2, 0]) await page.mouse.move(x + shift, 30);
        await click(page);
        return (await problemIn(frame)).includes('frame-hidden');
      });
      await frame.evaluate(`${part('approve')}.focus({ preventScroll: true })`);
      await page.keyboard.press('Enter');
      await setStyle(page, 'iframe', 'top: 0; height: 60px');
      await until(async () => (await frame.evaluate('innerHeight')) === 60);
      await frame.evaluate(`${part('approve')}.scrollIntoView({ block: 'center', behavior: 'instant' })`);
      await disabled(frame);
      await page.keyboard.press('Enter');
      assert.equal(await submittedIn(frame), 0);
      await setStyle(page, 'iframe', 'height: 500px');
      await setStyle(page, 'div', 'height: 2000px');
      await enabled(frame);
      await page.keyboard.press('Enter');
      await until(async () => (await submittedIn(frame)) === 1);
    });

    it.for([
      ['long', 'longGame', 'document.documentElement', 'height: 300px'],
      [
        'small, scrolling',
        'cornerGame',
        "document.querySelector('webmcp-review').shadowRoot.querySelector('.panel')",
        '',
      ],
    ] as const)(
      'takes a press of a %s review after the user has scrolled through the changes',
      async ([, game, scroller, style]) => {
        const [page, frame] = await openGame(site.urls[game]);
        await setStyle(page, 'iframe', style);
        await disabled(frame);
        await until(async () => {
          const read = `(async () => {
          const scroller = ${scroller};
          for (let top = 0; top < scroller.scrollHeight; top += 100) {
            scroller.scrollTop = top;
            for (let frame = 0; frame < 45; frame++) await new Promise(requestAnimationFrame);
          }
        })()`;
          await frame.evaluate(read);
          return frame.evaluate(`!${part('approve')}.hasAttribute('aria-disabled')`);
        });
        await until(async () => {
          const [x, y] = await middleOf(frame);
          for (const shift of [4, 2, 0]) await page.mouse.move(x + shift, y);
          await click(page);
          return (await submittedIn(frame)) === 1;
        });
      },
    );
  });
}
