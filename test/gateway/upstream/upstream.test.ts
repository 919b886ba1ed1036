import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, it, type TestContext } from 'vitest';
import { CookieJar } from 'tough-cookie';
import type { GatewayError, GatewayErrorCode } from '../../../gateway/src/index.js';
import { createNodeFetch, type Lookup } from '../../../src/http/node-fetch.js';
import { until } from '../../support/until.js';
import { call, failureOf, pageOf, secret, type CallOptions } from '../../support/gateway/calls.js';
import { openSite, type Recorded, type Site } from '../../support/gateway/recording.js';

type Handler = (response: ServerResponse, request: Recorded, site: Site) => unknown;

const html = pageOf('method=post action=/sent', '<input name=a value=1>');

/** Opens a site for one test. */
async function openTestSite(t: TestContext, handler: Handler): Promise<Site> {
  const site: Site = await openSite((request, response) => handler(response, request, site));
  t.onTestFinished(site.close);
  return site;
}

/** Submits the form to a site with a handler. */
async function submitTo(t: TestContext, handler: Handler, options: Partial<CallOptions> = {}) {
  const site = await openTestSite(t, handler);
  const answer = call({ html, pageUrl: `${site.origin}/page`, ...options });
  answer.catch(() => undefined);
  return { site, answer };
}

const requestLines = ({ requests }: Site): readonly string[] => requests.map(({ method, url }) => `${method} ${url}`);

describe('submitForm, for a response', () => {
  const cases: readonly (readonly [string, string, string | Buffer, object])[] = [
    ['JSON', 'application/json; charset=utf-8', '{"é":[1]}', { json: { é: [1] } }],
    ['JSON with another type', 'application/problem+json', '[]', { json: [] }],
    ['invalid JSON', 'application/json', '{', { text: '{' }],
    ['JSON that is too deep', 'application/json', '['.repeat(300), { text: '['.repeat(300) }],
    [
      'JSON with a long text',
      'application/json',
      JSON.stringify(`["${'[\\"'.repeat(5e5)}`),
      { json: `["${'[\\"'.repeat(5e5)}` },
    ],
    [
      'a page with JSON-LD that is too deep',
      'text/html',
      `<script type="application/ld+json">${'['.repeat(1e5)}${']'.repeat(1e5)}</script>x`,
      { text: 'x' },
    ],
    ['a page', 'text/html', '<nav>x</nav><main>A <b>b</b><script>1</script></main>', { text: 'A b' }],
    ['a page without a main part', 'text/html', '<p>A<p hidden>B<p>C', { text: 'A C' }],
    [
      'a page with JSON-LD',
      'application/xhtml+xml',
      '<script type="application/ld+json">{"a":1}</script><script type="application/ld+json">{</script>x',
      { jsonLd: [{ a: 1 }], text: 'x' },
    ],
    ['text', 'text/plain', 'a\n b', { text: 'a\n b' }],
    ['text without a type', '', 'x', { text: 'x' }],
    ['bytes', 'application/pdf', '%PDF', {}],
    ['text in windows-1252', 'text/plain; charset=windows-1252', Buffer.from([0xe9, 0x80]), { text: 'é€' }],
    ['text in an unknown encoding', 'text/plain; charset=klingon', Buffer.from('é'), { text: 'é' }],
    ['text that is not valid UTF-8', 'text/plain', Buffer.from([0x61, 0xe9]), { text: 'aé' }],
    [
      'text that is invalid in its encoding',
      'text/plain; charset=utf-8',
      Buffer.from([0x61, 0xff]),
      { text: 'a\ufffd' },
    ],
    [
      'a page that declares its encoding',
      'text/html',
      Buffer.from('<meta charset=iso-8859-2><p>\xb1', 'latin1'),
      { text: 'ą' },
    ],
    ['UTF-16 with a byte order mark', 'text/plain; charset=utf-8', Buffer.from('\ufeffa', 'utf16le'), { text: 'a' }],
  ];
  for (const [name, contentType, body, expected] of cases) {
    it(`reads ${name}`, async (t) => {
      const { site, answer } = await submitTo(t, (response) => {
        if (contentType) response.setHeader('content-type', contentType);
        response.end(body);
      });
      assert.deepEqual(await answer, { status: 200, url: `${site.origin}/sent`, contentType, ...expected });
    });
  }

  for (const status of [204, 400, 404, 422, 500, 503]) {
    it(`returns the status ${status}`, async (t) => {
      const { answer, site } = await submitTo(t, (response) => response.writeHead(status).end());
      assert.equal((await answer).status, status);
      assert.equal(site.requests.length, 1);
    });
  }

  it('returns at most 50,000 characters of text', async (t) => {
    const { answer } = await submitTo(t, (response) => response.end('x'.repeat(60_000)));
    assert.equal((await answer).text?.length, 50_000);
  });

  it('returns the source of a page beyond the limits of the parser', async (t) => {
    const deep = '<div>'.repeat(100_000);
    const { answer } = await submitTo(t, (response) => response.setHeader('content-type', 'text/html').end(deep));
    assert.equal((await answer).text, deep.slice(0, 50_000));
  });

  it('decompresses the response', async (t) => {
    const body = gzipSync('hello');
    const { answer } = await submitTo(t, (response) => response.setHeader('content-encoding', 'gzip').end(body));
    assert.equal((await answer).text, 'hello');
  });

  it('hides the values of hidden controls in the URL', async (t) => {
    const form = pageOf('action=/sent', `<input type=hidden name=key><input name=a value=1>`);
    const config = { values: { key: secret } };
    const { answer, site } = await submitTo(t, (response) => response.end('x'), { html: form, config });
    assert.equal((await answer).url, `${site.origin}/sent?key=...&a=1`);
    assert.deepEqual(requestLines(site), [`GET /sent?key=${secret}&a=1`]);
  });
});

