import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Page } from 'playwright-core';
import { visit } from '../../src/inspect/browse.js';
import { findChromium } from '../../src/inspect/inspect.js';
import type { PageRecord } from '../../src/inspect/inspect.js';
import { parseUrl } from '../../src/site/url.js';
import { makeFolder, runInProcess, toolForm, type Outcome } from '../support/cli/running.js';
import { headlessChromiumPath, skipWithout } from '../../tools/programs.mjs';
import { builtPath, endWithTest } from '../support/processes.js';
import { until } from '../support/until.js';

const chromium = headlessChromiumPath();
const script = fileURLToPath(new URL('../../dist/webmcp-forms.full.iife.js', import.meta.url));

const book = `<form toolname="book" tooldescription="Books a table."><label>Guests <input type="number" name="guests" min="1" required></label>
  <label>Seat <select name="seat"><option value="in">Inside<option value="out">Outside</select></label><button>Book</button></form>`;
const bookText =
  'book  Books a table.\n  guests  number             required  Guests\n  seat    string (2 values)  optional  Seat\n';
const hostileText = 'h  [2J x\n  __proto__    string  optional\n  constructor  string  optional\n';
const register = (name: string, delay: number): string => `<script>setTimeout(() => document.modelContext.registerTool(
  { name: '${name}', description: 'Is registered.', inputSchema: { type: 'object', properties: {} }, execute() {} }), ${delay})</script>`;

const pages: Readonly<Record<string, string>> = {
  '/book.html': book,
  '/book': book.replace('max', 'min').replace('min="1"', 'min="2"'),
  '/data.html': `${book}<form data-toolname="find" data-tooldescription="Finds."><input name="q"><button>Go</button></form>`,
  '/plain.html': '<p>Nothing.',
  '/own.html': `<script src="/script.js" data-profile="portable"></script>${book}`,
  '/imperative.html': book + register('early', 0),
  '/late.html': `<script>setTimeout(() => document.body.innerHTML = ${JSON.stringify(`<p id=late>${book}`).replaceAll('/', '\\/')}, 1500)</script>`,
  '/awkward.html': `${book}<img src="/never"><iframe srcdoc='${toolForm('inner')}'></iframe><script>alert(1); confirm(2); prompt(3); onbeforeunload = (event) => event.preventDefault(); open('/book.html')</script>`,
  '/busy.html': `${book}<script>setTimeout(() => { for (;;); }, 20)</script>`,
  '/strict.html': book,
  '/own-context.html': `${book}<script>Object.defineProperty(document, 'modelContext', { value: { getTools: async () => [{ name: 1 }] } })</script>`,
  '/liar.html': `<script>Object.defineProperty(Document.prototype, 'modelContext', { get: () => ({ getTools: async () => [{ name: 1 }] }) })</script>`,
  '/long.html': `<script>Object.defineProperty(Document.prototype, 'modelContext', { get: () => ({ getTools: async () => [{ name: 'a', description: 'x'.repeat(1e8) }] }) })</script>`,
  '/many.html': `<script>Object.defineProperty(Document.prototype, 'modelContext', { get: () => ({ getTools: async () => new Proxy({}, { get: (_, key) => (key === 'length' ? Infinity : key === 'then' ? undefined : { name: 'a', description: 'b' }) }) }) })</script>`,
  '/schema.html': `<script>Object.defineProperty(Document.prototype, 'modelContext', { get: () => ({ getTools: async () => [{ name: 'a', description: 'b', inputSchema: { enum: Array(1e6).fill('x'.repeat(100)) } }] }) })</script>`,
  '/throws.html': `<script>Object.defineProperty(Document.prototype, 'modelContext', { get: () => ({ getTools: async () => [{ get name() { throw new Error('no name') } }] }) })</script>`,
  '/never-lists.html': `<script>Object.defineProperty(Document.prototype, 'modelContext', { get: () => ({ getTools: () => new Promise(() => {}) }) })</script>`,
  '/moves.html': '<script>setInterval(() => location.reload(), 30)</script>',
  '/hostile.html': `<form toolname="h" tooldescription="\u001b[2J\nx"><input name="__proto__"><input name="constructor"><button>Go</button></form>`,
};

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = request.url ?? '';
  if (path === '/never') return;
  if (path === '/script.js') return void response.end(await readFile(script));
  if (path === '/loop') return void response.writeHead(302, { location: '/loop' }).end();
  if (path === '/empty') return void response.writeHead(204).end();
  if (path === '/cut') return void response.socket?.destroy();
  if (path === '/file.zip') return void response.writeHead(200, { 'content-type': 'application/zip' }).end('PK');
  if (path === '/strict.html')
    response.setHeader('content-security-policy', "default-src 'none'; sandbox allow-scripts allow-same-origin");
  response.setHeader('content-type', 'text/html');
  const page = pages[path];
  response.writeHead(page === undefined ? 404 : 200).end(page ?? 'no such page');
};

