import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, it, type TestContext } from 'vitest';
import { runInProcess } from '../../../support/cli/running.js';
import type { GatewayManifest } from '../../../../gateway/src/manifest.js';
import { openSite, type Site } from '../../../support/gateway/recording.js';
import { envelopeOf, post, serveWebtool } from '../../../support/gateway/webtool-site.js';

const docs = readFileSync(new URL('../../../../docs/reference/gateway/applications.md', import.meta.url), 'utf8');
const [, script = ''] = /```js\n(\/\/ fetch-pages\.mjs\n[^]*?)```/.exec(docs) ?? [];

const wikiPage = (id: string, token: string): string => `<title>${id} [Wiki]</title>
  <form id=edit method=post action="/doku.php?id=${id}&do=save">
    <input type=hidden name=token value=${token}><textarea name=text></textarea></form>
  <webmcp-tool for=edit name=edit_page description="Edits the page."></webmcp-tool>`;
const login = '<form method=post action=/login><input name=user><input type=password name=pw></form>';

/** A wiki whose pages differ in their queries, and require a cookie. */
async function openWiki(t: TestContext): Promise<Site> {
  const site = await openSite(({ url, headers, method }, response) => {
    const { searchParams, pathname } = new URL(url, 'http://wiki.example');
    response.setHeader('content-type', 'text/html');
    if (pathname === '/login') return response.end(login);
    if (!headers.cookie?.includes('sid=me')) return response.writeHead(302, { location: '/login' }).end();
    if (method === 'POST') return response.end('<p>Saved.');
    if (pathname !== '/doku.php' || searchParams.get('do') !== 'edit') return response.writeHead(404).end('<p>None.');
    return response.end(wikiPage(searchParams.get('id') ?? '', `t${Math.random()}`));
  });
  t.onTestFinished(site.close);
  return site;
}

/** Runs the script of the documentation for these pages, then compiles and merges its output. */
async function compileFetched({ origin }: Site, paths: readonly string[], cookie: string) {
  const source = script
    .replace('https://shop.example/', `${origin}/`)
    .replace(/const paths = .*/, `const paths = ${JSON.stringify(paths)};`);
  const args = ['--input-type=module', '--eval', source];
  const env = { ...process.env, SITE_COOKIE: cookie };
  const { stdout: records } = await promisify(execFile)(process.execPath, args, { env });
  const compiled = await runInProcess(['compile', '--ndjson'], { cwd: '/', stdin: [records] });
  assert.equal(compiled.code, 0, compiled.stderr);
  const options = ['--name=wiki', '--manifest-version=1.0.0'];
  const { stdout } = await runInProcess(['merge', ...options], { cwd: '/', stdin: [compiled.stdout] });
  return { manifest: JSON.parse(stdout) as GatewayManifest, stderr: compiled.stderr };
}

const paths = ['doku.php?id=start&do=edit', 'doku.php?id=wiki:syntax&do=edit'];

describe('pages that are fetched as docs/reference/gateway/applications.md describes', () => {
  it('are addressed by their queries, from the manifest to the submission', async (t) => {
    const wiki = await openWiki(t);
    const { manifest } = await compileFetched(wiki, paths, 'sid=me');
    assert.deepEqual(
      manifest.pages.map(({ path, title }) => [path, title]),
      [
        [paths[0], 'start [Wiki]'],
        [paths[1], 'wiki:syntax [Wiki]'],
      ],
    );
    wiki.requests.length = 0;
    const config = { headers: { cookie: 'sid=me' } };
    const { url } = await serveWebtool(t, { manifest, baseUrl: wiki.origin, config });
    const action = 'edit_page-doku-id-wiki-syntax-do-edit';
    const { data } = await envelopeOf(await post(url, { action, request: { text: 'new' } }));
    assert.deepEqual([data?.status, data?.text], [200, 'Saved.']);
    assert.deepEqual(
      wiki.requests.map(({ method, url: requested }) => `${method} ${requested}`),
      [`GET /${paths[1]}`, 'POST /doku.php?id=wiki:syntax&do=save'],
    );
    assert.match(wiki.requests[1]?.body ?? '', /^token=t0\.\d+&text=new$/);
  });

  it('report the URL of the page for a session without a login, in the error and in the event', async (t) => {
    const wiki = await openWiki(t);
    const { manifest } = await compileFetched(wiki, paths.slice(0, 1), 'sid=me');
    const { url, events } = await serveWebtool(t, { manifest, baseUrl: wiki.origin });
    const { error } = await envelopeOf(await post(url, { action: 'edit_page', request: { text: 'new' } }));
    assert.equal(error?.code, 'LOGIN_REQUIRED');
    assert.ok(error.message.includes(`${wiki.origin}/${paths[0]} redirected to ${wiki.origin}/login`), error.message);
    assert.equal(events[0]?.url, `${wiki.origin}/${paths[0]}`);
  });

  it('are skipped with a warning if the site redirects to a login or has no such page', async (t) => {
    const wiki = await openWiki(t);
    const out = await compileFetched(wiki, paths, '');
    assert.deepEqual(out.manifest.pages, []);
    assert.equal(
      out.stderr.match(/Skipped <stdin>:\d: the site responded to "doku[^"]*" with the status 302\. /g)?.length,
      2,
    );
    const missing = await compileFetched(wiki, ['none', ...paths], 'sid=me');
    assert.equal(missing.manifest.pages.length, 2);
    assert.match(missing.stderr, /responded to "none" with the status 404/);
  });
});