describe('submitForm, for a site that fails', () => {
  const endless = (response: ServerResponse): void => {
    const chunk = randomBytes(1 << 16);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  const limits = { bytes: 1_000_000, redirects: 3 };
  const cases: readonly (readonly [string, GatewayErrorCode, Handler])[] = [
    ['never responds', 'upstream-timeout', () => undefined],
    ['stops within its response', 'upstream-timeout', (response) => response.write('x')],
    ['resets the connection', 'upstream-unreachable', (response) => response.destroy()],
    [
      'resets the connection within its response',
      'upstream-broken',
      (response) => response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy()),
    ],
    ['sends invalid HTTP', 'upstream-unreachable', (response) => response.socket?.end('hello\r\n\r\n')],
    ['responds endlessly', 'upstream-too-large', endless],
    [
      'sends a compression bomb',
      'upstream-too-large',
      (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(200_000_000))),
    ],
    [
      'sends invalid compression',
      'upstream-broken',
      (response) => response.setHeader('content-encoding', 'gzip').end('no gzip at all'),
    ],
    ['redirects endlessly', 'redirect-limit', (r, { url }) => r.writeHead(302, { location: `${url}1` }).end()],
    ['redirects a submission to itself', 'redirect-limit', (r) => r.writeHead(307, { location: '/sent' }).end()],
    [
      'redirects to another site',
      'redirect-elsewhere',
      (r) => r.writeHead(302, { location: '//other.example/' }).end(),
    ],
    [
      'redirects to another port',
      'redirect-elsewhere',
      (r) => r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['redirects to a file', 'redirect-elsewhere', (r) => r.writeHead(302, { location: 'file:///etc/passwd' }).end()],
    ['redirects to a script', 'redirect-elsewhere', (r) => r.writeHead(302, { location: 'javascript:1' }).end()],
    ['redirects to an invalid URL', 'upstream-broken', (r) => r.writeHead(302, { location: 'http://' }).end()],
  ];
  for (const [name, code, handler] of cases) {
    it(`reports ${code} without a retry if the site ${name}`, async (t) => {
      const submit = async (milliseconds: number): Promise<readonly [GatewayError, Site]> => {
        const deadline = code === 'upstream-timeout' ? { milliseconds } : {};
        const { answer, site } = await submitTo(t, handler, { limits: { ...limits, ...deadline } });
        const failure = await failureOf(answer, code);
        return site.requests.length > 0 ? [failure, site] : submit(4 * milliseconds); // no request in time
      };
      const [{ message }, site] = await submit(300);
      assert.match(message, /The site may have processed the submission\. Check before you send it again/);
      assert.equal(site.requests.filter(({ method }) => method === 'POST').length, 1);
    });
  }

  it('closes the connection if the response is too large', async (t) => {
    let [sent, isClosed] = [0, false];
    const { answer } = await submitTo(
      t,
      (response) => {
        response.once('close', () => (isClosed = true));
        const chunk = Buffer.alloc(1 << 20);
        const more = (): void => {
          while (sent < 1 << 30 && !response.destroyed && response.write(chunk)) sent += chunk.length;
          response.once('drain', more);
        };
        more();
      },
      { limits: { bytes: 1_000_000 } },
    );
    await failureOf(answer, 'upstream-too-large');
    await until(() => isClosed);
    assert.ok(sent < 100_000_000, String(sent));
  });

  it('reports a closed port as unreachable', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await failureOf(call({ html, pageUrl: `http://127.0.0.1:${port}/` }), 'upstream-unreachable');
  });

  it('can be canceled', async (t) => {
    const controller = new AbortController();
    const { answer } = await submitTo(t, () => void controller.abort(), { signal: controller.signal });
    await failureOf(answer, 'aborted');
    await failureOf(call({ html, pageUrl: 'http://127.0.0.1:1/', signal: AbortSignal.abort() }), 'aborted');
  });

  it('ends at its deadline if fetch ignores the signal', async () => {
    const fetch = (): Promise<Response> => new Promise(() => undefined);
    await failureOf(
      call({ html, pageUrl: 'https://site.example/', fetch, limits: { milliseconds: 50 } }),
      'upstream-timeout',
    );
  });
});

