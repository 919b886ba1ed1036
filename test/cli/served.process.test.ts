import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'vitest';
import { atEnd } from '../support/at-end.js';
import type { Manifest } from '../../src/build.js';
import { skipWithout } from '../../tools/programs.mjs';
import { builtPath, endWithTest } from '../support/processes.js';
import { pagesOf, redirectTo, startSite, toolPage } from '../support/crawl/site-server.js';
import { makeFolder, runInProcess, withoutProgress } from '../support/cli/running.js';

const session = 'b7f3a1c95e2d4860';

const loginPage =
  '<form method="post" toolname="log_in" tooldescription="Logs in."><label>User <input name="user"></label>' +
  '<label>Password <input type="password" name="password"></label><button>Log in</button></form>';

/** A site with a login, a page behind it and links. */
const startShop = (): ReturnType<typeof startSite> =>
  startSite((request) => {
    const { url = '', method, headers } = request;
    if (method === 'POST') return text(request).then((body) => logIn(new URLSearchParams(body)));
    if (url === '/members' && headers.cookie !== `sid=${session}`) return redirectTo('/login');
    return pagesOf({
      '/': toolPage('home', '/list?page=1', '/members', '/gone'),
      '/list?page=1': toolPage('list'),
      '/login': loginPage,
      '/members': toolPage('members'),
    })(request, undefined as never);
  });

function logIn(form: URLSearchParams): ReturnType<typeof redirectTo> | string {
  if (form.get('password') !== 'secret horse') return loginPage;
  return { ...redirectTo('/members'), headers: { location: '/members', 'set-cookie': `sid=${session}; Path=/` } };
}

const pathsIn = (manifest: string): readonly string[] =>
  (JSON.parse(manifest) as Manifest).pages.map(({ path }) => path);

