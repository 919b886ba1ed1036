import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import type { Plugin } from 'vite';
import type { WebmcpFormsOptions } from '../../src/vite/index.js';
import { skipWithout } from '../../tools/programs.mjs';
import { toolForm } from '../support/cli/running.js';
import { until } from '../support/until.js';
import { openChromium } from '../support/e2e/open.js';
import { change, closeAll, fetchManifest, majors, makeSite, serve } from '../support/vite/sites.js';

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
    browser = await openChromium(false);
  });
  afterEach(closeAll);
  afterAll(() => browser.close());

  /** Starts a server whose information in the log is collected. */
  async function start(options: WebmcpFormsOptions, vite = newest, base = '/') {
    const infos: string[] = [];
    const log: Plugin = {
      name: 'log',
      configResolved: ({ logger }) => void (logger.info = (text) => void infos.push(text)),
    };
    const root = await makeSite({ 'shop/order.html': page(search, login) });
    const server = await serve(vite, root, { options, plugins: [log], config: { base } });
    await fetchManifest(server.url);
    return { ...server, root, log: () => infos.filter((text) => text.includes('form-without-tool')).join('\n') };
  }

  /** Opens the page of the suggestions, and waits for its panel. */
  async function openPage(url: string): Promise<Page> {
    const opened = await browser.newPage();
    await opened.goto(`${url}shop/order.html`);
    await opened.locator('webmcp-forms-panel').waitFor({ state: 'attached' });
    return opened;
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

  it('each finding is logged once, also if a page is served several times', async () => {
    const { log, url, root, warnings } = await start({ suggest: true });
    for (const path of ['shop/order.html', 'shop/order.html?a', ''])
      await (await fetch(url + path, { headers: { connection: 'close', accept: 'text/html' } })).text();
    await change(root, { 'shop/order.html': page('<p>New</p>', search, '<form toolname=a></form>') });
    await until(() => warnings.length > 0);
    assert.equal(log().match(/toolname="search_books"/g)?.length, 1, log());
    assert.equal(new Set(warnings).size, warnings.length);
  });

  for (const [name, vite] of majors)
    it(`${name}: suggest "overlay" shows suggestions in the log and, except for forms that a person should submit, in a panel`, async () => {
      const { log, root, url } = await start({ suggest: 'overlay' }, vite);
      assert.match(log(), suggested);
      const opened = await openPage(url);
      assert.equal(await heading(opened), '1 form without annotations');
      assert.deepEqual(
        [await textIn(opened, '.place'), await textIn(opened, '.title'), await textIn(opened, 'code')],
        [
          'shop/order.html:3:1',
          'search_books',
          'toolname="search_books" tooltitle="Search for books" tooldescription="Searches for books with the given words and shows the results." toolautosubmit',
        ],
      );
      assert.equal(await opened.locator('vite-error-overlay').count(), 0);
      await change(root, { 'shop/order.html': page(login) });
      await until(async () => (await opened.locator('webmcp-forms-panel').count()) === 0);
    });

  it('Apply writes the annotations into the source file, and the panel is gone', async () => {
    const { root, url } = await start({ suggest: 'overlay' });
    const opened = await openPage(url);
    await press(opened, 'Apply');
    await until(async () => (await readFile(join(root, 'shop/order.html'), 'utf8')).includes('toolname'));
    const written = await readFile(join(root, 'shop/order.html'), 'utf8');
    assert.equal(
      written,
      page(
        search.replace(
          '<form',
          '<form toolname="search_books" tooltitle="Search for books" tooldescription="Searches for books with the given words and shows the results." toolautosubmit',
        ),
        login,
      ),
    );
    await until(async () => (await opened.locator('webmcp-forms-panel').count()) === 0);
  });

  it('Apply also writes the annotations on a server with a base URL', async () => {
    const { root, url } = await start({ suggest: 'overlay' }, newest, '/base/');
    const opened = await openPage(url);
    await press(opened, 'Apply');
    await until(async () => (await readFile(join(root, 'shop/order.html'), 'utf8')).includes('toolname'));
    await opened.close();
  });

  it('Copy copies the attributes, and Hide is remembered on the next page', async () => {
    const { url } = await start({ suggest: 'overlay' });
    const opened = await openPage(url);
    await opened.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(opened, 'Copy');
    await until(async () => (await textIn(opened, '.status')) === 'Copied.');
    assert.match(String(await opened.evaluate('navigator.clipboard.readText()')), /^toolname="search_books" /);
    await press(opened, 'Hide');
    assert.equal(await textIn(opened, 'button'), '1 form without annotations');
    await opened.reload();
    await until(async () => (await textIn(opened, 'button')) === '1 form without annotations');
    await press(opened, '1 form without annotations');
    assert.equal(await heading(opened), '1 form without annotations');
  });

  it('the panel shows the text of a form, not its markup', async () => {
    const hostile =
      '<form toolname="find_books" tooldescription="Finds books by title."><label>&lt;img src=x&gt; <input /></label></form>';
    const root = await makeSite({
      'shop/order.html': page('<script type="module" src="./find.jsx"></script>'),
      'shop/find.jsx': `/** @jsxRuntime classic */\nexport const Find = () => ${hostile};\n`,
    });
    const { url } = await serve(newest, root, { options: { suggest: 'overlay' } });
    const opened = await openPage(url);
    assert.match(await textIn(opened, 'ul'), /The control "<img src=x>" has no name/);
    assert.equal(await opened.locator(`${panel} img`).count(), 0);
  });

  it('only the panel of the page itself can write a file, and only the file of a suggestion', async () => {
    const { root, url } = await start({ suggest: 'overlay' });
    const opened = await openPage(url);
    const { origin, pathname } = new URL(url);
    const module = await (await fetch(`${url}@id/virtual:webmcp-forms/panel`)).text();
    const token = /"token":\s*"([\w-]{43})"/.exec(module)?.[1] ?? '';
    assert.notEqual(token, '');
    const send = async (headers: Readonly<Record<string, string>>, body = '{"id":"1"}'): Promise<number> => {
      const own = { origin, 'content-type': 'application/json', 'x-webmcp-forms-token': token, connection: 'close' };
      const target = `${origin}${pathname}@webmcp-forms/apply`;
      return (await fetch(target, { method: 'POST', headers: { ...own, ...headers }, body })).status;
    };
    const before = await readFile(join(root, 'shop/order.html'), 'utf8');
    for (const headers of [
      { origin: 'http://localhost:1' },
      { origin: 'null' },
      { origin: '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'x-webmcp-forms-token': '' },
      { 'x-webmcp-forms-token': 'a'.repeat(43) },
      { 'content-type': 'text/plain' },
    ])
      assert.equal(await send(headers), 403, JSON.stringify(headers));
    for (const body of [
      '',
      '{}',
      '{"id":"99"}',
      '{"id":{"file":"/etc/passwd"}}',
      '{"id":"__proto__"}',
      `{"id":"${'a'.repeat(5000)}"}`,
    ])
      assert.equal(await send({}, body), 404, body.slice(0, 40));
    for (const [method, path] of [
      ['GET', '@id/virtual:webmcp-forms/panel'],
      ['POST', '@webmcp-forms/apply'],
    ] as const)
      assert.equal(await statusForHost('evil.example', `${url}${path}`, method, token), 403, method);
    assert.equal(await readFile(join(root, 'shop/order.html'), 'utf8'), before);
    await opened.close();
  });

  it('the panel has no Apply for a form that lint would report', async () => {
    const { root, url } = await start({ suggest: 'overlay' });
    const faulty = '<form action="/a"><h2>Contact</h2><label>Message <input name="m"></label></form>';
    await change(root, { 'shop/order.html': page(faulty) });
    const opened = await openPage(url);
    await until(async () => /send_message|contact/.test(await textIn(opened, 'ul')));
    assert.equal(await opened.locator(`${panel} .primary`).count(), 0);
  });

  it('unnamed controls in components are warnings in the log and in the panel, and Apply annotates components', async () => {
    const jsx = (form: string): string =>
      `/** @jsxRuntime classic */\nexport const Find = ({ value }) => (\n  ${form}\n);\n`;
    const nameless =
      '<form toolname="find_books" tooldescription="Finds books by title."><label>Title <input value={value} /></label><button>Find</button></form>';
    const plain =
      '<form action="/search"><label>Title <input name="q" type="search" /></label><button>Search films</button></form>';
    const root = await makeSite({
      'shop/order.html': page('<script type="module" src="./main.js"></script>'),
      'shop/main.js': "import './find.jsx';\nimport './films.jsx';\n",
      'shop/find.jsx': jsx(nameless),
      'shop/films.jsx': jsx(plain),
    });
    const { url, warnings } = await serve(newest, root, { options: { suggest: 'overlay' } });
    const opened = await openPage(url);
    await until(async () => (await heading(opened)) === '1 form without annotations, 1 warning');
    assert.deepEqual(
      warnings.filter((text) => text.includes('missing-parameter-name')).map((text) => text.split('\n')[0]),
      [
        'webmcp-forms: shop/find.jsx:3:3 missing-parameter-name: The control "Title" has no name, so it is not a parameter, and the tool has none. Add a name to it, also if a script reads the value.',
      ],
    );
    await press(opened, 'Apply');
    await until(async () => (await readFile(join(root, 'shop/films.jsx'), 'utf8')).includes('toolname="search_films"'));
  });
});

/** The status of a request of a page whose host name leads to this server. */
const statusForHost = (host: string, url: string, method: string, token: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const own = { 'content-type': 'application/json', 'x-webmcp-forms-token': token };
    const sent = request(url, { method, headers: { ...own, host, origin: `http://${host}` } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end(method === 'POST' ? '{"id":"1"}' : undefined);
  });

const panel = 'webmcp-forms-panel';

const textIn = async (opened: Page, selector: string): Promise<string> =>
  (await opened.locator(`${panel} ${selector}`).first().textContent()) ?? '';

const heading = (opened: Page): Promise<string> => textIn(opened, 'h2');

const press = (opened: Page, label: string): Promise<void> =>
  opened.locator(`${panel} button`, { hasText: label }).first().click();
