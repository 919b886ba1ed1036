import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'vitest';
import type { Manifest } from '../../src/build.js';
import { makeFolder, runInProcess } from '../support/cli/running.js';
import { pagesOf, redirectTo, startSite, toolPage, type SiteServer } from '../support/crawl/site-server.js';

const token = 'c5f1a09d77e84b12';
const loginForm = `<form method="post" action="/login" toolname="log_in" tooldescription="Logs in."><input type="hidden" name="csrf" value="${token}">
  <label>User <input name="user"></label><label>Password <input type="password" name="password"></label><button>Log in</button></form>`;
const search = (label: string): string =>
  `<form toolname="search" tooldescription="Searches the shop."><label>${label} <input name="q"></label><button>Go</button></form>`;
const save =
  '<form method="post" toolname="save_item" tooldescription="Saves an item."><label>Title <input name="title"></label><button>Save</button></form>';
const same =
  '<form toolname="subscribe" tooldescription="Subscribes."><label>Mail <input name="m"></label><button>Go</button></form>';

/** A site whose login page redirects users who are signed in. Its home page also has a login form. */
const startShop = (): Promise<SiteServer> =>
  startSite(async (request) => {
    const { url, method, headers } = request;
    const isSignedIn = headers.cookie === 'sid=1';
    if (method === 'POST') {
      const isRight = (await text(request)).includes('password=horse');
      const headers = { location: '/members', 'set-cookie': 'sid=1; Path=/' };
      return isRight ? { status: 302, headers } : loginForm;
    }
    if (url === '/login') return isSignedIn ? redirectTo('/members') : loginForm;
    if (url === '/members') return isSignedIn ? toolPage('members') : redirectTo('/login');
    if (url === '/') return isSignedIn ? save + search('Words') + same : loginForm + search('Word') + same;
    return { status: 404 };
  });

const toolsOf = (manifest: string): object =>
  Object.fromEntries(
    (JSON.parse(manifest) as Manifest).pages.map(({ path, tools }) => [
      path,
      tools.map(({ name, session = '' }) => `${name} ${session}`.trim()),
    ]),
  );

const values = JSON.stringify({ user: 'ada', password: 'horse' });

describe('webmcp-forms compile --login', () => {
  it('reads the login page before the login, so that the manifest has its tool', async () => {
    const { origin } = await startShop();
    const cwd = await makeFolder({ 'values.json': values });
    await runInProcess(['compile', '--out', 'login.json', `${origin}/login`], { cwd });
    const login = ['--login', 'login.json:log_in', '--login-input', 'values.json'];
    const compiled = await runInProcess(['compile', ...login, `${origin}/members`, `${origin}/login`], { cwd });
    assert.equal(compiled.code, 0, compiled.stderr);
    assert.deepEqual(toolsOf(compiled.stdout), { '/login': ['log_in signed-out'], '/members': ['members'] });
    assert.doesNotMatch(compiled.stdout + compiled.stderr, new RegExp(`horse|${token}`));
    const excluded = await runInProcess(['compile', ...login, '--exclude', 'login', `${origin}/members`], { cwd });
    assert.deepEqual(toolsOf(excluded.stdout), { '/members': ['members'] });
    const types = await runInProcess(['types', ...login, `${origin}/members`], { cwd });
    assert.match(types.stdout, /interface LogInInput/);
  });

  it('records the encoding of the login page', async () => {
    const { origin } = await startSite(({ url, method, headers }) => {
      if (method === 'POST') return { status: 302, headers: { location: '/members', 'set-cookie': 'sid=1; Path=/' } };
      if (url === '/members') return toolPage('members');
      if (url !== '/login' || headers.cookie === 'sid=1') return redirectTo('/members');
      return { headers: { 'content-type': 'text/html; charset=koi8-r' }, body: loginForm };
    });
    const cwd = await makeFolder({ 'values.json': values });
    await runInProcess(['compile', '--out', 'login.json', `${origin}/login`], { cwd });
    const login = ['--login', 'login.json:log_in', '--login-input', 'values.json'];
    const { stdout } = await runInProcess(['compile', ...login, `${origin}/members`], { cwd });
    const tools = (JSON.parse(stdout) as Manifest).pages.flatMap((page) => page.tools);
    assert.deepEqual(
      tools.map(({ name, form }) => [name, form?.encoding]),
      [
        ['log_in', 'koi8-r'],
        ['members', undefined],
      ],
    );
  });

  it('joins the tools of a path before and after the login, and reports the tools that differ', async () => {
    const { origin } = await startShop();
    const cwd = await makeFolder({ 'values.json': values });
    await runInProcess(['compile', '--out', 'login.json', `${origin}/`], { cwd });
    const args = ['--login', 'login.json:log_in', '--login-input', 'values.json', `${origin}/`];
    const { code, stdout, stderr } = await runInProcess(['compile', '--out', 'webmcp.json', ...args], { cwd });
    assert.equal(code, 0, stdout + stderr);
    const manifest = readFileSync(join(cwd, 'webmcp.json'), 'utf8');
    assert.deepEqual(toolsOf(manifest), { '/': ['save_item', 'search', 'subscribe', 'log_in signed-out'] });
    assert.match(manifest, /"description": "Words"/);
    assert.deepEqual(
      stderr.split('\n').flatMap((line) => /session-dependent-tool .*/.exec(line) ?? []),
      [
        'session-dependent-tool The page has this tool only in the session of the login. Calls in other sessions fail.',
        'session-dependent-tool The page has this tool only in the session before the login. Calls in other sessions fail.',
        'session-dependent-tool The tool of this name in the session before the login is different, so the manifest has only that of the session of the login. Rename one of them.',
      ],
    );
    const check = await runInProcess(['compile', '--check', '--out', 'webmcp.json', ...args], { cwd });
    assert.equal(check.code, 0, check.stderr);
    assert.equal((await runInProcess(['lint', ...args], { cwd })).code, 0);
  });
});

