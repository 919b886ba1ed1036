import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import type { Browser } from 'playwright-core';
import type { Plugin } from 'vite';
import type { WebmcpFormsOptions } from '../../src/vite/index.js';
import { skipWithout } from '../../tools/programs.mjs';
import { toolForm } from '../support/cli/running.js';
import { until } from '../support/until.js';
import { change, closeAll, fetchManifest, launch, majors, makeSite, serve } from '../support/vite/sites.js';

const search =
  '<form action="/search"><label>Title <input name=q type=search></label><button>Search books</button></form>';
const login =
  '<form method=post action=/login><label>User <input name=user></label><label>Password <input type=password name=p></label><button>Log in</button></form>';
const page = (...forms: string[]): string => `<!doctype html>\n<title>Shop</title>\n${forms.join('\n')}\n`;
const suggested = /shop\/order\.html:3:1 form-without-tool: [^\n]*toolname="search_books"[^\n]*\n/;

const [, newest] = majors.at(-1)!;

describe('webmcpForms with suggestions in the dev server', { skip: skipWithout('chromium') }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(closeAll);
  afterAll(() => browser.close());

  /** Starts a server whose information in the log is collected. */
  async function start(options: WebmcpFormsOptions, vite = newest) {
    const infos: string[] = [];
    const log: Plugin = {
      name: 'log',
      configResolved: ({ logger }) => void (logger.info = (text) => void infos.push(text)),
    };
    const root = await makeSite({ 'shop/order.html': page(search, login) });
    const server = await serve(vite, root, { options, plugins: [log] });
    await fetchManifest(server.url);
    return { ...server, root, log: () => infos.filter((text) => text.includes('form-without-tool')).join('\n') };
  }

  it('forms without annotations are not mentioned by default', async () => {
    const { log, warnings } = await start({});
    assert.deepEqual([log(), warnings], ['', []]);
  });

  it('suggest names a tool in the log, at its place in the source file, until it is annotated', async () => {
    const { log, root, url, warnings } = await start({ suggest: true });
    assert.match(log(), suggested);
    assert.match(log(), /order\.html:4:1 form-without-tool: [^\n]*It is a login, which a person should submit/);
    await change(root, { 'shop/order.html': page('', search.replace('books', 'maps'), login) });
    await until(() => /order\.html:4:1 [^\n]*toolname="search_maps"/.test(log()));
    const before = log().length;
    await change(root, {
      'shop/order.html': page(
        toolForm('order_book'),
        `<!-- webmcp-forms-disable-next-line form-without-tool -->\n${login}`,
      ),
    });
    await until(async () => JSON.stringify(await fetchManifest(url)).includes('order_book'));
    assert.deepEqual([log().length, warnings], [before, []]);
  });

  for (const [name, vite] of majors)
    it(`${name}: suggest "overlay" shows suggestions in the log and the overlay, but there not for forms that a person should submit`, async () => {
      const { log, root, url } = await start({ suggest: 'overlay' }, vite);
      assert.match(log(), suggested);
      const opened = await browser.newPage();
      await opened.goto(url);
      const overlay = opened.locator('vite-error-overlay');
      await overlay.waitFor({ state: 'attached' });
      const text = await overlay.locator('.message-body').textContent();
      assert.match(text ?? '', /toolname="search_books"/);
      assert.doesNotMatch(text ?? '', /a login/);
      assert.match(
        (await overlay.locator('.file').first().textContent()) ?? '',
        new RegExp(`${join('shop', 'order.html')}:3`),
      );
      await change(root, { 'shop/order.html': page(login) });
      await overlay.waitFor({ state: 'detached' });
      await opened.close();
    });
});
