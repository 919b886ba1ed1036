// @module-tag long
import assert from 'node:assert/strict';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { SignJWT, UnsecuredJWT, type JWK } from 'jose';
import { describe, it, type TestContext } from 'vitest';
import {
  mcpResource,
  openAuthorizationServer,
  publicUrl,
  type AuthorizationServer,
} from '../../../support/gateway/authorization-server.js';
import { post } from '../../../support/gateway/serve-process.js';
import {
  findCall,
  findOverMcp,
  openGateway,
  send,
  type Sent,
  type ServedGateway,
} from '../../../support/gateway/served.js';
import type { OAuthOptions, ServeOptions } from '../../../../gateway/src/node/index.js';

const faces = { webtool: findCall, MCP: findOverMcp } as const;
const metadataUrl = { webtool: 'oauth-protected-resource', MCP: 'oauth-protected-resource/mcp' } as const;
const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });

type OpenOptions = Omit<Partial<ServeOptions>, 'oauth'> & { readonly oauth?: Partial<OAuthOptions> };

interface Opened extends ServedGateway {
  readonly server: AuthorizationServer;
}

async function open(t: TestContext, { oauth, ...options }: OpenOptions = {}): Promise<Opened> {
  const server = await openAuthorizationServer();
  const gateway = await openGateway(t, {
    ...options,
    oauth: { issuer: server.issuer, keyCooldown: 0, ...oauth },
    publicUrl,
  });
  return { ...gateway, server };
}

/** A call that submits a form. */
const ordering = (call: Sent): Sent => ({
  ...call,
  body: (call.body ?? '').replace('"find"', '"order"').replace('"q"', '"what"'),
});

const now = (): number => Math.floor(Date.now() / 1000);
const claimsOf = ({ issuer }: AuthorizationServer): object => ({
  ...{ iss: issuer, sub: 'alice', aud: mcpResource, exp: now() + 600, scope: 'forms:read forms:submit' },
});

/** The public key of a server in PEM, as the secret of a symmetric signature. */
async function signWithPublicKey(server: AuthorizationServer): Promise<string> {
  const { keys } = (await (await fetch(`${server.issuer}/jwks`)).json()) as { readonly keys: readonly JWK[] };
  const [key = assert.fail('no key')] = keys;
  const pem = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
  return await new SignJWT({ ...claimsOf(server) })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key.kid ?? '' })
    .sign(new TextEncoder().encode(pem));
}

/** Replaces the subject of a token. */
function tamper(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = Buffer.from(payload, 'base64url').toString().replace('alice', 'admin');
  return [header, Buffer.from(claims).toString('base64url'), signature].join('.');
}

type Sign = (server: AuthorizationServer) => Promise<string> | string;

const wrongTokens: Readonly<Record<string, readonly [Sign, RegExp]>> = {
  'of another issuer': [({ sign }) => sign({ iss: 'https://evil.example' }), /another issuer\. Get a token from http/],
  'for another audience': [
    ({ sign }) => sign({ aud: 'https://other.example/mcp' }),
    /another audience\. Request a token for https:\/\/tools\.example\/(mcp)?\./,
  ],
  'without an audience': [({ sign }) => sign({ aud: undefined }), /another audience/],
  'that has expired': [({ sign }) => sign({ exp: now() - 60 }), /has expired\. Get a new one from http/],
  'that does not expire': [({ sign }) => sign({ exp: undefined }), /no valid claim exp/],
  'that is not valid yet': [({ sign }) => sign({ nbf: now() + 60 }), /not valid yet\. Compare the clocks/],
  'without a subject': [({ sign }) => sign({ sub: '' }), /no subject/],
  'that was changed': [async ({ sign }) => tamper(await sign()), /signature of the token is invalid/],
  'without a signature': [(server) => new UnsecuredJWT({ ...claimsOf(server) }).encode(), /asymmetric algorithm/],
  'that is signed with the public key as a secret': [signWithPublicKey, /asymmetric algorithm/],
  'of another server with the same name of the key': [
    async ({ issuer }) => await (await openAuthorizationServer('another')).sign({ iss: issuer }),
    /signature of the token is invalid/,
  ],
  'of another type': [({ sign }) => sign({}, { typ: 'logout+jwt' }), /not an access token/],
  'that is bound to a key': [({ sign }) => sign({ cnf: { jkt: 'x' } }), /bound to a key of its client/],
  'that is opaque': [() => 'an-opaque-token-of-the-server', /neither a signed JWT nor a token of the gateway/],
};

