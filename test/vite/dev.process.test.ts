import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import type { Plugin } from 'vite';
import type { Manifest } from '../../src/build.js';
import { toolForm } from '../support/cli/running.js';
import { skipWithout } from '../../tools/programs.mjs';
import { until } from '../support/until.js';
import { openChromium } from '../support/e2e/open.js';
import {
  change,
  closeAll,
  closeLater,
  fetchManifest,
  majors,
  makeSite,
  serve,
  toolsOf,
  urlOf,
} from '../support/vite/sites.js';

const shopTools = { 'help.html': ['ask'], 'index.html': ['find_books'], 'shop/order.html': ['order_book'] };
const broken = '<!doctype html>\n<form toolname="order book" tooldescription="d"><button>Go</button></form>';
const tools = async (url: string) => toolsOf(await fetchManifest(url));

async function open(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  closeLater(() => page.close());
  await page.goto(url);
  await page.waitForFunction(() => 'updates' in globalThis);
  return page;
}

const updatesOf = (page: Page): Promise<readonly { path: string; page: { tools: readonly unknown[] } | null }[]> =>
  page.evaluate(() => (globalThis as unknown as { updates: [] }).updates);

for (const [name, vite] of majors) {
  describe(`webmcpForms in the dev server of ${name}`, { skip: skipWithout('chromium') }, () => {
    let browser: Browser;
    beforeAll(async () => (browser = await openChromium(false)));
    afterEach(closeAll);
    afterAll(() => browser.close());

    it(`${name}: the dev server serves the manifest below the base before a page is requested`, async () => {
      const { url } = await serve(vite, await makeSite(), { config: { base: '/sub/' } });
      assert.match(url, /\/sub\/$/);
      const response = await fetch(`${url}webmcp.json?x`);
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.deepEqual(await tools(url), shopTools);
      assert.equal(await (await fetch(`${url}webmcp.json`, { method: 'HEAD' })).text(), '');
      const outside = await fetch(url.replace('/sub/', '/webmcp.json'));
      assert.ok(!(outside.headers.get('content-type') ?? '').includes('json'));
    });

    it(`${name}: the manifest of the dev server has the pages as other plugins transform them`, async () => {
      const rename: Plugin = {
        name: 'rename',
        transformIndexHtml: (html) => html.replace('find_books', 'find_magazines'),
      };
      const { url } = await serve(vite, await makeSite(), { plugins: [rename] });
      assert.deepEqual((await tools(url))['index.html'], ['find_magazines']);
    });

    it(`${name}: the manifest of the dev server has virtual pages that were served`, async () => {
      const virtual: Plugin = {
        name: 'virtual',
        configureServer(server) {
          server.middlewares.use('/made/', (_, response) => {
            void server.transformIndexHtml('/made/', toolForm('made')).then((html) => response.end(html));
          });
        },
      };
      const { url } = await serve(vite, await makeSite(), { plugins: [virtual] });
      assert.deepEqual(await tools(url), shopTools);
      await (await fetch(`${url}made/`)).text();
      assert.deepEqual(await tools(url), { ...shopTools, 'made/index.html': ['made'] });
    });

    it(`${name}: virtual pages have normalized paths below the base, and are removed when a file changes`, async () => {
      const root = await makeSite();
      const virtual: Plugin = {
        name: 'virtual',
        configureServer(server) {
          server.middlewares.use('/app/dyn', (request, response) => {
            const { originalUrl = '' } = request as { originalUrl?: string };
            void server.transformIndexHtml(originalUrl, toolForm('made')).then((html) => response.end(html));
          });
        },
      };
      const { url } = await serve(vite, root, { plugins: [virtual], config: { base: '/app/' } });
      await (await fetch(`${url}dyn`)).text();
      await (await fetch(`${url}dyn/..%2fb?c`)).text();
      assert.deepEqual(await tools(url), { ...shopTools, dyn: ['made'], b: ['made'] });
      await change(root, { 'part.txt': '' });
      await until(async () => Object.keys(await tools(url)).length === 3);
      await (await fetch(`${url}dyn`)).text();
      assert.deepEqual(await tools(url), { ...shopTools, dyn: ['made'] });
    });

    it(`${name}: the dev server skips unreadable pages with a warning until they are readable`, async () => {
      const root = await makeSite({ 'public/a.html': Uint8Array.of(0xe4, 0), 'public/z.html': toolForm('last') });
      await symlink(join(root, 'nowhere'), join(root, 'public/b.html'));
      const { url, warnings } = await serve(vite, root);
      assert.deepEqual(await tools(url), { ...shopTools, 'z.html': ['last'] });
      assert.match(warnings.join('\n'), /a\.html is not in the manifest: [^]*a\.html: The page has null characters/);
      assert.match(warnings.join('\n'), /b\.html is not in the manifest: [^]*b\.html, a symbolic link: no such file/);
      await change(root, { 'public/a.html': toolForm('first') });
      await until(async () => 'a.html' in (await tools(url)));
      await change(root, { 'public/z.html': Uint8Array.of(0xe4, 0) });
      await until(async () => !('z.html' in (await tools(url))));
    });

    it(`${name}: the dev server decodes the URL of the manifest, and survives an invalid URL`, async () => {
      const { url } = await serve(vite, await makeSite(), { options: { manifest: 'my manifest.json' } });
      const response = await fetch(`${url}my%20manifest.json`);
      assert.deepEqual(toolsOf((await response.json()) as Manifest), shopTools);
      assert.ok((await fetch(`${url}%ff`)).status < 600);
    });

    it(`${name}: an edit of a page updates the manifest and sends an event to the clients`, async () => {
      const root = await makeSite();
      const { url } = await serve(vite, root);
      assert.deepEqual(await tools(url), shopTools);
      const page = await open(browser, url);
      const order = await readFile(join(root, 'shop/order.html'), 'utf8');
      await change(root, { 'shop/order.html': order.replace('order_book', 'order_map') });
      await until(async () => (await tools(url))['shop/order.html']?.[0] === 'order_map');
      await until(async () => (await updatesOf(page)).length > 0);
      const updates = await updatesOf(page);
      assert.deepEqual(
        updates.map(({ path }) => path),
        ['shop/order.html'],
      );
      await change(root, { 'public/help.html': toolForm('help_me') });
      await until(async () => (await tools(url))['help.html']?.[0] === 'help_me');
    });

    it(`${name}: the manifest has the last content of a page that is written twice within 50 ms`, async () => {
      const root = await makeSite();
      const config = { server: { watch: {} } }; // no polling, because its events depend on the time
      const { server, url } = await serve(vite, root, { config });
      await fetchManifest(url);
      const noticed = once(server.watcher, 'change');
      await change(root, { 'shop/order.html': toolForm('first') });
      await noticed;
      await fetchManifest(url);
      await change(root, { 'shop/order.html': toolForm('second') });
      await until(async () => (await tools(url))['shop/order.html']?.[0] === 'second');
    });

    it(`${name}: the manifest of the dev server follows a page that is deleted and restored`, async () => {
      const root = await makeSite();
      const { url } = await serve(vite, root);
      const page = await open(browser, url);
      const order = await readFile(join(root, 'shop/order.html'), 'utf8');
      await tools(url);
      await rm(join(root, 'shop/order.html'));
      await until(async () => !('shop/order.html' in (await tools(url))));
      await until(async () => (await updatesOf(page)).some((update) => update.page === null));
      await change(root, { 'shop/order.html': order });
      await until(async () => 'shop/order.html' in (await tools(url)));
    });

    it(`${name}: the dev server reads pages again when a file that is not a module changes`, async () => {
      const root = await makeSite({ 'part.txt': 'find_books' });
      const part: Plugin = {
        name: 'part',
        transformIndexHtml: async (html) => html.replace('find_books', await readFile(join(root, 'part.txt'), 'utf8')),
      };
      const { url } = await serve(vite, root, { plugins: [part] });
      assert.deepEqual(await tools(url), shopTools);
      const page = await open(browser, url);
      await change(root, { 'part.txt': 'find_plays' });
      await until(async () => (await updatesOf(page)).some(({ path }) => path === 'index.html'));
      await until(async () => (await tools(url))['index.html']?.[0] === 'find_plays');
    });

    it(`${name}: the dev server reports an error of another plugin, and keeps the previous page`, async () => {
      const root = await makeSite();
      const failing: Plugin = {
        name: 'failing',
        transformIndexHtml(html) {
          if (html.includes('order_map')) throw new Error('no maps');
        },
      };
      const { url, warnings } = await serve(vite, root, { plugins: [failing] });
      assert.deepEqual(await tools(url), shopTools);
      const order = await readFile(join(root, 'shop/order.html'), 'utf8');
      await change(root, { 'shop/order.html': order.replace('order_book', 'order_map') });
      await until(() => warnings.some((text) => text.includes('no maps')));
      assert.deepEqual(await tools(url), shopTools);
    });

    it(`${name}: strict shows an author mistake in the overlay until it is corrected`, async () => {
      const root = await makeSite();
      const { url, warnings } = await serve(vite, root, { options: { strict: true } });
      await tools(url);
      const page = await open(browser, url);
      await change(root, { 'shop/order.html': broken });
      await until(() => warnings.length > 0);
      assert.match(warnings.join('\n'), /shop\/order\.html:2:1 invalid-tool-name: [^]*\n2 \| <form/);
      await page.waitForSelector('vite-error-overlay', { state: 'attached' });
      assert.equal((await fetch(`${url}shop/order.html`)).status, 200);
      await page.reload();
      await page.waitForSelector('vite-error-overlay', { state: 'attached' });
      await change(root, { 'shop/order.html': toolForm('order_book') });
      await page.waitForSelector('vite-error-overlay', { state: 'detached' });
      assert.equal(warnings.length, 1);
    });

    it(`${name}: the dev server serves the manifest after a restart`, async () => {
      const root = await makeSite();
      const { server, url, untilWatching } = await serve(vite, root);
      assert.deepEqual(await tools(url), shopTools);
      await server.restart();
      await untilWatching();
      const restarted = urlOf(server);
      assert.deepEqual(await tools(restarted), shopTools);
      const order = await readFile(join(root, 'shop/order.html'), 'utf8');
      await change(root, { 'shop/order.html': order.replace('order_book', 'order_map') });
      await until(async () => (await tools(restarted))['shop/order.html']?.[0] === 'order_map');
    });

    it(`${name}: the manifest of the dev server has a page outside the root`, async () => {
      const root = await makeSite({ 'index.html': toolForm('outer') });
      const { url } = await serve(vite, root, { config: { root: join(root, 'shop') } });
      assert.deepEqual(
        Object.values(await tools(url))
          .flat()
          .sort(),
        ['order_book', 'outer'],
      );
    });
  });
}
