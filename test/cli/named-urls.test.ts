import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { Manifest } from '../../src/build.js';
import { makeFolder, runInProcess } from '../support/cli/running.js';
import { pagesOf, startSite, toolPage, type SiteServer } from '../support/crawl/site-server.js';

const plainForm = '<title>Search</title><form><label>Words <input name="q"></label><button>Search</button></form>';

/** A site with pages, an error, a page that never responds and one that is not HTML. */
const startShop = (): Promise<SiteServer> =>
  startSite((request, response) => {
    if (request.url === '/slow') return undefined;
    return pagesOf({
      '/': toolPage('home', '/gone'),
      '/plain': plainForm,
      '/data': { headers: { 'content-type': 'application/json' }, body: '{}' },
    })(request, response);
  });

const findingsOf = (manifest: string): readonly (readonly unknown[])[] =>
  (JSON.parse(manifest) as Manifest).pages.map(({ path, tools, diagnostics }) => [
    path,
    tools.length,
    ...diagnostics.map(({ code, message }) => `${code}: ${message}`),
  ]);

describe('a named URL that cannot be read', () => {
  it('is one finding of compile, which writes the other pages and exits with 1', { tags: 'long' }, async () => {
    const cwd = await makeFolder({ 'about.html': toolPage('about') });
    const { origin } = await startShop();
    const urls = ['/gone', '/', '/slow', '/data'].map((path) => origin + path);
    const args = ['compile', '--timeout', '3', '--out', 'webmcp.json', 'about.html', ...urls];
    const { code, stderr } = await runInProcess(args, { cwd });
    assert.equal(code, 1, stderr);
    assert.deepEqual(findingsOf(readFileSync(join(cwd, 'webmcp.json'), 'utf8')), [
      ['/', 1],
      ['/data', 0, 'unreadable-page: Cannot read the page: its type is application/json, not HTML.'],
      ['/gone', 0, 'unreadable-page: Cannot read the page: the status is 404.'],
      [
        '/slow',
        0,
        'unreadable-page: Cannot read the page: it did not respond within 3 s. Increase --timeout, or try again later.',
      ],
      ['about.html', 1],
    ]);
    assert.deepEqual(
      stderr.split('\n').filter((line) => line.includes('/gone')),
      [`${origin}/gone error unreadable-page Cannot read the page: the status is 404.`],
    );
  });

  it('is one finding of lint, and one of annotate, which suggests annotations for the other pages', async () => {
    const cwd = await makeFolder();
    const { origin } = await startShop();
    const urls = [`${origin}/plain`, `${origin}/gone`];
    const linted = await runInProcess(['lint', ...urls], { cwd });
    assert.equal(linted.code, 1);
    assert.match(linted.stdout, /^http:\S+\/gone error unreadable-page Cannot read the page: the status is 404\./m);
    const annotated = await runInProcess(['annotate', ...urls], { cwd });
    assert.equal(annotated.code, 1);
    assert.match(annotated.stdout, /\+.*toolname="search/);
    assert.match(annotated.stderr, /^http:\S+\/gone Cannot read the page: the status is 404\.$/m);
    assert.match(annotated.stderr, /1 file not read$/m);
  });

  it('ends the run if no page can be read, and each URL has its reason', async () => {
    const cwd = await makeFolder();
    const { origin } = await startShop();
    const args = ['compile', '--out', 'webmcp.json', `${origin}/gone`, `${origin}/data`];
    const { code, stderr } = await runInProcess(args, { cwd });
    assert.equal(code, 2);
    assert.deepEqual(stderr.split('\n'), [
      `webmcp-forms: Skipped ${origin}/data: its type is application/json, not HTML.`,
      `webmcp-forms: Cannot read ${origin}/gone: the status is 404.`,
      '',
    ]);
    assert.ok(!existsSync(join(cwd, 'webmcp.json')));
  });

  it(
    'makes compile write nothing if the failure may be temporary and the links of the page would be followed',
    { tags: 'long' },
    async () => {
      const cwd = await makeFolder();
      const { origin } = await startShop();
      const args = ['compile', '--timeout', '3', '--out', 'webmcp.json', `${origin}/slow`, `${origin}/`];
      const following = await runInProcess([...args, '--depth', '1'], { cwd });
      assert.equal(following.code, 2);
      assert.match(following.stderr, /Skipped http:\S+\/slow: it did not respond within 3 s/);
      assert.match(following.stderr, /so nothing is written/);
      assert.ok(!existsSync(join(cwd, 'webmcp.json')));
      assert.equal((await runInProcess([...args, '--depth', '1', '--allow-partial'], { cwd })).code, 1);
      assert.deepEqual(
        findingsOf(readFileSync(join(cwd, 'webmcp.json'), 'utf8')).map(([path]) => path),
        ['/', '/slow'],
      );
    },
  );
});

describe('the encoding of a form of a served page', () => {
  it('is the encoding of the response, unless that is UTF-8', async () => {
    const cwd = await makeFolder();
    const pageIn = (charset: string) => ({
      headers: { 'content-type': `text/html; charset=${charset}` },
      body: toolPage(charset.replace('-', '_')),
    });
    const { origin } = await startSite(pagesOf({ '/a': pageIn('koi8-r'), '/b': pageIn('utf-8') }));
    const { stdout } = await runInProcess(['compile', `${origin}/a`, `${origin}/b`], { cwd });
    const tools = (JSON.parse(stdout) as Manifest).pages.flatMap((page) => page.tools);
    assert.deepEqual(
      tools.map(({ name, form }) => [name, form?.encoding]),
      [
        ['koi8_r', 'koi8-r'],
        ['utf_8', undefined],
      ],
    );
  });
});

describe('the language of a tool of a served page', () => {
  it('is the Content-Language of the response, unless the page declares one or the header names several', async () => {
    const cwd = await makeFolder();
    const pageIn = (language: string, body: string) => ({
      headers: { 'content-type': 'text/html', 'content-language': language },
      body,
    });
    const { origin } = await startSite(
      pagesOf({
        '/de': pageIn('de-AT', toolPage('german')),
        '/own': pageIn('de', toolPage('french').replace('<form', '<form lang="fr"')),
        '/many': pageIn('de, en', toolPage('unknown')),
      }),
    );
    const { stdout } = await runInProcess(['compile', ...['/de', '/own', '/many'].map((path) => origin + path)], {
      cwd,
    });
    const tools = (JSON.parse(stdout) as Manifest).pages.flatMap((page) => page.tools);
    assert.deepEqual(
      tools.map(({ name, lang }) => [name, lang]),
      [
        ['german', 'de-AT'],
        ['unknown', undefined],
        ['french', 'fr'],
      ],
    );
  });
});
