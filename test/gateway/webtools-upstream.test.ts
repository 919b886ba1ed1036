import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createStorage, type Driver, type Storage } from 'unstorage';
import memoryDriver from 'unstorage/drivers/memory';
import { createGateway, type WebtoolOptions } from '../../gateway/src/webtools/webtools.js';
import { secret } from './calls.js';
import type { Site } from './recording.js';
import { echo, envelopeOf, manifestOf, page, post, refusalOf, serveWebtool, type Answering } from './webtool-site.js';

const isSecret = new RegExp(secret);
const note = { action: 'note', request: { text: 'tea' } };
const linesOf = ({ requests }: Site): readonly string[] => requests.map(({ method, url }) => `${method} ${url}`);

/** A storage in which some functions fail, as when its server is gone. */
function brokenStorage(...broken: readonly (keyof Driver)[]): Storage {
  const driver = memoryDriver() as Driver;
  const fail = (): never => {
    throw Object.assign(new Error(`connect to redis://:${secret}@10.0.0.1`), { code: 'ECONNREFUSED' });
  };
  return createStorage({ driver: { ...driver, ...Object.fromEntries(broken.map((name) => [name, fail])) } });
}

const everywhere = ['getItem', 'getItemRaw', 'getItems', 'setItem', 'setItemRaw', 'hasItem', 'getKeys'] as const;

describe('a site that fails', () => {
  const cases: readonly (readonly [string, string, number, Answering, Partial<WebtoolOptions>?])[] = [
    ['hangs', 'UPSTREAM_TIMEOUT', 504, () => undefined, { limits: { milliseconds: 200 } }],
    ['resets the connection', 'UPSTREAM_UNREACHABLE', 502, (response) => response.destroy()],
    ['says what is no HTTP', 'UPSTREAM_UNREACHABLE', 502, (response) => response.socket?.end(`${secret}\r\n\r\n`)],
    [
      'breaks off',
      'UPSTREAM_BROKEN',
      502,
      (response) => response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy()),
    ],
    [
      'sends what it says is gzip',
      'UPSTREAM_BROKEN',
      502,
      (response) => response.setHeader('content-encoding', 'gzip').end(secret),
    ],
    [
      'sends a compression bomb',
      'UPSTREAM_TOO_LARGE',
      502,
      (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(100_000_000))),
    ],
    [
      'sends too much',
      'UPSTREAM_TOO_LARGE',
      502,
      (response) => response.end('x'.repeat(20_000)),
      { limits: { bytes: 10_000 } },
    ],
    [
      'redirects in a circle',
      'REDIRECT_LIMIT',
      502,
      (response, { url }) => response.writeHead(302, { location: url }).end(),
    ],
    [
      'redirects a submission to itself',
      'REDIRECT_LIMIT',
      502,
      (response) => response.writeHead(307, { location: '/note' }).end(),
    ],
    [
      'redirects to another host',
      'REDIRECT_ELSEWHERE',
      502,
      (response) => response.writeHead(302, { location: `https://other.example/?${secret}` }).end(),
    ],
    [
      'redirects to the metadata of a cloud',
      'REDIRECT_ELSEWHERE',
      502,
      (response) => response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
    ],
    [
      'redirects to no URL',
      'UPSTREAM_BROKEN',
      502,
      (response) => response.writeHead(302, { location: 'http://' }).end(),
    ],
    ['answers with 500', 'UPSTREAM_ERROR', 502, (response) => response.writeHead(500).end(`at ${secret}.php:1`)],
    ['answers with 503', 'UPSTREAM_ERROR', 502, (response) => response.writeHead(503, { 'retry-after': '1' }).end()],
  ];
  for (const [name, code, status, answering, options] of cases) {
    it(`is an error of its own, and gets a submission once: it ${name}`, async (t) => {
      const { url, site, events } = await serveWebtool(t, { answering, ...options });
      const message = await refusalOf(post(url, note), status, code);
      assert.match(message, /It may have taken the submission all the same: look before you send it again\.$/);
      assert.doesNotMatch(message, isSecret);
      assert.equal(site.requests.filter(({ method }) => method === 'POST').length, 1);
      const [{ milliseconds: _, ...event } = { milliseconds: 0 }] = events;
      const kebab = code.toLowerCase().replaceAll('_', '-');
      assert.deepEqual(event, { type: 'call', interface: 'webtools', action: 'note', code: kebab, status });
    });
  }

  it('says what no encoding has, which becomes what a browser shows', async (t) => {
    const { url } = await serveWebtool(t, {
      answering: (response) =>
        response.setHeader('content-type', 'text/plain; charset=utf-8').end(Buffer.from([0x61, 0xff, 0x00])),
    });
    assert.equal((await envelopeOf(await post(url, note))).data?.text, 'a\ufffd\0');
  });

  it('is none at an address of the inside', () => {
    for (const baseUrl of [
      'http://localhost/',
      'http://127.1/',
      'http://[::1]:8080/',
      'http://10.0.0.1/',
      'http://shop/',
    ]) {
      const allowed = { code: 'config-error', message: /private or loopback address: allow these/ };
      assert.throws(() => createGateway(manifestOf(page), { baseUrl }), allowed);
    }
  });

  it('does not bring a call to an address of the inside, even of an origin that is allowed', async (t) => {
    const inside = await serveWebtool(t);
    const asked: string[] = [];
    const { url } = await serveWebtool(t, {
      baseUrl: 'https://shop.example/',
      allowPrivateAddresses: false,
      origins: [inside.site.origin],
      fetch: (to) => {
        asked.push(to);
        return Promise.resolve(new Response(null, { status: 307, headers: { location: inside.site.origin } }));
      },
    });
    await refusalOf(post(url, note), 502, 'UPSTREAM_REFUSED_ADDRESS');
    assert.deepEqual([asked, inside.site.requests], [['https://shop.example/note'], []]);
  });
});

