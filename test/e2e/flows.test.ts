import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { engines, wantedEngines } from '../../tools/browsers.mjs';
import { skipWithout } from '../../tools/programs.mjs';
import { until } from '../support/until.js';
import { openTab, type Tab } from '../support/e2e/open.js';
import { booking, openSite } from '../support/e2e/site.js';

/** Polls a function in the page until it returns a true value, also across navigations. */
const untilInPage = <Argument, Value>(
  tab: Tab,
  isSo: (argument: Argument) => Value,
  argument: Argument,
): Promise<NonNullable<Awaited<Value>>> => until(() => tab.evaluate(isSo, argument).catch(() => undefined)); // while navigating

/** Polls the tools until one has the given name, because the module of the elements loads later. */
const toolIsThere = (tab: Tab, name: string): Promise<unknown> =>
  untilInPage(
    tab,
    async (wanted) => (await document.modelContext.getTools()).some(({ name }) => name === wanted),
    name,
  );

interface Called {
  readonly value?: unknown;
  readonly name?: string;
  readonly errors?: readonly { readonly parameter: string; readonly code: string }[];
}

/** Calls a tool, and resolves with its result or error. A native browser returns errors as results. */
async function call(tab: Tab, name: string, input: object): Promise<Called> {
  await toolIsThere(tab, name);
  const told = await tab.evaluate(
    async ([wanted, given]) => {
      const tool = (await document.modelContext.getTools()).find(({ name }) => name === wanted);
      if (!tool) throw new Error(`no ${wanted}`);
      try {
        return JSON.stringify({ value: await document.modelContext.executeTool(tool, given) });
      } catch (error) {
        const { name, errors } = error as { name: string; errors?: object[] };
        return JSON.stringify({ name, errors });
      }
    },
    [name, input] as const,
  );
  const called = JSON.parse(told) as Called;
  if (typeof called.value !== 'string') return called;
  try {
    const value = JSON.parse(called.value) as Called & { readonly isError?: true };
    return value?.isError ? value : { value };
  } catch {
    return called;
  }
}

/** Calls a tool that awaits the user. The outcome is stored in `window.outcome`. */
async function begin(tab: Tab, name: string, input: object): Promise<void> {
  await toolIsThere(tab, name);
  await tab.evaluate(
    async ([wanted, given]) => {
      const tool = (await document.modelContext.getTools()).find(({ name }) => name === wanted);
      if (!tool) throw new Error(`no ${wanted}`);
      const tell = (outcome: unknown): boolean => Reflect.set(window, 'outcome', outcome);
      document.modelContext
        .executeTool(tool, given)
        .then(tell, (error: unknown) =>
          tell(JSON.stringify({ name: (error as Error).name, errors: (error as { errors?: unknown }).errors })),
        );
    },
    [name, input] as const,
  );
}

/** The parts of the buttons of the review. */
const hasReview = (tab: Tab): Promise<unknown> =>
  untilInPage(
    tab,
    () =>
      document.querySelector('webmcp-review')?.shadowRoot?.querySelector('[part~=approve]:not([aria-disabled=true])') !=
      null,
    null,
  );

/** Presses the Tab key until the focus is on a part of the review. */
async function tabTo(tab: Tab, part: string, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    const isThere = await tab.evaluate(
      ([name, wanted]) =>
        document.activeElement?.localName === name &&
        document.activeElement.shadowRoot?.activeElement?.getAttribute('part')?.split(' ').includes(wanted),
      ['webmcp-review', part] as const,
    );
    if (isThere) return;
    await tab.press(key);
  }
  throw new Error(`The Tab key does not reach the review's ${part} in ${tab.engine}.`);
}

const site = await openSite();

