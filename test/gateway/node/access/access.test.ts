import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { openRateLimiter } from '../../../../gateway/src/node/index.js';
import { findCall, findOverMcp, openGateway, send, type Sent } from '../../../support/gateway/served.js';

const evil = 'http://evil.example';
const faces = { webtool: findCall, MCP: findOverMcp } as const;
const token = 'a-token-of-at-least-20-characters';

for (const [face, call] of Object.entries(faces)) {
  describe(`a call of a page, to the ${face} of a gateway on all addresses`, () => {
    const foreign: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
      ['whose name resolves to the gateway', { host: 'evil.example', origin: evil }, 421],
      ['whose name with a port resolves to the gateway', { host: 'evil.example:80', origin: evil }, 421],
      ['whose name contains the address', { host: '127.0.0.1.nip.io', origin: 'http://127.0.0.1.nip.io' }, 421],
      ['of another origin', { host: '127.0.0.1', origin: evil }, 403],
      ['of another port of the same host', { host: '127.0.0.1:8787', origin: 'http://127.0.0.1:3000' }, 403],
      ['of an opaque origin', { host: '127.0.0.1', origin: 'null' }, 403],
      ['of a file', { host: '127.0.0.1', origin: 'file://' }, 403],
      ['of an extension', { host: '127.0.0.1', origin: 'chrome-extension://abcdef' }, 403],
      ['without Origin but of another site', { host: '127.0.0.1', 'sec-fetch-site': 'cross-site' }, 403],
      ['without Origin but of another host of the site', { host: 'localhost', 'sec-fetch-site': 'same-site' }, 403],
      [
        'that is the target of a form of another site',
        {
          host: 'localhost',
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
        },
        403,
      ],
    ];
    for (const [name, headers, expected] of foreign) {
      it(`is refused before anything runs: a page ${name}`, async (t) => {
        const { port, site, lines } = await openGateway(t, { host: '0.0.0.0', allowAnonymous: true });
        const { status } = await send(port, call(headers));
        assert.equal(status, expected);
        assert.deepEqual(site.requests, []);
        const code = expected === 421 ? 'host-not-allowed' : 'origin-not-allowed';
        assert.deepEqual(
          lines().map(({ msg, code: each, client }) => [msg, each, client]),
          [['refused', code, '127.0.0.1']],
        );
      });
    }

    const own: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      'from a program': { host: '192.0.2.1:8787' },
      'from a page of the address': { host: '192.0.2.1:8787', origin: 'http://192.0.2.1:8787' },
      'from a page of a loopback name': { host: 'localhost:8787', origin: 'http://localhost:8787' },
      'from a page behind a proxy with TLS': { host: '192.0.2.1', origin: 'https://192.0.2.1' },
      'from a page of an allowed origin': { host: '192.0.2.1', origin: 'https://app.example' },
      'from a page of the same origin, without Origin': { host: '192.0.2.1', 'sec-fetch-site': 'same-origin' },
    };
    for (const [name, headers] of Object.entries(own)) {
      it(`is accepted ${name}`, async (t) => {
        const options = { host: '0.0.0.0', allowAnonymous: true, cors: ['https://app.example'] };
        const { port, site } = await openGateway(t, options);
        assert.equal((await send(port, call(headers))).status, 200);
        assert.equal(site.requests.length, 1);
      });
    }

    it('is accepted at an allowed name, from its own pages only', async (t) => {
      const { port, site } = await openGateway(t, { allowedHosts: ['tools.example'] });
      const statuses = [];
      for (const origin of ['https://tools.example', 'http://tools.example', 'https://tools.example:444', evil]) {
        statuses.push((await send(port, call({ host: 'tools.example', origin }))).status);
      }
      assert.deepEqual(statuses, [200, 200, 403, 403]);
      assert.equal(site.requests.length, 2);
    });

    it('is accepted from every page with the CORS origin *', async (t) => {
      const { port } = await openGateway(t, { cors: ['*'] });
      assert.equal((await send(port, call({ host: 'localhost', origin: evil }))).status, 200);
      assert.equal((await send(port, call({ host: 'evil.example', origin: evil }))).status, 421);
    });
  });
}