describe('a form that cannot be sent', () => {
  const form = (attributes: string, controls: string): string =>
    `<form toolname=t tooldescription=t ${attributes}>${controls}</form>`;
  const two = '<button name=b value=1>Here</button><button name=b value=2 formaction=//other.example/>There</button>';
  const hidden = '<input name=a><input type=hidden name=token>';
  const cases: readonly (readonly [string, number, string, object, Answering?])[] = [
    ['ACTION_ELSEWHERE', 502, form('action=/x', two), { b: '2' }],
    [
      'NOT_SUBMITTABLE',
      422,
      form('action=/x', '<button name=b value=1>A</button><button name=b value=2 formmethod=dialog>B</button>'),
      { b: '2' },
    ],
    ['UNSUPPORTED_ENCODING', 422, form('action=/x accept-charset=iso-8859-1', '<input name=a>'), { a: 'é' }],
    ['PAGE_UNAVAILABLE', 502, form('method=post', hidden), {}, (response) => response.writeHead(403).end(secret)],
    [
      'PAGE_DRIFT',
      502,
      form('method=post', hidden),
      {},
      (response) => response.end(form('method=post', '<input name=b>')),
    ],
    ['PAGE_DRIFT', 502, form('method=post', hidden), {}, (response) => response.end(secret)],
  ];
  for (const [code, status, html, request, answering] of cases) {
    it(`is refused before it is sent: ${code} of ${html}`, async (t) => {
      const { url, site } = await serveWebtool(t, { manifest: manifestOf(html), ...(answering && { answering }) });
      const message = await refusalOf(post(url, { action: 't', request }), status, code);
      assert.doesNotMatch(message, isSecret);
      assert.deepEqual(linesOf(site), answering ? ['GET /'] : []);
    });
  }
});

describe('a store that is down', () => {
  const call = { ...note, sessionId: 'mine' };

  it('of sessions stops a call before it is sent', async (t) => {
    const { url, site, events } = await serveWebtool(t, { sessions: brokenStorage(...everywhere) });
    const message = await refusalOf(post(url, call), 503, 'STORE_UNAVAILABLE');
    assert.match(message, /The store of sessions does not answer/);
    assert.deepEqual(site.requests, []);
    assert.match(inspect(events[0]?.error), /ECONNREFUSED/);
    assert.doesNotMatch(message + inspect(events, { depth: Infinity }), isSecret);
    assert.equal((await post(url, note)).status, 200, 'a call without a session needs no store');
  });

  it('of sessions costs no answer that the site has given', async (t) => {
    const { url, site } = await serveWebtool(t, {
      sessions: brokenStorage('setItem', 'setItemRaw'),
      answering: (response) => response.setHeader('set-cookie', `sid=${secret}`).end('{}'),
    });
    const response = await post(url, call);
    const { status, data, warning } = await envelopeOf(response);
    assert.deepEqual([response.status, status, data?.status, warning?.code], [200, 'ok', 200, 'SESSION_NOT_SAVED']);
    assert.doesNotMatch(JSON.stringify([data, warning]), isSecret);
    assert.equal(site.requests.length, 1);
  });

  it('of versions is said, and tells nothing of itself', async (t) => {
    const { url, site, events } = await serveWebtool(t, { versions: brokenStorage(...everywhere) });
    const messages = await Promise.all([
      refusalOf(fetch(url), 503, 'STORE_UNAVAILABLE'),
      refusalOf(fetch(`${url}0.1.0`), 503, 'STORE_UNAVAILABLE'),
      refusalOf(post(url, { ...note, version: '0.1.0' }), 503, 'STORE_UNAVAILABLE'),
    ]);
    assert.doesNotMatch(messages.join() + inspect(events, { depth: Infinity }), isSecret);
    assert.deepEqual([site.requests, events.length], [[], 3]);
  });
});

