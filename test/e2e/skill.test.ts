import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { engines } from '../../tools/browsers.mjs';
import { skipWithout } from '../../tools/programs.mjs';
import { pressApprove } from '../support/e2e/press-approve.js';
import { openChromium } from '../support/e2e/open.js';
import { booking, openDay, openSite } from '../support/e2e/site.js';

const skill = readFileSync(new URL('../../skills/webmcp/SKILL.md', import.meta.url), 'utf8');

/** The code blocks of a section. */
function blocksOf(heading: string): readonly string[] {
  const section = skill.split(/^## /m).find((each) => each.startsWith(heading)) ?? '';
  return [...section.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = '']) => code);
}

/** Runs code in the page as a console does: declarations persist, and the last expression is the result. */
async function run(page: Page, code: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    ...{ expression: code, awaitPromise: true, returnByValue: true, replMode: true },
  });
  await session.detach();
  assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
  return result.value;
}

async function prepare(page: Page): Promise<void> {
  for (const block of blocksOf('Prepare')) await run(page, block);
}

/** The code of a block, with its placeholders for the tool name and the input replaced. */
const filledIn = (block: string, name: string, input: object): string =>
  block.replaceAll('NAME', name).replace("{ PARAMETER: 'VALUE' }", JSON.stringify(input));

interface Outcome {
  readonly ok: boolean;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly refusal?: string;
  readonly errors?: readonly { readonly parameter: string; readonly code: string }[];
}

const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
const words = [{ type: 'text', text: 'Two' }, image, { type: 'text', text: 'words' }];

/** Results of tools, and the results that the skill extracts from them. */
const answers: readonly (readonly [unknown, object])[] = [
  ...[
    { content: 'hello', id: 7 },
    { content: ['a', 'b'] },
    { content: [null, 1] },
    { content: [{ text: 'no type' }] },
    { content: null },
    { isError: false, id: 7 },
    ['a', { b: 1 }],
    'plain text',
    '12345678901234567890',
    '{ not JSON',
    '"quoted" and more',
  ].map((value) => [value, { ok: true, value }] as const),
  [{ content: words }, { ok: true, value: { content: words }, text: 'Two\nwords' }],
  ...[
    { content: [{ type: 'text', text: 'One' }], structuredContent: { one: 1 } },
    { content: [{ type: 'text', text: 'One' }], isError: false },
  ].map((value) => [value, { ok: true, value, text: 'One' }] as const),
  [
    { content: [{ type: 'text', text: 'Too late' }], isError: true },
    { ok: false, refusal: 'Error', message: 'Too late', errors: [] },
  ],
  [
    { content: 'hello', isError: true },
    { ok: false, refusal: 'Error', message: '{"content":"hello","isError":true}', errors: [] },
  ],
];

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly required: readonly string[] };
}

const [callBlock = '', startBlocks = ''] = blocksOf('3.');
const [startBlock = '', lookBlock = ''] = blocksOf('5.');

const discover = async (page: Page): Promise<readonly Tool[]> =>
  (await run(page, blocksOf('1.')[0] ?? '')) as readonly Tool[];

const call = async (page: Page, name: string, input: object): Promise<Outcome> =>
  (await run(page, filledIn(callBlock, name, input))) as Outcome;

/** Starts a call that the user ends. */
async function start(page: Page, name: string, input: object): Promise<void> {
  await run(page, startBlocks);
  await run(page, filledIn(startBlock, name, input));
}

const look = async (page: Page, name: string): Promise<{ readonly isOver: boolean; readonly outcome?: Outcome }> =>
  (await run(
    page,
    `({ ...${lookBlock.trim().replace(';', '').replaceAll('NAME', name)}, giveUp: undefined })`,
  )) as never;

const site = await openSite();

