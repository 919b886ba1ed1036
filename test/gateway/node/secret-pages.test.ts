import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import type { ServeOptions } from '../../../gateway/src/node/index.js';
import { openAuthorizationServer, publicUrl } from '../../support/gateway/authorization-server.js';
import { manifest } from '../../support/gateway/mcp-shop-manifest.js';
import { openGateway } from '../../support/gateway/served.js';
import { SecretPage } from '../../support/gateway/secret-page.js';

const version = '2026-07-28';
const meta = 'io.modelcontextprotocol';
const pin = 'correct-horse-7';
const tokens = { ann: 'a'.repeat(24), bob: 'b'.repeat(24) };

interface Result {
  readonly resultType?: string;
  readonly requestState?: string;
  readonly inputRequests?: { readonly secrets?: { readonly params: { readonly url: string } } };
}

async function open(t: TestContext, options: Partial<ServeOptions> = {}) {
  const gateway = await openGateway(t, { manifest, confirm: 'never', ...options });
  const post = async <Answer>(token: string, method: string, params: object): Promise<Answer> => {
    const elicitation = { url: {} };
    const _meta = { [`${meta}/protocolVersion`]: version, [`${meta}/clientCapabilities`]: { elicitation } };
    const response = await fetch(`${gateway.url}mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...('name' in params && { 'mcp-name': String(params.name) }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    });
    return (await response.json()) as Answer;
  };
  const call = (token: string, more: object = {}): Promise<{ result?: Result; error?: { message: string } }> =>
    post(token, 'tools/call', { name: 'settle', arguments: { goods: 'tea' }, ...more });
  const list = async (token: string): Promise<readonly string[]> => {
    const { result } = await post<{ result: { tools: readonly { name: string }[] } }>(token, 'tools/list', {});
    return result.tools.map(({ name }) => name);
  };
  return { ...gateway, call, list };
}

describe('serve, pages for secrets', () => {
  it('accept only the user of the call, with the token as the password', async (t) => {
    const named = Object.entries(tokens).map(([name, token]) => ({ name, token }));
    const { call, lines, site } = await open(t, { tokens: named });
    const { result } = await call(tokens.ann);
    const { url = '' } = result?.inputRequests?.secrets?.params ?? {};
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp\/ask\/[\w-]{43}$/);
    const stranger = await new SecretPage(url).open();
    assert.equal(stranger.status, 401);
    assert.match(stranger.headers.get('www-authenticate') ?? '', /^Basic realm=/);
    assert.equal((await new SecretPage(url, { token: 'c'.repeat(24) }).open()).status, 401);
    assert.equal((await new SecretPage(url, { token: tokens.bob }).open()).status, 403);
    const page = await new SecretPage(url, { token: tokens.ann }).open();
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'; .*frame-ancestors 'none'/);
    assert.equal(page.headers.get('referrer-policy'), 'same-origin');
    assert.equal((await page.send([pin], { origin: 'https://evil.example' })).status, 403);
    assert.equal((await (await page.open()).send([pin])).status, 200);
    const answered = { requestState: result?.requestState, inputResponses: { secrets: { action: 'accept' } } };
    assert.equal((await call(tokens.bob, answered)).error?.message, 'Invalid or expired requestState');
    const done = await call(tokens.ann, answered);
    assert.equal(done.result?.resultType, 'complete');
    assert.deepEqual(
      site.requests.filter(({ method }) => method === 'POST').map(({ body }) => body),
      [`goods=tea&pin=${pin}`],
    );
    const log = JSON.stringify(lines());
    assert.match(log, /"action":"settle"/);
    assert.doesNotMatch(log, new RegExp(`correct-horse|${url.slice(-43)}`));
  });

  it('need a public URL where a proxy may make the gateway public', async (t) => {
    const hidden = await open(t, { clientAddressHeader: 'x-forwarded-for' });
    assert.match((await hidden.call('')).error?.message ?? '', /Unknown tool/);
    const { call } = await open(t, {
      clientAddressHeader: 'x-forwarded-for',
      publicUrl: 'https://tools.shop.example/',
    });
    const { url = '' } = (await call('')).result?.inputRequests?.secrets?.params ?? {};
    assert.match(url, /^https:\/\/tools\.shop\.example\/mcp\/ask\//);
    await assert.rejects(open(t, { publicUrl: 'http://tools.shop.example/' }), /the public URL has no TLS/);
  });

  it('do not exist with an authorization server, because a browser has no access token', async (t) => {
    const { issuer, sign } = await openAuthorizationServer();
    const { call, list, url } = await open(t, { oauth: { issuer }, publicUrl });
    const token = await sign();
    const names = await list(token);
    assert.ok(names.includes('order') && !names.includes('settle'), names.join());
    assert.match((await call(token)).error?.message ?? '', /Unknown tool/);
    const path = `mcp/ask/${'a'.repeat(43)}`;
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      const page = await new SecretPage(url + path).open(headers);
      assert.ok(page.status >= 400, String(page.status));
      assert.doesNotMatch(page.html, /<(?:html|form)/);
    }
  });
});