for (const [face, call] of Object.entries(faces)) {
  describe(`the ${face} of a gateway with OAuth`, () => {
    it('sends the place of its metadata and the scope to read to a client without a token', async (t) => {
      const { port, site } = await open(t);
      const { status, headers, text } = await send(port, call());
      const url = `${publicUrl}.well-known/${metadataUrl[face as keyof typeof faces]}`;
      const expected = `Bearer realm="webmcp-gateway", scope="forms:read", resource_metadata="${url}"`;
      assert.deepEqual([status, headers['www-authenticate'], site.requests], [401, expected, []]);
      assert.match(text, /The token is missing\. Get an access token from http:\/\/127\.0\.0\.1/);
    });

    for (const [name, [sign, message]] of Object.entries(wrongTokens)) {
      it(`refuses a token ${name}, and does not repeat it`, async (t) => {
        const { port, site, server, lines } = await open(t);
        const token = await sign(server);
        const { status, headers, text } = await send(port, call(bearer(token)));
        assert.equal(status, 401);
        assert.match(text, message);
        assert.match(
          headers['www-authenticate'] ?? '',
          /^Bearer error="invalid_token", error_description="The .*resource_metadata="https:/,
        );
        assert.deepEqual(site.requests, []);
        const written = JSON.stringify([headers, text, lines()]);
        for (const part of token.split('.').filter((each) => each.length > 8)) assert.ok(!written.includes(part));
      });
    }

    it('sends the scope that a call needs to a client whose token lacks it', async (t) => {
      const { port, site, server } = await open(t);
      const attempt = async (scope: string, request: Sent): Promise<readonly unknown[]> => {
        const token = await server.sign({ scope });
        const { status, headers } = await send(port, { ...request, headers: { ...request.headers, ...bearer(token) } });
        return [status, /error="(\w+)".*scope="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.slice(1)];
      };
      assert.deepEqual(await attempt('', call()), [403, ['insufficient_scope', 'forms:read']]);
      assert.deepEqual(await attempt('forms:read', ordering(call())), [403, ['insufficient_scope', 'forms:submit']]);
      assert.deepEqual(await attempt('other', ordering(call())), [403, ['insufficient_scope', 'forms:submit']]);
      assert.deepEqual(site.requests, []);
      assert.deepEqual(await attempt('forms:read', call()), [200, undefined]);
      assert.deepEqual(await attempt('forms:submit', call()), [200, undefined]);
      assert.deepEqual(await attempt('forms:submit', ordering(call())), [200, undefined]);
      assert.equal(site.requests.filter(({ method }) => method === 'POST').length, 1);
    });

    it('accepts tokens for either of its resources, and does not send them to the site', async (t) => {
      const { port, site, server, lines } = await open(t);
      for (const aud of [publicUrl, 'https://tools.example', mcpResource, ['https://other.example', mcpResource]]) {
        const token = await server.sign({ aud });
        assert.equal((await send(port, call(bearer(token)))).status, 200);
        assert.ok(!JSON.stringify([site.requests, lines()]).includes(token));
      }
      assert.ok(lines().some(({ client }) => client === 'oauth:alice'));
    });

    it('accepts a token of a new key, and refuses one of the key that was removed', async (t) => {
      const { port, server } = await open(t);
      const old = await server.sign();
      assert.equal((await send(port, call(bearer(old)))).status, 200);
      await server.rotate();
      assert.equal((await send(port, call(bearer(await server.sign())))).status, 200);
      assert.equal((await send(port, call(bearer(old)))).status, 401);
    });

    it('answers with 503 while the keys of a token cannot be requested', async (t) => {
      const { port, site, server, lines } = await open(t);
      await server.rotate();
      const token = await server.sign();
      await server.stop();
      const { status, headers, text } = await send(port, call(bearer(token)));
      assert.deepEqual([status, headers['retry-after'], site.requests], [503, '5', []]);
      assert.match(text, /AUTHORIZATION_UNAVAILABLE.*\/jwks refuses the connection\. Nothing was sent to the site/);
      assert.match(
        String(lines().find(({ code }) => code === 'authorization-unavailable')?.reason),
        /refuses the connection/,
      );
    });

    it('also accepts its own token, for all forms', async (t) => {
      const own = 'a-token-of-at-least-20-characters';
      const { port } = await open(t, { token: own });
      assert.equal((await send(port, ordering(call(bearer(own))))).status, 200);
      assert.equal((await send(port, call(bearer('another-token-of-20-characters')))).status, 401);
    });

    it('limits requests with tokens that the issuer did not sign, but not those with expired tokens', async (t) => {
      const { port, server } = await open(t);
      const [expired, good] = await Promise.all([server.sign({ exp: 1 }), server.sign()]);
      for (let index = 0; index < 12; index++) assert.equal((await send(port, call(bearer(expired)))).status, 401);
      assert.equal((await send(port, call(bearer(good)))).status, 200);
      for (let index = 0; index < 10; index++)
        assert.equal((await send(port, call(bearer(`wrong-${index}`)))).status, 401);
      assert.equal((await send(port, call(bearer(good)))).status, 429);
    });

    it('refuses a header that is too large', async (t) => {
      const { port, site } = await open(t);
      assert.equal((await send(port, call(bearer('a'.repeat(20_000))))).status, 431);
      assert.deepEqual(site.requests, []);
    });

    it('uses the configured scopes and the configured audience', async (t) => {
      const names = { readScope: 'shop.read', submitScope: 'shop.write', audience: 'api://shop' };
      const { port, server } = await open(t, { oauth: names });
      const statusOf = async (claims: object): Promise<number> =>
        (await send(port, call(bearer(await server.sign({ aud: 'api://shop', ...claims }))))).status;
      assert.deepEqual(await statusOf({ scope: undefined, scp: ['shop.read'] }), 200);
      assert.deepEqual(await statusOf({ scope: undefined, scp: 'shop.write other' }), 200);
      assert.deepEqual(await statusOf({ scope: 'forms:read' }), 403);
      assert.deepEqual(await statusOf({ scope: 'shop.read', aud: mcpResource }), 401);
    });
  });
}

describe('a gateway with OAuth', () => {
  it('serves the metadata of both resources to any page, without a token', async (t) => {
    const { port, server } = await open(t);
    for (const [path, resource] of [
      ['/.well-known/oauth-protected-resource', publicUrl],
      ['/.well-known/oauth-protected-resource/mcp', mcpResource],
    ] as const) {
      const { status, headers, text } = await send(port, { path, headers: { origin: 'https://agent.example' } });
      assert.deepEqual([status, headers['access-control-allow-origin']], [200, '*']);
      assert.deepEqual(JSON.parse(text), {
        resource,
        authorization_servers: [server.issuer],
        scopes_supported: ['forms:read', 'forms:submit'],
      });
    }
  });

  it('requires a scope also for the metadata of the webtool and for streams', async (t) => {
    const { port, server } = await open(t);
    const headers = { ...bearer(await server.sign({ scope: 'other' })), accept: 'text/event-stream' };
    for (const path of ['/', '/1.0.0', '/mcp']) assert.equal((await send(port, { path, headers })).status, 403);
    assert.equal((await send(port, { path: '/mcp', method: 'DELETE', headers })).status, 403);
  });

  it('requires the scope to submit for a batch with one submission', async (t) => {
    const { port, site, server } = await open(t);
    const call = (name: string, id: number): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: {} },
    });
    const headers = { ...findOverMcp().headers, ...bearer(await server.sign({ scope: 'forms:read' })) };
    const body = JSON.stringify([call('find', 1), call('order', 2)]);
    assert.equal((await send(port, { ...findOverMcp(), headers, body })).status, 403);
    assert.deepEqual(site.requests, []);
  });

  it('does not let a user continue the session of another user', async (t) => {
    const { url, server } = await open(t);
    const sessionId = '6f1c8f9e-5f0f-4f53-9f4c-0d9f7f4b2b11';
    const call = async (sub: string, action: string, request: object): Promise<unknown> => {
      const { body } = await post(url, { action, request, sessionId }, bearer(await server.sign({ sub })));
      return body.data?.json?.cookie;
    };
    await call('alice', 'order', { what: 'tea' });
    assert.match(String(await call('alice', 'find', { q: 'tea' })), /^shown=/);
    assert.equal(await call('bob', 'find', { q: 'tea' }), null);
  });

  it('allows the host of its public URL', async (t) => {
    const { port, server } = await open(t);
    const headers = bearer(await server.sign());
    assert.equal((await send(port, findCall({ ...headers, host: 'tools.example' }))).status, 200);
    assert.equal((await send(port, findCall({ ...headers, host: 'evil.example' }))).status, 421);
  });
});
