import assert from 'node:assert/strict';
import { afterAll, test } from 'vitest';
import type { Page } from 'playwright-core';
import { skipWithout } from '../../../tools/programs.mjs';
import { until } from '../../support/until.js';
import { openChromium } from '../../support/e2e/open.js';
import { serveBuiltSite } from './built-site.js';
import { openPlayground, paste, renderedFrame, sharedUrl, untilEqual, violationsIn } from './playground-page.js';

const options = { skip: skipWithout('chromium') };
const site = await serveBuiltSite();
const browser = options.skip ? undefined : await openChromium(false);
afterAll(() => browser?.close());

const open = (html?: string, context = {}) =>
  openPlayground(browser!, html === undefined ? `${site}playground.html` : sharedUrl(site, html), context);

const annotated = `<!doctype html><title>Rooms</title>
<form toolname="book_room" tooldescription="Books a meeting room." action="/rooms" method="post">
  <p><label>Day <input type="date" name="day" required></label>
  <p><label>People <input type="number" name="people" min="1" max="8"></label>
  <p><label>Code <input name="code" pattern="[A-Z]{3}"></label>
  <button name="act" value="book">Book</button>
</form>`;

const plain = `<!doctype html><title>Books</title>
<h1>Find a book</h1>
<form role="search" action="/search">
  <label>Title <input type="search" name="title" required></label>
  <button>Search</button>
</form>`;

const inspector = (page: Page) => page.locator('webmcp-inspector');

const openTab = (page: Page, name: string) => inspector(page).getByRole('tab', { name }).click();

/** The name of the selected tool. */
const toolName = (page: Page, name: string) => inspector(page).locator('[role=option] .name', { hasText: name });

const schemaText = (page: Page) => inspector(page).getByLabel('Input schema').innerText();

const propertiesIn = (schema: string): readonly string[] =>
  Object.keys((JSON.parse(schema) as { readonly properties: object }).properties);

test(
  'the playground shows the tool of a pasted form in each profile, equal for parse5 and the DOM',
  options,
  async () => {
    const { page, foreign, close } = await open();
    await untilEqual(page);
    await toolName(page, 'book_table').waitFor();
    await paste(page, annotated);
    await toolName(page, 'book_room').waitFor();
    await untilEqual(page);
    assert.equal(await renderedFrame(page).getByLabel('Day').getAttribute('type'), 'date');
    const schemas = new Set<string>();
    for (const profile of ['precise', 'chromium', 'portable']) {
      await page.getByRole('combobox', { name: 'Profile' }).selectOption(profile);
      const schema = await until(async () => {
        const text = await schemaText(page);
        return schemas.has(text) ? '' : text;
      });
      assert.deepEqual(propertiesIn(schema), ['day', 'people', 'code']);
      schemas.add(schema);
    }
    assert.equal(schemas.size, 3);
    assert.deepEqual(foreign, []);
    await close();
  },
);

test('the playground shows findings at their place in the editor, with links to their rules', options, async () => {
  const { page, close } = await open(
    annotated.replace('tooldescription="Books a meeting room."', '').replace('<label>Code', '<label>'),
  );
  await openTab(page, 'Findings');
  const finding = inspector(page).locator('[part=findings] li', { hasText: 'missing-tool-description' });
  await finding.waitFor();
  assert.match(await finding.innerText(), /line 2/);
  await page.locator('.cm-lint-marker-error').first().waitFor();
  await page.locator('.cm-lintRange-error', { hasText: 'book_room' }).first().waitFor();
  assert.equal(await finding.getByRole('link').getAttribute('href'), '/docs/rules/missing-tool-description.html');
  await finding.getByRole('button', { name: 'Show in the HTML' }).click();
  assert.match(await page.evaluate(() => String(getSelection())), /book_room/);
  await page.getByText('This form is not a tool').waitFor();
  await close();
});

const incomplete = `<form toolname="send" tooldescription="Sends a message." method="post">
  <label>Text <textarea name="text"></textarea></label>
  <label>Password <input type="password" name="password"></label>
  <label>Unnamed <input></label>
  <label>Off <input name="off" disabled></label>
  <div data-webmcp-ignore><input name="ignored" aria-label="Ignored"></div>
  <form><button name="draft">Save</button></form>
  <label>Late <input name="late"></label>
  <button>Send</button>
</form>`;