for (const engine of wantedEngines()) {
  const { label, program } = engines[engine];
  describe(`the demo in ${label}`, { skip: skipWithout(program) }, () => {
    let tab: Tab;
    beforeAll(async () => {
      tab = await openTab(engine);
    });
    afterAll(() => tab.close());

    it('responds to a search of the menu and shows the user the results', async () => {
      await tab.goto(`${site}menu.html`);
      const { value } = await call(tab, 'search_menu', { q: 'leeks' });
      assert.match(JSON.stringify(value), /Charred leeks/);
      assert.match(
        await tab.evaluate(() => document.querySelector('#dishes')?.textContent ?? '', null),
        /Charred leeks/,
      );
    });

    it('reports the errors to the agent and restores the form', async () => {
      await tab.goto(`${site}reservation.html`);
      const { errors } = await call(tab, 'book_table', { ...booking(), guests: 40, time: '12:00' });
      assert.deepEqual(errors?.map(({ parameter, code }) => `${parameter} ${code}`).sort(), [
        'guests range-overflow',
        'time range-underflow',
      ]);
      const name = await tab.evaluate(
        () => document.querySelector<HTMLInputElement>('#booking-form #name')?.value,
        null,
      );
      assert.equal(name, '');
    });

    it('books a table that the user approves by keyboard, and shows it after a reload', async () => {
      await tab.goto(`${site}reservation.html`);
      await begin(tab, 'book_table', booking());
      await hasReview(tab);
      await tabTo(tab, 'approve', 'Shift+Tab');
      await tab.press('Enter');
      await untilInPage(
        tab,
        () => location.pathname.includes('thanks') && document.body.textContent.includes('Ada Lovelace'),
        null,
      );
      const url = await tab.evaluate(() => location.href, null);
      await tab.goto(url);
      assert.match(await tab.evaluate(() => document.body.textContent, null), /Ada Lovelace/);
      await tab.goto(`${site}admin.html`);
      assert.match(await tab.evaluate(() => document.body.textContent, null), /Ada Lovelace/);
    });

    it('books nothing if the user undoes the call, and reports that to the agent', async () => {
      await tab.goto(`${site}reservation.html`);
      await begin(tab, 'book_table', { ...booking(), name: 'Nobody' });
      await hasReview(tab);
      await tabTo(tab, 'undo', 'Shift+Tab');
      await tab.press('Enter');
      const outcome = await untilInPage(tab, () => Reflect.get(window, 'outcome') as string, null);
      assert.match(outcome, /"undone"/);
      await tab.goto(`${site}admin.html`);
      assert.doesNotMatch(await tab.evaluate(() => document.body.textContent, null), /Nobody/);
    });

    it('registers forms without annotations through <webmcp-tool>', async () => {
      await tab.goto(`${site}admin.html`);
      const reference = await tab.evaluate(() => {
        const rows = [...document.querySelectorAll('tr')].map(({ textContent }) => textContent);
        return /LUME-\w{6}/.exec(rows.find((row) => row.includes('booked')) ?? '')?.[0] ?? '';
      }, null);
      await begin(tab, 'cancel_booking', { bk_ref: reference, memo: 'The guest called.' });
      await hasReview(tab);
      await tabTo(tab, 'approve', 'Tab');
      await tab.press('Enter');
      await untilInPage(tab, () => location.search.includes('done'), null);
      await untilInPage(
        tab,
        (wanted) => {
          const rows = [...document.querySelectorAll('tr')].map(({ textContent }) => textContent);
          return rows.some((row) => row.includes(wanted) && /cancel/i.test(row));
        },
        reference,
      );
    });

    it('registers tools without forms', async () => {
      await tab.goto(`${site}components.html`);
      await call(tab, 'plan_tables', { guests: 10 });
      assert.match(await tab.evaluate(() => document.querySelector('#converted')?.textContent ?? '', null), /10/);
    });

    it('updates the state of forms rendered by React and Vue', async () => {
      await tab.goto(`${site}frameworks.html`);
      const { value } = await call(tab, 'buy_voucher', { recipient: 'Grace', amount: 60 });
      assert.match(JSON.stringify(value), /Grace/);
    });
  });
}
