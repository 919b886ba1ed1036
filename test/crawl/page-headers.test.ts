import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'vitest';
import { submitForm } from '../../gateway/src/index.js';
import { createNodeFetch } from '../../src/http/node-fetch.js';
import { compileHtml, readSite } from '../../src/build.js';
import { redirectTo, startSite, toolPage } from '../support/crawl/site-server.js';

const formOf = (referer: string): string =>
  `<form toolname="save_item" tooldescription="Saves an item of the shop." method="post">
  <input type="hidden" name="back_url" value="${referer}"><label>Title <input name="title"></label><button>Save</button></form>`;

/** A site that demands a Referer, as Request Tracker does, and writes it into the form, as Redmine does. */
const startTracker = (): ReturnType<typeof startSite> =>
  startSite(({ url, method, headers: { referer } }) => {
    if (url === '/robots.txt') return { status: 404 };
    if (url === '/') return toolPage('home', '/item');
    if (url === '/old') return redirectTo('/item');
    if (method === 'POST') return '<p role="status">Saved</p>';
    return referer === undefined ? '<h1>Possible cross-site request forgery</h1>' : formOf(referer);
  });

/** The headers of a request, except those that depend on its connection. */
const shown = ({ host: _, connection: __, ...headers }: IncomingHttpHeaders): object => headers;

describe('the headers of a page', () => {
  it('are the same as in a call of the gateway, so that the site sends the same page', async () => {
    for (const [path, depth] of [
      ['/item', 0],
      ['/old', 0],
      ['/', 1],
    ] as const) {
      const site = await startTracker();
      const { pages } = await readSite([`${site.origin}${path}`], { depth });
      const page = pages.find((each) => each.path === '/item');
      assert.ok(page);
      const [tool] = compileHtml(await page.read(), { path: page.path }).tools;
      assert.ok(tool);
      const compiled = site.headers[site.requests.lastIndexOf('GET /item')];
      const answer = await submitForm({
        tool,
        pageUrl: `${site.origin}/item`,
        input: { title: 'Tea' },
        allowPrivateAddresses: true,
        fetch: createNodeFetch({ allowPrivateAddresses: true }),
      });
      assert.match(JSON.stringify(answer), /Saved/);
      assert.deepEqual(site.requests.slice(-2), ['GET /item', 'POST /item']);
      const called = site.headers.at(-2);
      assert.ok(compiled && called);
      assert.deepEqual(shown(called), shown(compiled));
    }
  });
});