test('the playground shows why controls are not parameters, and their lines in the editor', options, async () => {
  const { page, close } = await open(incomplete);
  await openTab(page, 'Parameters');
  const excluded = inspector(page).locator('.excluded > li');
  await excluded.first().waitFor();
  const found = (await excluded.allInnerTexts()).map((each) => each.replace(/\s+/g, ' '));
  assert.deepEqual(
    found.map((each) => /[a-z-]+$/.exec(each)?.[0]),
    ['excluded-secret', 'missing-parameter-name', 'disabled', 'ignored'],
  );
  assert.match(found[0] ?? '', /^password password .*in precise, portable/);
  await excluded.nth(2).getByRole('button').click();
  assert.match(await page.evaluate(() => String(getSelection())), /name="off"/);
  await close();
});

test('the playground reports the controls that broken markup has taken out of the form', options, async () => {
  const { page, close } = await open(incomplete);
  await openTab(page, 'Findings');
  const lost = inspector(page).locator('[part=findings] li', { hasText: 'lost-markup' });
  await lost.nth(1).waitFor();
  const found = (await lost.allInnerTexts()).join(' ');
  assert.match(found, /The form is inside another form\./);
  assert.match(found, /1 control and 1 button of the source are in no form: a <form> inside a <form> at line 7\./);
  assert.equal(await lost.first().getByRole('link').count(), 0);
  await close();
});

test('a suggestion of the playground is applied with one click, and undone by the editor', options, async () => {
  const { page, close } = await open(plain);
  await page.getByText('The form has no annotations.').waitFor();
  await toolName(page, 'find_book').waitFor();
  await untilEqual(page);
  await page.getByRole('button', { name: 'Apply the suggestion' }).click();
  await page.locator('.cm-line', { hasText: /<form toolname="find_book" .*tooldescription=/ }).waitFor();
  assert.match(await page.evaluate(() => String(getSelection())), /toolname="find_book"/);
  assert.equal(await page.getByLabel('Example').locator('option:checked').innerText(), 'Your page');
  await page.getByText('The form has no annotations.').waitFor({ state: 'detached' });
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+Z');
  await page.getByText('The form has no annotations.').waitFor();
  await close();
});

test('the result of a call is scrolled into a small window', options, async () => {
  const { page, close } = await open(annotated, { viewport: { width: 360, height: 500 } });
  await openTab(page, 'Call');
  await page.getByLabel('day', { exact: false }).first().fill('2026-12-24');
  await page.getByRole('button', { name: 'Run' }).click();
  const text = page.getByText('The form is filled and waits for the user.');
  await text.waitFor();
  const { y = 500, height = 0 } = (await text.boundingBox()) ?? {};
  assert.ok(y >= 0 && y + height <= 500, `${y} ${height}`);
  await close();
});

test('a call in the playground waits for the user, and shows the entry list', options, async () => {
  const { page, foreign, close } = await open(annotated);
  await openTab(page, 'Call');
  await page.getByLabel('day', { exact: false }).first().fill('2026-12-24');
  await page.getByLabel('people').fill('3');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('The form is filled and waits for the user.').waitFor();
  assert.equal(await renderedFrame(page).getByLabel('Day').inputValue(), '2026-12-24');
  await page.getByRole('button', { name: 'Submit as the user' }).click();
  await inspector(page).locator('.result .done').waitFor();
  assert.equal(await page.locator('.pg-request').innerText(), 'POST /rooms');
  const rows = await page.getByRole('region', { name: 'Entry list' }).locator('tbody tr').allInnerTexts();
  assert.deepEqual(
    rows.map((row) => row.split(/\s+/)),
    [
      ['day', '2026-12-24'],
      ['people', '3'],
      ['code', ''],
      ['act', 'book'],
    ],
  );
  assert.deepEqual(foreign, []);
  await close();
});

test('a call in the playground is canceled in the inspector', options, async () => {
  const { page, close } = await open(annotated);
  await openTab(page, 'Call');
  await page.getByLabel('day', { exact: false }).first().fill('2026-12-24');
  await page.getByRole('button', { name: 'Run' }).click();
  const waiting = page.getByText('The form is filled and waits for the user.');
  await waiting.waitFor();
  await inspector(page).getByRole('button', { name: 'Cancel the call of book_room' }).click();
  await inspector(page).locator('.result .canceled').waitFor();
  await waiting.waitFor({ state: 'detached' });
  await close();
});