describe('other requests of a page of another origin', () => {
  const headers = { host: 'localhost', origin: evil };
  const requests: readonly Sent[] = [
    { headers },
    { path: '/1.0.0', headers },
    { path: '/healthz', headers },
    { path: '/readyz', headers },
    { path: '/mcp', headers: { ...headers, accept: 'text/event-stream' } },
    { method: 'DELETE', path: '/mcp', headers },
    { method: 'OPTIONS', headers: { ...headers, 'access-control-request-method': 'POST' } },
  ];
  for (const request of requests) {
    it(`are refused: ${request.method ?? 'GET'} ${request.path ?? '/'}`, async (t) => {
      const { port } = await openGateway(t);
      const { status, headers: received } = await send(port, request);
      assert.deepEqual([status, received['access-control-allow-origin']], [403, undefined]);
    });
  }

  it('are accepted if a person follows a link', async (t) => {
    const { port } = await openGateway(t);
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const headersOf = (dest: string): Sent => ({ headers: { host: 'localhost', ...link, 'sec-fetch-dest': dest } });
    assert.equal((await send(port, headersOf('document'))).status, 200);
    assert.equal((await send(port, headersOf('iframe'))).status, 403);
  });
});

describe('serve at an address other than loopback', () => {
  for (const host of ['0.0.0.0', '::', '', '127.0.0.1.nip.io']) {
    it(`requires a token: ${host || 'the empty string'}`, async (t) => {
      await assert.rejects(openGateway(t, { host }), {
        code: 'config-error',
        message: /WEBMCP_FORMS_TOKEN.*--allow-anon/,
      });
    });
  }

  it('starts with a token', async (t) => {
    const { port } = await openGateway(t, { host: '0.0.0.0', token });
    assert.equal((await send(port, findCall())).status, 401);
    assert.equal((await send(port, findCall({ authorization: `Bearer ${token}` }))).status, 200);
  });
});

const wrong = (index: number): Record<string, string> => ({ authorization: `Bearer wrong-${index}` });
const right = { authorization: `Bearer ${token}` };

describe('wrong tokens', () => {
  const attempts = async (port: number, count: number, call: (headers: Record<string, string>) => Sent) => {
    const statuses = [];
    for (let index = 0; index < count; index++) statuses.push((await send(port, call(wrong(index)))).status);
    return statuses;
  };

  for (const [face, call] of Object.entries(faces)) {
    it(`count against the rate limit of the ${face}`, async (t) => {
      const rateLimiter = await openRateLimiter({ calls: 2, seconds: 60, name: 'shop' });
      const { port, lines } = await openGateway(t, { token, rateLimiter });
      assert.deepEqual(await attempts(port, 8, call), [401, 401, 429, 429, 429, 429, 429, 429]);
      assert.equal(lines().filter(({ msg }) => msg === 'refused').length, 8);
      assert.equal((await send(port, call(right))).status, 429);
    });

    it(`are limited also if no rate limit is configured, for the ${face}`, async (t) => {
      const { port } = await openGateway(t, { token });
      const statuses = await attempts(port, 12, call);
      assert.deepEqual([statuses.slice(0, 10), statuses.slice(10)], [Array<number>(10).fill(401), [429, 429]]);
      const { status, headers } = await send(port, call(right));
      assert.equal(status, 429);
      assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60);
    });
  }

  it('are limited by address, for requests with any method', async (t) => {
    const { port } = await openGateway(t, { token, clientAddressHeader: 'x-forwarded-for' });
    const get = (headers: Record<string, string>): Sent => ({
      headers: { ...headers, 'x-forwarded-for': '192.0.2.1' },
    });
    assert.deepEqual((await attempts(port, 12, get)).slice(9), [401, 429, 429]);
    assert.equal((await send(port, { headers: { ...right, 'x-forwarded-for': '192.0.2.2' } })).status, 200);
  });

  it('do not include requests without a token, which clients send first', async (t) => {
    const { port } = await openGateway(t, { token });
    for (let index = 0; index < 15; index++) assert.equal((await send(port, findCall())).status, 401);
    assert.equal((await send(port, findCall(right))).status, 200);
  });

  it('are logged without the token', async (t) => {
    const { port, lines } = await openGateway(t, { token });
    const { headers } = await send(port, findCall({ authorization: 'Bearer S3CRET-of-somebody' }));
    assert.match(headers['www-authenticate'] ?? '', /^Bearer realm=".+", error="invalid_token"$/);
    assert.deepEqual(
      lines().map(({ msg, code, client, requestId }) => [msg, code, client, requestId]),
      [['refused', 'unauthorized', '127.0.0.1', headers['x-request-id']]],
    );
    assert.doesNotMatch(JSON.stringify(lines()), /S3CRET/);
  });
});

