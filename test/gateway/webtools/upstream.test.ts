import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, it, type TestContext } from 'vitest';
import { createStorage, type Driver, type Storage } from 'unstorage';
import memoryDriver from 'unstorage/drivers/memory';
import { createGateway, type WebtoolOptions } from '../../../gateway/src/webtools/handler.js';
import { secret } from '../../support/gateway/calls.js';
import type { Site } from '../../support/gateway/recording.js';
import {
  echo,
  envelopeOf,
  manifestOf,
  page,
  post,
  refusalOf,
  serveWebtool,
  type Answering,
  type Served,
} from '../../support/gateway/webtool-site.js';

const isSecret = new RegExp(secret);
const note = { action: 'note', request: { text: 'tea' } };
const linesOf = ({ requests }: Site): readonly string[] => requests.map(({ method, url }) => `${method} ${url}`);

/** A storage whose named functions fail, as if its server were down. */
function brokenStorage(...broken: readonly (keyof Driver)[]): Storage {
  const driver = memoryDriver() as Driver;
  const fail = (): never => {
    throw Object.assign(new Error(`connect to redis://:${secret}@10.0.0.1`), { code: 'ECONNREFUSED' });
  };
  return createStorage({ driver: { ...driver, ...Object.fromEntries(broken.map((name) => [name, fail])) } });
}

const allFunctions = ['getItem', 'getItemRaw', 'getItems', 'setItem', 'setItemRaw', 'hasItem', 'getKeys'] as const;

describe('createGateway, when the site fails', () => {
  const cases: readonly (readonly [string, string, number, Answering, Partial<WebtoolOptions>?])[] = [
    ['hangs', 'UPSTREAM_TIMEOUT', 504, () => undefined],
    ['resets the connection', 'UPSTREAM_UNREACHABLE', 502, (response) => response.destroy()],
    ['sends invalid HTTP', 'UPSTREAM_UNREACHABLE', 502, (response) => response.socket?.end(`${secret}\r\n\r\n`)],
    [
      'aborts the response',
      'UPSTREAM_BROKEN',
      502,
      (response) => response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy()),
    ],
    [
      'sends invalid gzip',
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
      'redirects in a loop',
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
      'redirects to an invalid URL',
      'UPSTREAM_BROKEN',
      502,
      (response) => response.writeHead(302, { location: 'http://' }).end(),
    ],
    ['responds with 500', 'UPSTREAM_ERROR', 502, (response) => response.writeHead(500).end('at index.php:1')],
    ['responds with 503', 'UPSTREAM_ERROR', 502, (response) => response.writeHead(503, { 'retry-after': '1' }).end()],
  ];
  for (const [name, code, status, answering, options] of cases) {
    it(`returns ${code} without a retry when the site ${name}`, async (t) => {
      const call = async (milliseconds: number): Promise<Served & { readonly message: string }> => {
        const deadline = code === 'UPSTREAM_TIMEOUT' ? { limits: { milliseconds } } : {};
        const served = await serveWebtool(t, { answering, ...deadline, ...options });
        const message = await refusalOf(post(served.url, note), status, code);
        return served.site.requests.length > 0 ? { ...served, message } : call(4 * milliseconds); // no request in time
      };
      const { site, events, message } = await call(500);
      assert.match(
        message,
        /The site may have processed the submission\. Check before you send it again\.(?: The site responded: "at index\.php:1"\.)?$/,
      );
      assert.doesNotMatch(message, isSecret);
      assert.equal(site.requests.filter(({ method }) => method === 'POST').length, 1);
      const [{ milliseconds: _, ...event } = { milliseconds: 0 }] = events;
      const kebab = code.toLowerCase().replaceAll('_', '-');
      const requested = `${site.origin}/note`;
      assert.deepEqual(event, {
        type: 'call',
        interface: 'webtools',
        action: 'note',
        code: kebab,
        status,
        url: requested,
      });
      if (code !== 'UPSTREAM_ERROR') assert.ok(message.includes(requested), message);
    });
  }

  it('replaces invalid bytes of text like a browser', async (t) => {
    const { url } = await serveWebtool(t, {
      answering: (response) =>
        response.setHeader('content-type', 'text/plain; charset=utf-8').end(Buffer.from([0x61, 0xff, 0x00])),
    });
    assert.equal((await envelopeOf(await post(url, note))).data?.text, 'a\ufffd\0');
  });

  it('rejects a base URL with a private address', () => {
    for (const baseUrl of [
      'http://localhost/',
      'http://127.1/',
      'http://[::1]:8080/',
      'http://10.0.0.1/',
      'http://shop/',
    ]) {
      const error = { code: 'config-error', message: /private or loopback address\. Allow private addresses/ };
      assert.throws(() => createGateway(manifestOf(page), { baseUrl }), error);
    }
  });

  it('does not follow a redirect to a private address of an allowed origin', async (t) => {
    const internal = await serveWebtool(t);
    const requested: string[] = [];
    const { url } = await serveWebtool(t, {
      baseUrl: 'https://shop.example/',
      allowPrivateAddresses: false,
      origins: [internal.site.origin],
      fetch: (to) => {
        requested.push(to);
        return Promise.resolve(new Response(null, { status: 307, headers: { location: internal.site.origin } }));
      },
    });
    await refusalOf(post(url, note), 502, 'UPSTREAM_REFUSED_ADDRESS');
    assert.deepEqual([requested, internal.site.requests], [['https://shop.example/note'], []]);
  });
});