describe('webmcp-forms with URLs', () => {
  it('compiles a served site, and reports what it skips', async () => {
    const cwd = await makeFolder();
    const { origin } = await startShop();
    const { code, stdout, stderr } = await runInProcess(['compile', '--depth', '1', `${origin}/`], { cwd });
    assert.equal(code, 0, stderr);
    assert.deepEqual(pathsIn(stdout), ['/', '/list?page=1']);
    assert.deepEqual(stderr.split('\n'), [
      `webmcp-forms: Skipped ${origin}/members: it redirects to /login, which is a login. Use --login or --cookie to read it.`,
      `webmcp-forms: Skipped ${origin}/gone: the status is 404.`,
      'webmcp-forms: 2 tools on 2 of 2 pages, 0 errors, 0 warnings',
      '',
    ]);
  });

  it('reads files and URLs in one run, and accepts a host without a scheme', async () => {
    const cwd = await makeFolder({ 'about.html': toolPage('about') });
    const { origin } = await startShop();
    const url = origin.replace('http://', '');
    const { stdout } = await runInProcess(['compile', 'about.html', `${url}/list?page=1`], { cwd });
    assert.deepEqual(pathsIn(stdout), ['/list?page=1', 'about.html']);
  });

  it('writes nothing if a named page cannot be read, or pages are missing', async () => {
    const cwd = await makeFolder();
    const { origin } = await startSite(
      pagesOf({ '/': toolPage('home', '/a', '/b'), '/a': toolPage('a'), '/b': { status: 504 } }),
    );
    const out = ['--out', 'webmcp.json'];
    const missing = await runInProcess(['compile', ...out, `${origin}/none`], { cwd });
    assert.deepEqual(
      [missing.code, missing.stderr],
      [2, `webmcp-forms: Cannot read ${origin}/none: the status is 404.\n`],
    );
    const partial = await runInProcess(['compile', ...out, '--depth', '1', `${origin}/`], { cwd });
    assert.deepEqual(
      [partial.code, partial.stderr],
      [
        2,
        `webmcp-forms: Skipped ${origin}/b: the status is 504. Try again later.\n` +
          `webmcp-forms: Not all pages of ${origin}/ were read, so nothing is written. Run the command again, or use --allow-partial.\n`,
      ],
    );
    assert.ok(!existsSync(join(cwd, 'webmcp.json')));
    const allowed = await runInProcess(['compile', ...out, '--depth', '1', '--allow-partial', `${origin}/`], { cwd });
    assert.equal(allowed.code, 0);
    assert.deepEqual(pathsIn(readFileSync(join(cwd, 'webmcp.json'), 'utf8')), ['/', '/a']);
  });

  it('checks a manifest against a served site', async () => {
    const cwd = await makeFolder();
    const { origin } = await startShop();
    const args = ['--out', 'webmcp.json', `${origin}/`];
    assert.equal((await runInProcess(['compile', ...args], { cwd })).code, 0);
    const { code, stderr } = await runInProcess(['compile', '--check', ...args], { cwd });
    assert.deepEqual(
      [code, stderr],
      [0, 'webmcp-forms: webmcp.json is up to date (1 tool on 1 of 1 page, 0 errors, 0 warnings)\n'],
    );
    assert.equal((await runInProcess(['compile', '--check', '--depth', '1', ...args], { cwd })).code, 1);
  });

  it('logs in with values of a file, of standard input or of the environment, which are not printed', async () => {
    const { origin } = await startShop();
    const values = JSON.stringify({ user: 'ada', password: 'secret horse' });
    const cwd = await makeFolder({ 'values.json': values });
    assert.equal((await runInProcess(['compile', '--out', 'login.json', `${origin}/login`], { cwd })).code, 0);
    const login = ['compile', '--login', 'login.json:log_in', `${origin}/members`];
    const outcomes = [
      await runInProcess([...login, '--login-input', 'values.json'], { cwd }),
      await runInProcess([...login, '--login-input', '-'], { cwd, stdin: [values] }),
    ];
    for (const { code, stdout, stderr } of outcomes) {
      assert.equal(code, 0, stderr);
      assert.deepEqual(pathsIn(stdout), ['/login', '/members']);
      assert.doesNotMatch(stdout + stderr, new RegExp(`secret horse|${session}`));
    }
    const missing = await runInProcess(login, { cwd });
    assert.match(
      missing.stderr,
      /--login needs the values of the form\. Name a file of JSON with --login-input, or set WEBMCP_FORMS_LOGIN\./,
    );
  });

  it('sends headers of a file and cookies of a file', async () => {
    const { origin, headers } = await startShop();
    const cwd = await makeFolder({
      headers: `X-Api-Key: key-0123456789\n\nAccept-Language: de\n`,
      cookies: `127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t${session}\n`,
    });
    const args = ['--header', '@headers', '--header', 'X-Other: 1', '--cookie', 'cookies', `${origin}/members`];
    const { code, stdout, stderr } = await runInProcess(['compile', ...args], { cwd });
    assert.equal(code, 0, stderr);
    assert.deepEqual(pathsIn(stdout), ['/members']);
    const { 'x-api-key': key, 'accept-language': language, 'x-other': other } = headers.at(-1) ?? {};
    assert.deepEqual([key, language, other], ['key-0123456789', 'de', '1']);
  });

  it('rejects wrong flags with advice, and without their values', async () => {
    const cwd = await makeFolder({
      'a.html': '',
      headers: 'secret value without a colon',
      values: '["secret"]',
      'm.json': '{}',
    });
    const url = 'http://127.0.0.1:2/';
    for (const [args, message] of [
      [['compile', '--depth', '1', 'a.html'], /--depth is for URLs, and no URL is given\. Name one, or omit --depth\./],
      [['compile', '--depth', '101', url], /Expected an integer from 0 to 100\./],
      [['compile', '--header', 'secret', url], /A --header is not a header\. Write it as "Name: value"\./],
      [['compile', '--header', 'X-Name: a\nX-Other: secret', url], /A --header is not a header\./],
      [['compile', '--header', '@headers', url], /A line of headers is not a header\./],
      [['compile', '--header', 'Host: secret', url], /A --header is Host, which is set for each request\. Omit it\./],
      [['compile', '--login', 'log_in', url], /--login is not MANIFEST:TOOL\./],
      [['compile', '--login-input', 'values', url], /--login-input needs --login\./],
      [['compile', '--cookie', 'none.txt', url], /Cannot read none\.txt: no such file/],
      [
        ['compile', '--ndjson', url],
        /--ndjson reads lines, and http:\/\/127\.0\.0\.1:2\/ is the URL of a page\. Omit --ndjson\./,
      ],
      [['compile', '--exclude', '*a*b*c*d*', url], /--exclude has more than 3 wildcards in a name\./],
      [['compile', 'file:///etc/passwd'], /A file is named by its path, not by a URL\. Omit file:\/\/\./],
      [['compile', url], /Cannot read http:\/\/127\.0\.0\.1:2\/: no server listens at 127\.0\.0\.1:2\. Start it/],
      [['lint', '--fix', url], /--fix changes files, and http:\S+ is a URL\. Name files or folders\./],
    ] as const) {
      const { code, stderr } = await runInProcess(args, { cwd });
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /secret/);
    }
  });

  it('lints the pages of URLs with the configuration of the working directory', async () => {
    const { origin } = await startSite(
      pagesOf({
        '/': toolPage('home', '/admin/x?y=1'),
        '/admin/x?y=1': '<form toolname="bad name" tooldescription="x"></form>',
      }),
    );
    const cwd = await makeFolder();
    const { code, stdout } = await runInProcess(['lint', '--depth', '1', `${origin}/`], { cwd });
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`^${origin}/admin/x\\?y=1:1:7 error invalid-tool-name `, 'm'));
    const sarif = await runInProcess(['lint', '--format', 'sarif', `${origin}/admin/x?y=1`], { cwd });
    assert.match(sarif.stdout, new RegExp(`"uri":"${origin}/admin/x\\?y=1"`));
    const ignoring = await makeFolder({ 'webmcp-forms.config.json': '{"ignore":["admin/**"]}' });
    assert.equal((await runInProcess(['lint', '--depth', '1', `${origin}/`], { cwd: ignoring })).code, 0);
  });

  it('creates types of the tools of URLs', async () => {
    const cwd = await makeFolder();
    const { origin } = await startShop();
    const { code, stdout } = await runInProcess(['types', '--depth', '1', `${origin}/`], { cwd });
    assert.equal(code, 0);
    assert.match(stdout, /interface HomeInput[^]*interface ListInput/);
  });

  it(
    'rejects certificates that are not trusted, except with --insecure',
    { skip: skipWithout('openssl') },
    async () => {
      const cwd = await makeFolder();
      const files = ['-keyout', 'key.pem', '-out', 'cert.pem'];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', ...files], {
        cwd,
        stdio: 'ignore',
      });
      const [key = '', cert = ''] = ['key.pem', 'cert.pem'].map((file) => readFileSync(join(cwd, file)));
      let body = toolPage('home');
      const server = createServer({ key, cert }, (_, response) => response.end(body));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      atEnd(() => server.close());
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const { stderr } = await runInProcess(['compile', url], { cwd });
      assert.match(
        stderr,
        /the certificate of 127\.0\.0\.1:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. Name the file of its authority in NODE_EXTRA_CA_CERTS, or use --insecure/,
      );
      const { code, stdout } = await runInProcess(['compile', '--insecure', '--ignore-robots', url], { cwd });
      assert.equal(code, 0);
      body = stdout;
      assert.match(
        (await runInProcess(['merge', url], { cwd })).stderr,
        /is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
      );
      assert.equal((await runInProcess(['merge', '--insecure', url], { cwd })).code, 0);
    },
  );

  it('ends at Ctrl+C with one line, and writes nothing', async () => {
    const cwd = await makeFolder();
    let onRequest = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (onRequest = resolve));
    const { origin } = await startSite(({ url }) => {
      if (url === '/slow') onRequest();
      else return url === '/' ? toolPage('home', '/slow') : { status: 404 };
    });
    const child = endWithTest(
      spawn(process.execPath, [builtPath('cli/bin'), 'compile', '--depth', '1', '--out', 'webmcp.json', `${origin}/`], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    const stderr = text(child.stderr);
    await waiting;
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number];
    assert.deepEqual([code, withoutProgress(await stderr)], [130, 'webmcp-forms: Interrupted. Nothing was written.\n']);
    assert.ok(!existsSync(join(cwd, 'webmcp.json')));
  });
});