describe('tokens', () => {
  it('have at least 20 characters', async (t) => {
    for (const each of ['', 'x', 'x'.repeat(19), `${'x'.repeat(20)} `, `${'x'.repeat(20)}\n`]) {
      await assert.rejects(openGateway(t, { token: each }), { code: 'config-error', message: /openssl rand -hex 32/ });
      await assert.rejects(openGateway(t, { tokens: [{ name: 'ann', token: each }] }), { code: 'config-error' });
    }
    await openGateway(t, { token: 'x'.repeat(20) });
  });

  it('must differ between clients, so that their sessions are separate', async (t) => {
    const tokens = ['ann', 'bob'].map((name) => ({ name, token }));
    await assert.rejects(openGateway(t, { tokens }), { code: 'config-error', message: /^Two clients have the same/ });
    const ann = { name: 'ann', token };
    await assert.rejects(openGateway(t, { token, tokens: [ann] }), { code: 'config-error' });
  });

  it('identify clients by name, each with its own rate limit', async (t) => {
    const rateLimiter = await openRateLimiter({ calls: 1, seconds: 60, name: 'shop' });
    const tokens = [
      { name: 'ann', token: `ann-${token}` },
      { name: 'bob', token: `bob-${token}` },
    ];
    const { port, lines } = await openGateway(t, { tokens, rateLimiter });
    const statusOf = async (name: string): Promise<number> =>
      (await send(port, findCall({ authorization: `Bearer ${name}-${token}` }))).status;
    assert.deepEqual([await statusOf('ann'), await statusOf('ann'), await statusOf('bob')], [200, 429, 200]);
    assert.deepEqual(
      lines().map(({ msg, client, code }) => [msg, client, code]),
      [
        ['call', 'ann', 'ok'],
        ['refused', 'ann', 'rate-limit'],
        ['call', 'bob', 'ok'],
      ],
    );
  });

  it('separate the sessions of clients that use the same session ID', async (t) => {
    const tokens = [{ token }, { name: 'bob', token: `bob-${token}` }];
    const { port, site } = await openGateway(t, { tokens });
    const call = async (authorization: string, action: string, request: object): Promise<void> => {
      const body = JSON.stringify({ action, request, sessionId: 'the-same-session' });
      assert.equal((await send(port, { ...findCall({ authorization }), body })).status, 200);
    };
    await call(`Bearer ${token}`, 'order', { what: 'tea' });
    await call(`Bearer bob-${token}`, 'find', { q: 'x' });
    assert.equal(site.requests.at(-1)?.headers.cookie, undefined);
    await call(`Bearer ${token}`, 'find', { q: 'x' });
    assert.equal(site.requests.at(-1)?.headers.cookie, 'shown=COOKIE-VALUE-123');
  });
});