describe('webmcp-forms merge of manifests', () => {
  const compile = async (cwd: string, out: string, ...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await runInProcess(['compile', '--out', out, ...args], { cwd });
    assert.equal(code, 0, stderr);
  };

  it('joins manifests of files and of URLs, and shows the origin of each URL', async () => {
    const cwd = await makeFolder({ 'a.html': search('Word') + same, 'sub/a.html': search('Words') + save + same });
    await compile(cwd, 'one.json', 'a.html');
    await compile(cwd, 'two.json', 'sub/a.html');
    const two = readFileSync(join(cwd, 'two.json'), 'utf8');
    const site = await startSite(
      pagesOf({ '/webmcp.json': { headers: { 'content-type': 'application/json' }, body: two } }),
    );
    const url = `${site.origin}/webmcp.json`;
    const ofFiles = await runInProcess(['merge', 'one.json', 'two.json'], { cwd });
    const ofUrls = await runInProcess(['merge', 'one.json', url], { cwd });
    for (const [{ code, stdout, stderr }, second] of [
      [ofFiles, 'two.json'],
      [ofUrls, url],
    ] as const) {
      assert.equal(code, 0, stderr);
      assert.deepEqual(toolsOf(stdout), { 'a.html': ['search', 'subscribe', 'save_item'] });
      assert.ok(stderr.includes(`session-dependent-tool The page has this tool only in ${second}. Calls`), stderr);
      assert.ok(
        stderr.includes(`The tool of this name in ${second} is different, so the manifest has only that of one.json.`),
      );
    }
    assert.ok(ofUrls.stderr.startsWith(`webmcp-forms: 1 page of ${site.origin}, read from ${url}\n`), ofUrls.stderr);
    assert.deepEqual(site.requests, ['GET /webmcp.json']);
  });

  it('reports that two tools differ, also if only in a parameter with the name of a member of manifests', async () => {
    const page = search('Word').replace('name="q"', 'name="location"');
    const cwd = await makeFolder({ 'index.html': page });
    await compile(cwd, 'a.json', 'index.html');
    const other = readFileSync(join(cwd, 'a.json'), 'utf8').replace(
      '"description": "Word"',
      '"description": "Card number"',
    );
    writeFileSync(join(cwd, 'b.json'), other);
    const { stderr } = await runInProcess(['merge', 'a.json', 'b.json'], { cwd });
    assert.match(stderr, /session-dependent-tool The tool of this name in b\.json is different/);
  });

  it('sends the headers of --header to URLs, and shows their values in no message', async () => {
    const cwd = await makeFolder({ 'a.html': same, 'token.txt': `Authorization: Bearer ${token}\n` });
    await compile(cwd, 'one.json', 'a.html');
    const body = readFileSync(join(cwd, 'one.json'), 'utf8');
    const site = await startSite(({ url, headers }) => {
      if (headers.authorization !== `Bearer ${token}`) return { status: 401 };
      if (url === '/one.json') return { headers: { 'content-type': 'application/json' }, body };
      return url === '/echo.json' ? { body: token } : redirectTo(`https://other.example/${token}`);
    });
    const run = (...args: readonly string[]) => runInProcess(['merge', ...args], { cwd });
    const { code, stdout, stderr } = await run('--header', '@token.txt', `${site.origin}/one.json`);
    assert.equal(code, 0, stderr);
    assert.deepEqual(toolsOf(stdout), { 'a.html': ['subscribe'] });
    const away = await run('--header', '@token.txt', `${site.origin}/away.json`);
    assert.equal(away.code, 2);
    assert.match(away.stderr, /it redirects to another origin/);
    const echo = await run('--header', '@token.txt', `${site.origin}/echo.json`);
    assert.match(echo.stderr, /is not a tool manifest: .*"\[hidden\]/);
    for (const output of [stderr, away.stderr, echo.stderr]) assert.ok(!output.includes(token), output);
    assert.match((await run(`${site.origin}/one.json`)).stderr, /the status is 401/);
    assert.match((await run('--header', 'name', `${site.origin}/one.json`)).stderr, /A --header is not a header/);
    assert.match(
      (await run('--header', 'A: b', 'one.json')).stderr,
      /--header is for URLs, and no URL is given\. Name one, or omit --header/,
    );
  });

  it('rejects a URL without a manifest, a redirect to another origin, manifests of two sites, and other options', async () => {
    const cwd = await makeFolder({ 'a.html': same });
    await compile(cwd, 'one.json', 'a.html');
    const one = readFileSync(join(cwd, 'one.json'), 'utf8');
    const site = await startSite(
      pagesOf({
        '/page': same,
        '/away': redirectTo('https://other.example/webmcp.json'),
        '/one.json': one,
      }),
    );
    for (const [args, message] of [
      [[`${site.origin}/none.json`], /Cannot read http:\S+\/none\.json: the status is 404\./],
      [[`${site.origin}/page`], /http:\S+\/page is not a tool manifest: it is not valid JSON/],
      [[`${site.origin}/away`], /it redirects to another origin, https:\/\/other\.example/],
      [[`${site.origin}/one.json`, 'http://localhost:2/one.json'], /are different sites/],
      [[`http://user:secret@127.0.0.1/one.json`], /has credentials/],
      [
        ['--profile', 'portable', 'one.json'],
        /one\.json was compiled with --profile precise --sensitive exclude\. Merge it/,
      ],
    ] as const) {
      const { code, stdout, stderr } = await runInProcess(['merge', ...args], { cwd });
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /secret/);
    }
  });
});