describe('webmcp-forms inspect, in Chromium', { skip: skipWithout('chromium') }, () => {
  const servers: Server[] = [];
  let origin = '';
  let cwd = '';

  const listen = async (server: Server): Promise<number> => {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'webmcp-forms-inspect-'));
    await mkdir(join(cwd, 'site'));
    await writeFile(join(cwd, 'site/book.html'), book);
    origin = `localhost:${await listen(createServer((request, response) => void serve(request, response)))}`;
  });

  afterAll(async () => {
    await rm(cwd, { recursive: true, force: true });
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const run = (command: string, ...argv: readonly string[]): Promise<Outcome> =>
    runInProcess([command, '--chromium', chromium ?? '', '--timeout', '3600', ...argv], { cwd });
  /** Runs `inspect` with a time limit in which this machine starts a browser. */
  const runWithin = async (seconds: number, ...argv: readonly string[]): Promise<Outcome> => {
    const outcome = await run('inspect', '--timeout', String(seconds), ...argv);
    return /Cannot start/.test(outcome.stderr) ? runWithin(4 * seconds, ...argv) : outcome;
  };
  const recordOf = async (path: string, ...argv: readonly string[]): Promise<PageRecord> => {
    const { stdout, stderr } = await run('inspect', '--json', ...argv, `${origin}${path}`);
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout) as PageRecord;
  };
  const names = (tools: PageRecord['tools'] | null): readonly string[] | undefined => tools?.map(({ name }) => name);

  it('finds no differences between the browser and this package', async () => {
    const { code, stdout, stderr } = await run('inspect', '--out', 'record.json', `${origin}/book.html`);
    assert.deepEqual([code, stdout], [0, bookText], stderr);
    assert.match(stderr, /^webmcp-forms: 1 tool, 1 natively, 0 differences, written to record\.json\n$/);
    const record = JSON.parse(await readFile(join(cwd, 'record.json'), 'utf8')) as PageRecord;
    assert.deepEqual(record.native, record.tools);
    assert.deepEqual(record.tools[0]?.inputSchema.properties?.guests, {
      type: 'number',
      minimum: 1,
      multipleOf: 1,
      description: 'Guests',
    });
    assert.equal(record.url, `http://${origin}/book.html`);
  });

  it('reports a tool that the browser does not have', async () => {
    const { code, stdout, stderr } = await run('inspect', `${origin}/data.html`);
    assert.deepEqual(
      [code, stdout],
      [1, `${bookText}find  Finds.\n  q  string  optional\n  only with webmcp-forms\n`],
      stderr,
    );
    assert.match(stderr, /2 tools, 1 natively, 1 difference/);
  });

  it('reads pages with dialogs, popups, a strict CSP and endless requests, without the tools of frames', async () => {
    for (const path of ['/awkward.html', '/strict.html']) {
      const { native, tools, differences } = await recordOf(path);
      assert.deepEqual([names(native), names(tools), differences], [['book'], ['book'], []], path);
    }
    assert.deepEqual((await recordOf('/plain.html')).tools, []);
  });

  it('reads the model context of the browser, also if the page defines another one on the document', async () => {
    const { native, tools, differences } = await recordOf('/own-context.html');
    assert.deepEqual([names(native), names(tools), differences], [['book'], ['book'], []]);
  });

  it('waits for the element of --wait-for, and lists tools that scripts register', async () => {
    assert.deepEqual(names((await recordOf('/late.html', '--wait-for', '#late')).tools), ['book']);
    const { native, tools } = await recordOf('/imperative.html');
    assert.deepEqual(
      [names(native), tools.map(({ name, isForm }) => [name, isForm])],
      [
        ['book', 'early'],
        [
          ['book', true],
          ['early', false],
        ],
      ],
    );
  });

  it('reads files, removes control characters, and supports names of object members', async () => {
    const file = await run('inspect', pathToFileURL(join(cwd, 'site/book.html')).href);
    assert.deepEqual([file.code, file.stdout], [0, bookText], file.stderr);
    const { stdout, stderr } = await run('inspect', `${origin}/hostile.html`);
    assert.deepEqual([stdout, stderr], [hostileText, 'webmcp-forms: 1 tool, 1 natively, 0 differences\n']);
    const { properties } = (await recordOf('/hostile.html', '--profile', 'precise')).tools[0]!.inputSchema;
    assert.deepEqual(Object.keys(properties ?? {}), ['__proto__', 'constructor']);
  });

  it('reports in one line why a page cannot be read', async () => {
    const closed = await listen(createServer());
    servers.pop()?.close();
    for (const [url, message] of [
      [`${origin}/none.html`, /the status is 404 Not Found\. Name a page that exists\./],
      [`${origin}/loop`, /there are too many redirects/],
      [`${origin}/empty`, /it has no content/],
      [`${origin}/cut`, /ERR_EMPTY_RESPONSE/],
      [`${origin}/file.zip`, /it is a download|it has no content/],
      [`localhost:${closed}/`, /the connection was refused \(ERR_CONNECTION_REFUSED\)\. Start the server\./],
      ['http://none.invalid/', /the host is unknown/],
      ['file:///none/none.html', /the file does not exist/],
      ['ftp://localhost/', /is not a URL\. Use one that begins with/],
      [`${origin}/liar.html`, /did not return a list of tools/],
      [`${origin}/long.html`, /The page lists tools of more than 20 million characters\. Remove tools, or shorten/],
      [`${origin}/schema.html`, /The page lists tools of more than 20 million characters\. Remove tools, or shorten/],
      [`${origin}/many.html`, /The page lists more than 10000 tools\. Remove tools, or shorten/],
      [`${origin}/throws.html`, /document\.modelContext failed: [^\n]*no name/],
    ] as const) {
      const { code, stdout, stderr } = await run('inspect', url);
      assert.deepEqual([code, stdout], [2, ''], url);
      assert.match(stderr, message);
      assert.match(stderr, /^webmcp-forms: [^\n]+\n$/);
    }
  });

  it('stops reading a page that is never ready after --timeout', async () => {
    for (const path of ['/never', '/busy.html', '/never-lists.html', '/moves.html']) {
      const { code, stderr } = await runWithin(3, `${origin}${path}`);
      assert.equal(code, 2, path);
      assert.match(stderr, /not ready after \d+ s|did not load in time|navigated to another page/, path);
    }
    const missing = await runWithin(3, '--wait-for', '#none', `${origin}/book.html`);
    assert.match(missing.stderr, /no element matched #none in time|not ready after \d+ s/);
    const wrong = await run('inspect', '--wait-for', ':::', `${origin}/book.html`);
    assert.match(wrong.stderr, /--wait-for ::: is not a selector\. Correct it\./);
  });

  it(
    'rejects certificates that are not trusted, except with --insecure',
    { skip: skipWithout('openssl') },
    async () => {
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-subj',
          '/CN=localhost',
          '-keyout',
          'key.pem',
          '-out',
          'cert.pem',
        ],
        { cwd, stdio: 'ignore' },
      );
      const [key, cert] = await Promise.all(['key.pem', 'cert.pem'].map((file) => readFile(join(cwd, file))));
      const port = await listen(
        createSecureServer({ key: key!, cert: cert! }, (request, response) => void serve(request, response)),
      );
      const { code, stderr } = await run('inspect', `https://localhost:${port}/book.html`);
      assert.equal(code, 2);
      assert.match(
        stderr,
        /its certificate is not trusted \(ERR_CERT_AUTHORITY_INVALID\)\. Install the certificate, or accept all certificates with --insecure\./,
      );
      assert.equal((await run('inspect', '--insecure', `https://localhost:${port}/book.html`)).code, 0);
    },
  );

  it('throws a CrashError if the page crashes', async () => {
    const options = {
      url: `http://${origin}/book.html`,
      executable: chromium ?? '',
      isNative: true,
      timeoutMs: 3_600_000,
      insecure: false,
    };
    const crash = async (page: Page): Promise<void> => {
      const session = await page.context().newCDPSession(page);
      await session.send('Page.crash');
    };
    await assert.rejects(visit(options, crash), { name: 'CrashError' });
  });

  it('compares a manifest with a live page, in the profile of the manifest', async () => {
    for (const profile of ['chromium', 'portable', 'precise']) {
      await runInProcess(['compile', '--profile', profile, '--out', 'webmcp.json', 'site'], { cwd });
      const same = await run('diff', 'webmcp.json', `${origin}/book.html`);
      assert.deepEqual([same.code, same.stdout], [0, ''], same.stderr);
    }
    const other = await run('diff', '--page', 'book.html', 'webmcp.json', `${origin}/book`);
    const changes = 'book.html book\n  breaking  guests: minimum is 2 now, was 1\n';
    assert.deepEqual([other.code, other.stdout], [1, changes], other.stderr);
  });

  it('compares only forms, in the profile of the manifest even if the page loads this package', async () => {
    await runInProcess(['compile', '--profile', 'precise', '--out', 'webmcp.json', 'site'], { cwd });
    const own = await run('diff', '--page', 'book.html', 'webmcp.json', `${origin}/own.html`);
    assert.deepEqual([own.code, own.stdout], [0, ''], own.stderr);
    const imperative = await run('diff', '--page', 'book.html', 'webmcp.json', `${origin}/imperative.html`);
    assert.deepEqual([imperative.code, imperative.stdout], [0, ''], imperative.stderr);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`closes the browser on ${signal}`, async () => {
      const folder = await makeFolder({
        browser: `#!/bin/sh\necho $$ > "${join(cwd, signal)}"\nexec "${chromium}" "$@"\n`,
      });
      await chmod(join(folder, 'browser'), 0o755);
      const options = ['--timeout', '3600', '--chromium', join(folder, 'browser')];
      const argv = [builtPath('cli/bin'), 'inspect', ...options, `${origin}/never`];
      const child = endWithTest(spawn(process.execPath, argv, { cwd, stdio: 'pipe' }));
      const requested = once(servers[0]!, 'request');
      const ended = once(child, 'close');
      child.stderr.resume();
      await requested;
      child.kill(signal);
      await ended;
      const pid = Number(await readFile(join(cwd, signal), 'utf8'));
      const isAlive = (): boolean => existsSync(`/proc/${pid}`);
      await until(() => !isAlive());
    });
  }
});

