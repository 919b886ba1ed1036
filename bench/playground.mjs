// Measures the playground of the built documentation beside a page of text of the same site: npm run docs, then npm run bench
import { serve } from '@hono/node-server';
import { chromium } from 'playwright-core';
import { createDocs } from '../demo/server/docs.ts';
import { chromiumPath } from '../tools/programs.mjs';
import { median } from './measure.mjs';

const runs = 9;
const { fetch: fetchDocs } = createDocs(new URL('../docs-dist/', import.meta.url).pathname);
/** Adds a page without styles and scripts, which shows the time that the browser itself needs. */
const fetch = (request) =>
  request.url.endsWith('/docs/word.html')
    ? new Response('<!doctype html><p>Word', { headers: { 'content-type': 'text/html' } })
    : fetchDocs(request);
const server = await new Promise((resolve) => {
  const starting = serve({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(starting));
});
const site = `http://127.0.0.1:${server.address().port}/docs/`;
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });

const form = (index) => `<form toolname="book_room_${index}" tooldescription="Books room ${index}." action="/rooms">
  <label>Day <input type="date" name="day" required></label>
  <label>People <input type="number" name="people" min="1" max="8"></label>
  <label>Name <input name="name" maxlength="60"></label>
  <label>Seats <select name="seats"><option value="rows">In rows</option><option value="round">Round</option></select></label>
  <label><input type="checkbox" name="screen"> With a screen</label>
  <button>Book</button>
</form>`;
const forms = Array.from({ length: 20 }, (_, index) => form(index)).join('\n');

async function open(path) {
  const page = await browser.newPage();
  await page.goto(site + path, { waitUntil: 'load' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  return { page, paint };
}

async function firstPaint(path) {
  const { page, paint } = await open(path);
  await page.close();
  return paint;
}

/** The times until the first paint, and until the tool of the example is shown and compared. */
async function start() {
  const { page, paint } = await open('playground.html');
  const { tool, equal } = await page.evaluate(async () => {
    const until = (isReached) =>
      new Promise((resolve) => {
        const check = () => (isReached() ? resolve(performance.now()) : requestAnimationFrame(check));
        check();
      });
    const tool = await until(() =>
      document.querySelector('webmcp-inspector')?.shadowRoot?.querySelector('[role=option]'),
    );
    return { tool, equal: await until(() => document.querySelector('.pg-equal')) };
  });
  await page.close();
  return { paint, tool, equal };
}

/** The times from a keystroke in the description of the last form until its tool is shown and compared. */
async function update() {
  const { page } = await open('playground.html');
  await page.locator('.pg-frame iframe').waitFor();
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(forms);
  await page.getByRole('combobox', { name: 'Form', exact: true }).waitFor();
  await page.getByText('Equal: parse5').waitFor();
  await page.keyboard.press('ControlOrMeta+Home');
  for (let count = 0; count < 50; count++) await page.keyboard.press('ArrowRight');
  const times = [];
  for (let turn = 0; turn < runs; turn++) {
    await page.waitForTimeout(300);
    await page.evaluate(() => {
      const { shadowRoot } = document.querySelector('webmcp-inspector');
      const text = () => shadowRoot.querySelector('[role=option] .start').textContent;
      const before = text();
      globalThis.updated = new Promise((resolve) => {
        addEventListener(
          'keydown',
          () => {
            const begin = performance.now();
            let tool;
            const check = () => {
              if (tool === undefined && text() !== before) tool = performance.now() - begin;
              const isEqual =
                tool !== undefined && document.querySelector('.playground').innerText.includes('Equal: parse5');
              if (isEqual) resolve({ tool, equal: performance.now() - begin });
              else requestAnimationFrame(check);
            };
            check();
          },
          { once: true, capture: true },
        );
      });
    });
    await page.keyboard.press('x');
    times.push(await page.evaluate(() => globalThis.updated));
  }
  await page.close();
  return times;
}

const round = (numbers) => Number(median(numbers).toFixed(0));

try {
  await firstPaint('playground.html'); // a warm-up
  const starts = [];
  const texts = [];
  const words = [];
  for (let turn = 0; turn < runs; turn++) {
    starts.push(await start());
    texts.push(await firstPaint('reference/live-forms/filling.html'));
    words.push(await firstPaint('word.html'));
  }
  const updates = await update();
  console.log('The playground, in milliseconds:');
  console.table({
    'first paint': {
      playground: round(starts.map(({ paint }) => paint)),
      'page of text': round(texts),
      'one word': round(words),
    },
    'the tool of the example': { playground: round(starts.map(({ tool }) => tool)) },
    'the tool, compared': { playground: round(starts.map(({ equal }) => equal)) },
    'a keystroke in a page of 20 forms, until the tool': { playground: round(updates.map(({ tool }) => tool)) },
    'until it is compared': { playground: round(updates.map(({ equal }) => equal)) },
  });
} finally {
  await browser.close();
  server.close();
}