test('the rendered form has the fonts of the system and the color scheme of the playground', options, async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await open(annotated, { colorScheme });
    const shown = await renderedFrame(page)
      .getByLabel('Code')
      .evaluate((control) => ({
        font: getComputedStyle(control).fontFamily,
        isDark: matchMedia('(prefers-color-scheme: dark)').matches,
      }));
    assert.deepEqual(shown, { font: 'system-ui, sans-serif', isDark: colorScheme === 'dark' });
    await close();
  }
});

test(
  'a call in the playground with invalid input shows an error per parameter, and restores the form',
  options,
  async () => {
    const { page, close } = await open(annotated.replace('toolname', 'toolautosubmit toolname'));
    await openTab(page, 'Call');
    await page.getByRole('radio', { name: 'JSON' }).check();
    await page.getByLabel('Input', { exact: true }).fill('{"day": "2026-12-24", "people": 40, "code": "x"}');
    await page.getByRole('button', { name: 'Run' }).click();
    await inspector(page).locator('.result .failed').waitFor();
    const errors = await inspector(page).locator('.result dt').allInnerTexts();
    assert.deepEqual(errors.toSorted(), ['code', 'people']);
    assert.equal(await renderedFrame(page).getByLabel('Day').inputValue(), '');
    await page.getByRole('radio', { name: 'Form' }).check();
    assert.match(
      await inspector(page).locator('[data-field]', { hasText: 'people' }).getByRole('alert').innerText(),
      /8/,
    );
    await page.getByRole('radio', { name: 'JSON' }).check();
    await page.getByLabel('Input', { exact: true }).fill('{"day": ');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Line 1, column 9: the JSON is invalid.').waitFor();
    await page.getByLabel('Input', { exact: true }).fill('{"day": "2026-12-24"}');
    await page.getByRole('button', { name: 'Run' }).click();
    await inspector(page).locator('.result .done').waitFor();
    await close();
  },
);

test('a link of the playground contains the page', options, async () => {
  const { page, close } = await open(undefined, { permissions: ['clipboard-read', 'clipboard-write'] });
  await untilEqual(page);
  await paste(page, `${plain}<!-- Grüße 日本 -->`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('The link with your page was copied.').waitFor();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(url, page.url());
  const copy = await openPlayground(browser!, url);
  await copy.page.locator('.cm-line', { hasText: 'Grüße 日本' }).waitFor();
  await copy.page.evaluate(() => (location.hash = '#html=%%%'));
  await copy.page.getByText('The page in the link cannot be read. Copy all of the link.').waitFor();
  await copy.close();
  await paste(page, Array.from({ length: 40_000 }, () => Math.random().toString(36)).join(' '));
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('The page is too long for a link. Shorten it.').waitFor();
  await close();
});

test('a page with several forms has a list of its forms', options, async () => {
  const { page, close } = await open(annotated + plain);
  await untilEqual(page);
  await page.getByRole('combobox', { name: 'Form', exact: true }).selectOption({ index: 1 });
  await toolName(page, 'find_book').waitFor();
  await untilEqual(page);
  await close();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(
    `axe finds no violation in the ${colorScheme} playground with findings, suggestions and results`,
    options,
    async () => {
      const { page, close } = await open(annotated.replace('<label>Code', '<label>') + plain, { colorScheme });
      await untilEqual(page);
      const violations = [...(await violationsIn(page))];
      await page.getByRole('combobox', { name: 'Form', exact: true }).selectOption({ index: 1 });
      await page.getByText('The form has no annotations.').waitFor();
      violations.push(...(await violationsIn(page)));
      await openTab(page, 'Call');
      await page.getByRole('button', { name: 'Run' }).click();
      await inspector(page).locator('.result .failed, .result .done, .pg-result').first().waitFor();
      violations.push(...(await violationsIn(page)));
      assert.deepEqual(violations, []);
      await close();
    },
  );

test('the playground does not scroll sideways in a window of 360 pixels', options, async () => {
  const long = plain.replace('Title', 'x'.repeat(300)).replace('/search', `/${'y'.repeat(300)}`);
  const { page, close } = await open(long, { viewport: { width: 360, height: 740 } });
  await untilEqual(page);
  for (const tab of ['Call', 'Schema', 'Parameters', 'Findings', 'Log']) {
    await openTab(page, tab);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  }
  await close();
});

test('the playground shows a message in browsers without JavaScript', options, async () => {
  const context = await browser!.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site}playground.html`);
  assert.ok(await page.locator('.playground-noscript').isVisible());
  assert.equal(await page.locator('.playground').isVisible(), false);
  await context.close();
});