describe('webmcp-forms inspect', () => {
  it('finds the Chromium of --chromium, of CHROME_PATH, or the first on PATH', async () => {
    const cwd = await makeFolder({ 'a/chromium': '', 'b/google-chrome': '', mine: '' });
    const env = { PATH: `${join(cwd, 'none')}:${join(cwd, 'b')}:${join(cwd, 'a')}` };
    assert.equal(findChromium(undefined, env, cwd), join(cwd, 'a/chromium'));
    assert.equal(findChromium(undefined, { ...env, CHROME_PATH: join(cwd, 'mine') }, cwd), join(cwd, 'mine'));
    assert.equal(findChromium('b/google-chrome', { ...env, CHROME_PATH: 'x' }, cwd), join(cwd, 'b/google-chrome'));
    assert.throws(
      () => findChromium('none', env, cwd),
      /--chromium is .*none, which does not exist\. Name the executable/,
    );
    assert.throws(
      () => findChromium(undefined, { CHROME_PATH: '/none' }, cwd),
      /CHROME_PATH is \/none, which does not exist/,
    );
  });

  it('accepts only URLs with http, https or file', () => {
    assert.equal(parseUrl('localhost:3000/a').href, 'http://localhost:3000/a');
    assert.equal(parseUrl('[::1]:3000').href, 'http://[::1]:3000/');
    for (const url of ['a.json', 'javascript:alert(1)', 'data:text/html,x', 'chrome://crash', 'https://', 'localhosts'])
      assert.throws(() => parseUrl(url), { name: 'UsageError' }, url);
  });

  it('reports how to install playwright-core if it is missing', async () => {
    const cwd = await makeFolder({ chromium: '' });
    const hooks = `export const resolve = (name, context, next) => {
      if (name === 'playwright-core') throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(name, context);
    };`;
    const data = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
    const hook = data(`import { register } from 'node:module'; register(${JSON.stringify(data(hooks))});`);
    const argv = ['--import', hook, builtPath('cli/bin'), 'inspect', '--chromium', 'chromium', 'localhost:1'];
    const child = endWithTest(spawn(process.execPath, argv, { cwd, stdio: 'pipe' }));
    const ended = once(child, 'close') as Promise<[number]>;
    const [stderr, [code]] = await Promise.all([text(child.stderr), ended]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^webmcp-forms: Reading a live page needs playwright-core\. Run npm install --save-dev playwright-core\.\n$/,
    );
  });
});