describe('createGateway, when the form cannot be submitted', () => {
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
    ['PAGE_FORBIDDEN', 502, form('method=post', hidden), {}, (response) => response.writeHead(403).end(secret)],
    ['PAGE_NOT_FOUND', 502, form('method=post', hidden), {}, (response) => response.writeHead(404).end(secret)],
    ['LOGIN_REQUIRED', 502, form('method=post', hidden), {}, (response) => response.writeHead(401).end(secret)],
    [
      'PAGE_DRIFT',
      502,
      form('method=post', hidden),
      { a: 'x' },
      (response) => response.end(form('method=post', '<input name=b>')),
    ],
    ['PAGE_DRIFT', 502, form('method=post', hidden), {}, (response) => response.end(secret)],
  ];
  for (const [code, status, html, request, answering] of cases) {
    it(`returns ${code} before it submits ${html}`, async (t) => {
      const { url, site } = await serveWebtool(t, { manifest: manifestOf(html), ...(answering && { answering }) });
      const message = await refusalOf(post(url, { action: 't', request }), status, code);
      assert.doesNotMatch(message, isSecret);
      assert.deepEqual(linesOf(site), answering ? ['GET /'] : []);
    });
  }
});

describe('createGateway, when a store fails', () => {
  const call = { ...note, sessionId: 'the-session-of-mine' };

  it('rejects a call with a session before it is sent', async (t) => {
    const { url, site, events } = await serveWebtool(t, { sessions: brokenStorage(...allFunctions) });
    const message = await refusalOf(post(url, call), 503, 'STORE_UNAVAILABLE');
    assert.match(message, /The store of sessions/);
    assert.deepEqual(site.requests, []);
    assert.match(inspect(events[0]?.error), /ECONNREFUSED/);
    assert.doesNotMatch(message + inspect(events, { depth: Infinity }), isSecret);
    assert.equal((await post(url, note)).status, 200, 'a call without a session fails');
  });

  it('returns the response of the site with a warning if the session cannot be saved', async (t) => {
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

  it('returns STORE_UNAVAILABLE without details if versions cannot be read', async (t) => {
    const { url, site, events } = await serveWebtool(t, { versions: brokenStorage(...allFunctions) });
    const messages = await Promise.all([
      refusalOf(fetch(url), 503, 'STORE_UNAVAILABLE'),
      refusalOf(fetch(`${url}0.1.0`), 503, 'STORE_UNAVAILABLE'),
      refusalOf(post(url, { ...note, version: '0.1.0' }), 503, 'STORE_UNAVAILABLE'),
    ]);
    assert.doesNotMatch(messages.join() + inspect(events, { depth: Infinity }), isSecret);
    assert.deepEqual([site.requests, events.length], [[], 3]);
  });
});

describe('createGateway, with secrets', () => {
  const secretPage = page.replace('value=OLD', `value=${secret}-token-in-the-page`);
  /** A site that repeats everything it receives in its response or cookies. */
  const repeating: Answering = (response, request) => {
    response.setHeader('set-cookie', `sid=${secret}-cookie-of-the-session; HttpOnly`);
    if (request.method === 'GET' && request.url === '/')
      response.setHeader('content-type', 'text/html').end(secretPage);
    else echo(response, { ...request, body: JSON.stringify([request.body, request.headers]) });
  };
  const order = (url: string, more: object): Promise<Response> =>
    post(url, { action: 'order', request: { goods: 'tea' }, sessionId: `${secret}-the-session`, ...more });

  async function check(t: TestContext, options: Partial<WebtoolOptions>, config: object, answering: Answering) {
    const { url, site, events } = await serveWebtool(t, { answering, ...options, manifest: manifestOf(secretPage) });
    const received: string[] = [];
    for (const response of [await order(url, { config }), await order(url, { config }), await fetch(url)]) {
      received.push(await response.clone().text(), ...[...response.headers].flat());
    }
    const sent = site.requests.filter(({ method }) => method === 'POST').at(-1);
    assert.match(JSON.stringify(sent), isSecret, 'the site did not receive the secret');
    assert.doesNotMatch(received.join('\n'), isSecret);
    assert.doesNotMatch(inspect(events, { depth: Infinity }), isSecret);
    return sent;
  }

  const failing: Answering = (response, request) =>
    request.method === 'POST' ? response.writeHead(500).end(JSON.stringify(request)) : repeating(response, request);

  for (const [name, answering] of [
    ['succeeds', repeating],
    ['fails', failing],
  ] as const) {
    it(`sends secrets of the page, cookies and operator only to the site when it ${name}`, async (t) => {
      const config = { headers: { authorization: `Bearer ${secret}-operator`, 'x-key': `${secret}-key` } };
      const sent = await check(t, { config }, {}, answering);
      assert.equal(sent?.headers.authorization, `Bearer ${secret}-operator`);
      assert.equal(sent.headers.cookie, `sid=${secret}-cookie-of-the-session`);
      assert.match(sent.body, /token=S3CRET-token-in-the-page/);
    });

    it(`sends secrets of the client only to the site when it ${name}`, async (t) => {
      const config = {
        authorization: `Bearer ${secret}-client`,
        values: { order: { token: `${secret}-token-of-the-client` } },
      };
      const sent = await check(t, {}, config, answering);
      assert.equal(sent?.headers.authorization, `Bearer ${secret}-client`);
      assert.match(sent.body, /token=S3CRET-token-of-the-client/);
    });
  }

  it('sends credentials of the base URL only to the site', async (t) => {
    const { site } = await serveWebtool(t, { answering: repeating });
    const baseUrl = site.origin.replace('//', `//user:${secret}-password@`);
    const { url, events } = await serveWebtool(t, { baseUrl });
    const received = [
      await (await fetch(url)).text(),
      await (await order(url, {})).text(),
      await (await order(url, { x: 1 })).text(),
    ];
    assert.match(atob(site.requests.at(-1)?.headers.authorization?.slice(6) ?? ''), isSecret);
    assert.doesNotMatch(received.join() + inspect(events), isSecret);
  });

  it('separates the cookies of sessions', async (t) => {
    const { url, site } = await serveWebtool(t, {
      answering: (response, request) => {
        response.setHeader('set-cookie', `of=${request.body.includes('one') ? 'one' : 'other'}`);
        echo(response, request);
      },
    });
    const send = (sessionId: string | undefined, text: string) =>
      post(url, { action: 'note', request: { text }, ...(sessionId && { sessionId: `the-session-of-${sessionId}` }) });
    for (const [session, text] of [
      ['a', 'one'],
      ['b', 'two'],
      ['a', 'one'],
      ['b', 'two'],
      [undefined, 'one'],
    ] as const) {
      await send(session, text);
    }
    assert.deepEqual(
      site.requests.map(({ headers }) => headers.cookie),
      [undefined, undefined, 'of=one', 'of=other', undefined],
    );
  });
});