for (const engine of ['chromium', 'webmcp'] as const) {
  const { label, program } = engines[engine];
  describe(`the skill, followed in ${label}`, { skip: skipWithout(program) }, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openChromium(engine === 'webmcp');
    });
    afterAll(() => browser.close());

    async function open(path: string): Promise<Page> {
      const page = await browser.newPage();
      await page.goto(site + path);
      await prepare(page);
      return page;
    }

    it('lists the tools of a page with their input schemas', async () => {
      const page = await open('reservation.html');
      const tools = await discover(page);
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['book_table', 'check_availability'],
      );
      assert.deepEqual(tools[0]?.inputSchema.required, ['date', 'time', 'name', 'email']);
    });

    it('calls a tool and receives the result', async () => {
      const page = await open('menu.html');
      const { ok, value } = await call(page, 'search_menu', { q: 'leeks' });
      assert.equal(ok, true);
      assert.match(JSON.stringify(value), /Charred leeks/);
    });

    it('preserves results of every shape', async () => {
      const page = await open('restaurant.html');
      await run(
        page,
        `var answers = ${JSON.stringify(answers.map(([answer]) => answer))};
        await document.modelContext.registerTool({
          ...{ name: 'answer', description: 'Answers.', execute: ({ which }) => answers[which] },
          inputSchema: { type: 'object', properties: { which: { type: 'integer' } } },
        });`,
      );
      for (const [which, [answer, outcome]] of answers.entries())
        assert.deepEqual(await call(page, 'answer', { which }), outcome, JSON.stringify(answer));
    });

    it('corrects the input from the errors of a rejected call', async () => {
      const page = await open('reservation.html');
      const refused = await call(page, 'check_availability', { date: openDay(), guests: 40 });
      assert.equal(refused.ok, false);
      assert.deepEqual(
        refused.errors?.map(({ parameter, code }) => `${parameter} ${code}`),
        ['guests range-overflow'],
      );
      assert.equal((await call(page, 'check_availability', { date: openDay(), guests: 4 })).ok, true);
    });

    it('awaits the user and reads the page again', async () => {
      const page = await open('reservation.html');
      await start(page, 'book_table', booking());
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      assert.equal((await look(page, 'book_table')).isOver, false);
      const isOver = (): Promise<boolean> => Promise.resolve(page.url().includes('thanks'));
      await pressApprove(page, page.getByRole('button', { name: 'Approve' }), isOver);
      await page.waitForURL(/thanks/);
      await prepare(page);
      assert.deepEqual(await discover(page), []);
      assert.match(await page.locator('main').innerText(), /Ada Lovelace/);
    });

    it('accepts that the user rejects a call', async () => {
      const page = await open('reservation.html');
      await start(page, 'book_table', booking());
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.waitForFunction("calls['book_table'].isOver");
      const { outcome } = await look(page, 'book_table');
      assert.equal(outcome?.errors?.[0]?.code, 'undone');
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '');
    });

    it('cancels a call', async () => {
      const page = await open('reservation.html');
      await start(page, 'book_table', booking());
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await run(page, "calls['book_table'].giveUp()");
      await page.waitForFunction("calls['book_table'].isOver");
      assert.equal((await look(page, 'book_table')).outcome?.refusal, 'AbortError');
    });

    it('receives toolchange events', async () => {
      const page = await open('restaurant.html');
      for (const block of blocksOf('6.')) await run(page, block);
      await page.evaluate(() => document.querySelector('#newsletter-form')?.remove());
      await page.waitForFunction(() => Reflect.get(window, 'haveToolsChanged') === true);
      assert.deepEqual(await discover(page), []);
    });
  });
}

describe('the skill over an older draft', { skip: skipWithout('chromium') }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium(false);
  });
  afterAll(() => browser.close());

  it('lists the tools of navigator.modelContext where document.modelContext is missing', async () => {
    const page = await browser.newPage();
    await page.goto(`${site}menu.html`);
    await page.evaluate(() => Object.defineProperty(document, 'modelContext', { value: undefined }));
    await prepare(page);
    assert.deepEqual(
      (await discover(page)).map(({ name }) => name),
      ['search_menu'],
    );
    assert.equal((await call(page, 'search_menu', { q: 'leeks' })).ok, true);
  });
});