describe('submitForm, for a redirect', () => {
  const redirecting =
    (status: number, location: string): Handler =>
    (response, { url }) =>
      url === '/sent' ? response.writeHead(status, { location }).end() : response.end('there');

  for (const [status, method] of [
    [301, 'GET'],
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ] as const) {
    it(`follows a redirect with the status ${status} by ${method}`, async (t) => {
      const { answer, site } = await submitTo(t, redirecting(status, '/there?x#y'));
      assert.deepEqual(await answer, { status: 200, url: `${site.origin}/there?x`, contentType: '', text: 'there' });
      const [, last] = site.requests as [Recorded, Recorded];
      assert.deepEqual([last.method, last.url, last.body], [method, '/there?x', method === 'POST' ? 'a=1' : '']);
      assert.equal(last.headers['content-type'], method === 'POST' ? 'application/x-www-form-urlencoded' : undefined);
    });
  }

  it('returns a redirect without a location', async (t) => {
    const { answer } = await submitTo(t, (response) => response.writeHead(302).end('x'));
    assert.equal((await answer).status, 302);
    const other = await submitTo(t, (response) => response.writeHead(304, { location: '/x' }).end());
    assert.equal((await other.answer).status, 304);
  });

  it('decodes the location as UTF-8', async (t) => {
    const { answer, site } = await submitTo(t, redirecting(303, Buffer.from('/é').toString('latin1')));
    await answer;
    assert.deepEqual(requestLines(site), ['POST /sent', 'GET /%C3%A9']);
  });

  it('follows a redirect to an allowed origin without the headers and cookies of the page', async (t) => {
    const other = await openTestSite(t, (response) => response.end('other'));
    const jar = new CookieJar();
    const { answer, site } = await submitTo(
      t,
      (response) => response.writeHead(302, { location: `${other.origin}/x`, 'set-cookie': 'own=1; Path=/sent' }).end(),
      { origins: [other.origin], jar, config: { headers: { authorization: secret } } },
    );
    assert.equal((await answer).text, 'other');
    assert.equal(site.requests[0]?.headers.authorization, secret);
    const { headers } = other.requests[0] as Recorded;
    assert.deepEqual(
      [headers.authorization, headers.cookie, headers.referer],
      [undefined, undefined, `${site.origin}/`],
    );
  });

  for (const status of [307, 308]) {
    it(`does not send a submission to the site again if another origin redirects it there with the status ${status}`, async (t) => {
      const other = await openTestSite(t, (response) =>
        response.writeHead(status, { location: `${site.origin}/account/delete` }).end(),
      );
      const site = await openTestSite(t, (response) => response.end('deleted'));
      const answer = call({
        html: pageOf(`method=post action=${other.origin}/news`, '<input name=a value=1>'),
        pageUrl: `${site.origin}/page`,
        origins: [other.origin],
        config: { headers: { authorization: secret } },
      });
      const { message } = await failureOf(answer, 'redirect-elsewhere');
      assert.match(message, /The site redirects to \S+ with the submission to \S+, which is not allowed\./);
      assert.deepEqual([requestLines(site), requestLines(other)], [[], ['POST /news']]);
    });
  }

  it('sends the cookies of earlier responses', async (t) => {
    const jar = new CookieJar();
    const { answer, site } = await submitTo(
      t,
      (response, { url }) => {
        response.setHeader('set-cookie', [
          'a=1; HttpOnly',
          `b=${url.length}; SameSite=Strict`,
          'nonsense; Domain=other.example',
        ]);
        return url === '/sent' ? response.writeHead(303, { location: '/there' }).end() : response.end();
      },
      { jar },
    );
    await answer;
    assert.deepEqual(
      site.requests.map(({ headers }) => headers.cookie),
      [undefined, 'a=1; b=5'],
    );
    assert.equal(await jar.getCookieString(site.origin), 'a=1; b=6');
  });

  it('protects secure cookies from responses without TLS', async (t) => {
    const jar = new CookieJar();
    await jar.setCookie('id=safe; Secure; Path=/', 'https://shop.example/');
    await jar.setCookie('mine=old; Path=/', 'https://shop.example/');
    const site = await openTestSite(t, (response) =>
      response.setHeader('set-cookie', ['id=stolen; Path=/', 'mine=new; Path=/', 'id=shadow; Path=/sent']).end(),
    );
    const lookup: Lookup = (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const fetch = createNodeFetch({ lookup, allowPrivateAddresses: true });
    await call({ html, pageUrl: `http://shop.example:${new URL(site.origin).port}/page`, jar, fetch });
    assert.equal(site.requests[0]?.headers.cookie, 'mine=old');
    const stored = await jar.getCookies('https://shop.example/sent');
    assert.deepEqual(stored.map((cookie) => cookie.cookieString()).sort(), ['id=safe', 'mine=new']);
  });
});

describe('the request of submitForm', () => {
  it('has the origin and the referrer of a browser', async (t) => {
    const { answer, site } = await submitTo(t, (response) => response.end());
    await answer;
    const { headers } = site.requests[0] as Recorded;
    assert.equal(headers.origin, site.origin);
    assert.equal(headers.referer, `${site.origin}/page`);
    assert.match(headers.accept ?? '', /^text\/html,/);
  });

  it('has the headers of the configuration, and the credentials of the URL only as a header', async (t) => {
    const site = await openTestSite(t, (response) => response.end());
    const pageUrl = site.origin.replace('//', '//us%C3%A9r:pa%3Ass@');
    const { url } = await call({ html, pageUrl, config: { headers: { 'X-Key': 'k' } } });
    const { headers } = site.requests[0] as Recorded;
    assert.equal(headers.authorization, `Basic ${Buffer.from('usér:pa:ss').toString('base64')}`);
    assert.equal(headers['x-key'], 'k');
    assert.doesNotMatch(url + headers.referer, /us|ss@/);
  });
});
