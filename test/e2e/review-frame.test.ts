import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { skipWithout } from '../../tools/programs.mjs';
import { until } from '../support/until.js';
import { openChromium, openFirefox } from '../support/e2e/open.js';
import { serveFiles } from '../support/e2e/serve-files.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** A page with a form that waits for the user. Its tool is called as soon as it is listed. */
const formPage = `<!doctype html><title>Form</title>
<script src="webmcp-forms.iife.js"></script><script type=module src="webmcp-elements.js"></script>
<form toolname=order tooldescription="Orders."><input name=item><button>Order</button></form>
<webmcp-review></webmcp-review>
<script>
  let submitted = 0, pressed = 0;
  addEventListener('pointerdown', () => pressed++, true);
  document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); submitted++; });
  document.modelContext.getTools().then(([tool]) => document.modelContext.executeTool(tool, { item: 'x' })).catch(() => {});
</script>`;

const gamePage = (formUrl: string): string => `<!doctype html><title>Game</title>
<script src="webmcp-forms.iife.js"></script>
<body style="margin:0"><iframe allow=tools src="${formUrl}" style="position:absolute;left:0;width:700px;height:500px;border:0"></iframe>`;

interface Frame {
  evaluate(expression: string): Promise<unknown>;
}

/** The functions that the drivers of both browsers have. */
interface Page extends Frame {
  close(): Promise<void>;
  goto(url: string): Promise<unknown>;
  frames(): readonly Frame[];
  readonly mouse: { move(x: number, y: number): Promise<void>; down(): Promise<void>; up(): Promise<void> };
  readonly keyboard: { press(key: 'Enter'): Promise<void> };
}

interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

const part = (name: string): string =>
  `document.querySelector('webmcp-review').shadowRoot?.querySelector('[part=${name}]')`;
const submittedIn = (frame: Frame): Promise<unknown> => frame.evaluate('submitted');
const problemIn = async (frame: Frame): Promise<string> =>
  (await frame.evaluate(`${part('problem')}?.textContent ?? ''`)) as string;
const isEnabled = (frame: Frame): Promise<unknown> =>
  frame.evaluate(`${part('approve')}?.hasAttribute('aria-disabled') === false`);
const setFrameStyle = (page: Page, style: string): Promise<unknown> =>
  page.evaluate(`void (document.querySelector('iframe').style.cssText += ';' + ${JSON.stringify(style)})`);

async function click({ mouse }: Page): Promise<void> {
  await mouse.down();
  await mouse.up();
}

/** The delay of Approve. */
const delayMs = 500;

/** The middle of Approve in its frame. */
async function middleOf(frame: Frame): Promise<readonly [x: number, y: number]> {
  const rectangle = `${part('approve')}.getBoundingClientRect()`;
  const read = `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(${rectangle})`;
  return (await frame.evaluate(read)) as [number, number];
}

for (const { label, program, open } of [
  { label: 'Chromium', program: 'chromium', open: (): Promise<Browser> => openChromium(false) },
  { label: 'Firefox', program: 'firefox', open: (): Promise<Browser> => openFirefox() },
] as const) {
  describe(`a review in a frame of another origin in ${label}`, { skip: skipWithout(program) }, () => {
    const ends: (() => Promise<void>)[] = [];
    let browser: Browser;
    let urls: readonly string[] = [];

    beforeAll(async () => {
      browser = await open();
      const test = { onTestFinished: (steps: () => Promise<void>) => void ends.push(steps) };
      const servers = [1, 2].map(() =>
        serveFiles(test, dist, (path, _, response) => {
          const html = { 'form.html': formPage, 'game.html': gamePage(`${urls[1] ?? ''}form.html`) }[path];
          if (html === undefined) return false;
          response.setHeader('content-type', 'text/html; charset=utf-8');
          response.end(html);
          return true;
        }),
      );
      urls = (await Promise.all(servers)).map(({ url }) => url);
    });
    afterAll(async () => {
      await browser.close();
      for (const end of ends) await end();
    });

    /** Opens a page with the review in a frame, in which Approve is enabled. */
    async function openFrame(): Promise<readonly [Page, Frame]> {
      const page = await browser.newPage();
      await page.goto(`${urls[0] ?? ''}game.html`);
      const frame = page.frames()[1] as Frame;
      await until(async () => (await isEnabled(frame)) === true);
      return [page, frame];
    }

    it('does not take a press of a pointer under which the frame has just moved', async () => {
      const { page, frame } = await until(async () => {
        const [page, frame] = await openFrame();
        const [x, y] = await middleOf(frame);
        for (const shift of [0, 2]) await page.mouse.move(x + 300 + shift, y);
        const start = performance.now();
        await setFrameStyle(page, 'left: 300px');
        await click(page);
        const isLate = performance.now() - start > delayMs;
        const submitted = await submittedIn(frame);
        if (!isLate) assert.equal(submitted, 0);
        if (submitted === 0 && (await frame.evaluate('pressed')) === 1) return { page, frame };
        await page.close(); // the machine was too busy
        return undefined;
      });
      await until(async () => {
        const place = await middleOf(frame); // the message has moved it
        for (const shift of [0, 2]) await page.mouse.move(place[0] + 300 + shift, place[1]);
        await click(page);
        return (await submittedIn(frame)) === 1;
      });
    });

    it('takes keys only while the frame is visible', async () => {
      const [page, frame] = await openFrame();
      await setFrameStyle(page, label === 'Chromium' ? 'opacity: 0' : 'left: -2000px');
      await until(async () => (await isEnabled(frame)) === false);
      await frame.evaluate(`${part('approve')}.focus({ preventScroll: true })`);
      await page.keyboard.press('Enter');
      await until(async () => (await problemIn(frame)).includes('frame-hidden'));
      assert.equal(await submittedIn(frame), 0);
      await setFrameStyle(page, 'opacity: 1; left: 0');
      await until(async () => (await isEnabled(frame)) === true);
      await page.keyboard.press('Enter');
      await until(async () => (await submittedIn(frame)) === 1);
    });
  });
}