describe('a secret', () => {
  const secretPage = page.replace('value=OLD', `value=${secret}-token-in-the-page`);
  /** A site that says all that it was sent, in its answer or in its cookies. */
  const telling: Answering = (response, request) => {
    response.setHeader('set-cookie', `sid=${secret}-cookie-of-the-session; HttpOnly`);
    if (request.method === 'GET' && request.url === '/')
      response.setHeader('content-type', 'text/html').end(secretPage);
    else echo(response, { ...request, body: JSON.stringify([request.body, request.headers]) });
  };
  const order = (url: string, more: object): Promise<Response> =>
    post(url, { action: 'order', request: { goods: 'tea' }, sessionId: `${secret}-session`, ...more });

  async function check(t: TestContext, options: Partial<WebtoolOptions>, config: object, answering: Answering) {
    const { url, site, events } = await serveWebtool(t, { answering, ...options, manifest: manifestOf(secretPage) });
    const said: string[] = [];
    for (const response of [await order(url, { config }), await order(url, { config }), await fetch(url)]) {
      said.push(await response.clone().text(), ...[...response.headers].flat());
    }
    const sent = site.requests.filter(({ method }) => method === 'POST').at(-1);
    assert.match(JSON.stringify(sent), isSecret, 'the site was sent it');
    assert.doesNotMatch(said.join('\n'), isSecret);
    assert.doesNotMatch(inspect(events, { depth: Infinity }), isSecret);
    return sent;
  }

  const failing: Answering = (response, request) =>
    request.method === 'POST' ? response.writeHead(500).end(JSON.stringify(request)) : telling(response, request);

  for (const [name, answering] of [
    ['succeeds', telling],
    ['fails', failing],
  ] as const) {
    it(`of the page, its cookies and its operator is told to the site alone when it ${name}`, async (t) => {
      const config = { headers: { authorization: `Bearer ${secret}-operator`, 'x-key': `${secret}-key` } };
      const sent = await check(t, { config }, {}, answering);
      assert.equal(sent?.headers.authorization, `Bearer ${secret}-operator`);
      assert.equal(sent.headers.cookie, `sid=${secret}-cookie-of-the-session`);
      assert.match(sent.body, /token=S3CRET-token-in-the-page/);
    });

    it(`of the client's configuration is told to the site alone when it ${name}`, async (t) => {
      const config = {
        authorization: `Bearer ${secret}-client`,
        values: { order: { token: `${secret}-token-of-the-client` } },
      };
      const sent = await check(t, {}, config, answering);
      assert.equal(sent?.headers.authorization, `Bearer ${secret}-client`);
      assert.match(sent.body, /token=S3CRET-token-of-the-client/);
    });
  }

  it('of a base URL is told to the site alone', async (t) => {
    const { site } = await serveWebtool(t, { answering: telling });
    const baseUrl = site.origin.replace('//', `//user:${secret}-password@`);
    const { url, events } = await serveWebtool(t, { baseUrl });
    const said = [
      await (await fetch(url)).text(),
      await (await order(url, {})).text(),
      await (await order(url, { x: 1 })).text(),
    ];
    assert.match(atob(site.requests.at(-1)?.headers.authorization?.slice(6) ?? ''), isSecret);
    assert.doesNotMatch(said.join() + inspect(events), isSecret);
  });

  it('keeps one session from another', async (t) => {
    const { url, site } = await serveWebtool(t, {
      answering: (response, request) => {
        response.setHeader('set-cookie', `of=${request.body.includes('one') ? 'one' : 'other'}`);
        echo(response, request);
      },
    });
    const say = (sessionId: string | undefined, text: string) =>
      post(url, { action: 'note', request: { text }, ...(sessionId && { sessionId }) });
    for (const [session, text] of [
      ['a', 'one'],
      ['b', 'two'],
      ['a', 'one'],
      ['b', 'two'],
      [undefined, 'one'],
    ] as const) {
      await say(session, text);
    }
    assert.deepEqual(
      site.requests.map(({ headers }) => headers.cookie),
      [undefined, undefined, 'of=one', 'of=other', undefined],
    );
  });
});
