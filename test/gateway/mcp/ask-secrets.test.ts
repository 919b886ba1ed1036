import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { LiveManifest } from '../../../gateway/src/manifest.js';
import { createMcpHandler, type McpHandlerOptions } from '../../../gateway/src/mcp/handler.js';
import { manifest, manifestOf, openShop, page } from '../../support/gateway/mcp-shop.js';
import { SecretPage } from '../../support/gateway/secret-page.js';

const version = '2026-07-28';
const meta = 'io.modelcontextprotocol';
const pin = 'correct-horse-7';
const publicUrl = 'https://tools.shop.example/mcp';

interface Rpc {
  readonly result?: {
    readonly resultType: string;
    readonly requestState?: string;
    readonly inputRequests?: Readonly<
      Record<string, { readonly params: { readonly url: string; readonly message: string } }>
    >;
    readonly isError?: boolean;
    readonly content?: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

interface More {
  readonly requestState?: string;
  readonly inputResponses?: object;
  readonly session?: string;
  readonly client?: string;
}

const accepted = { secrets: { action: 'accept' } };

async function open(t: TestContext, options: Partial<McpHandlerOptions> = {}, html = page) {
  const site = await openShop(t);
  const live = new LiveManifest(manifestOf(html));
  const settings = {
    baseUrl: site.origin,
    allowPrivateAddresses: true,
    confirm: 'never',
    publicUrl,
    ...options,
  } as const;
  const handle = createMcpHandler(live, settings);
  const call = async (
    input: object,
    { client = 'ann', session, ...more }: More = {},
    name = 'settle',
  ): Promise<Rpc> => {
    const _meta = {
      [`${meta}/protocolVersion`]: version,
      [`${meta}/clientCapabilities`]: { elicitation: { url: {} } },
      ...(session !== undefined && { 'webmcp-forms/session': session }),
    };
    const method = 'tools/call';
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const standard = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name };
    const request = new Request('http://gateway.example/mcp', {
      method: 'POST',
      headers: { ...headers, ...standard, 'x-client': client },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name, arguments: input, ...more, _meta } }),
    });
    return (await (await handle(request)).json()) as Rpc;
  };
  const fetchPage =
    (client = 'ann'): typeof fetch =>
    async (url, init) => {
      const request = new Request(url, init);
      request.headers.set('x-client', client);
      return await handle(request);
    };
  /** Calls the tool, and returns the state and the page that it asks to open. */
  const ask = async (input: object = { goods: 'tea' }, more?: More) => {
    const { result, error } = await call(input, more);
    assert.equal(result?.resultType, 'input_required', JSON.stringify(error ?? result));
    const { url = '' } = result.inputRequests?.['secrets']?.params ?? {};
    return { requestState: result.requestState ?? '', url, page: new SecretPage(url, { fetch: fetchPage() }) };
  };
  return { site, live, call, ask, fetchPage };
}

const refused = { code: -32602, message: 'Invalid or expired requestState' };
const brief = ({ error }: Rpc): object => ({ code: error?.code, message: error?.message });
const bodies = ({ requests }: { readonly requests: readonly { readonly method: string; readonly body: string }[] }) =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

describe('the page for secrets', () => {
  it('names the site, the tool and what is sent, needs no script, and may not be framed or stored', async (t) => {
    const { ask, site } = await open(t);
    const { url, page } = await ask({ goods: '<b>tea</b> & "more"' });
    assert.match(url, /^https:\/\/tools\.shop\.example\/mcp\/ask\/[\w-]{43}$/);
    const { html, status, headers } = await page.open();
    assert.equal(status, 200);
    assert.ok(html.includes(site.origin));
    assert.match(html, /&quot;settle&quot;/);
    assert.match(html, /&lt;b&gt;tea&lt;\/b&gt; &amp;/);
    assert.match(
      html,
      /<label for="value0"[^>]*>PIN of your account<\/label\s*>\s*<input\s[^>]*type="password"[^>]*id="value0"[^>]*required/,
    );
    assert.match(html, /minlength="4"/);
    assert.doesNotMatch(html, /<script|javascript:| on\w+=/);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /^default-src 'none'; style-src 'nonce-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.match(
      headers.get('set-cookie') ?? '',
      /^webmcp-ask=[\w-]{43}; Path=\/mcp\/ask\/[\w-]{43}; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('accepts the values once, for one call, which hides them in its answer', async (t) => {
    const { ask, call, site } = await open(t);
    const { requestState, page } = await ask();
    assert.match((await (await page.open()).send([pin])).html, /Thank you/);
    assert.equal((await page.send(['another-pin'])).status, 404);
    assert.equal((await page.open()).status, 404);
    const answered = await call({ goods: 'tea' }, { requestState, inputResponses: accepted });
    assert.match(JSON.stringify(answered), /goods=tea&pin=\[hidden\]/);
    assert.doesNotMatch(JSON.stringify(answered), /correct-horse/);
    assert.deepEqual(brief(await call({ goods: 'tea' }, { requestState, inputResponses: accepted })), refused);
    assert.equal((await call({ goods: 'tea' })).result?.resultType, 'input_required');
    assert.deepEqual(bodies(site), [`goods=tea&pin=${pin}`]);
  });

  it('asks for an optional password only if the form has exactly one password, as a login form has', async (t) => {
    const login = (more = ''): string =>
      `<form toolname=login tooldescription="Logs in." method=post action=/orders toolautosubmit><input name=user><input type=password name=pin>${more}<button>Log in</button></form>`;
    const { call, fetchPage, site } = await open(t, {}, login());
    const { result } = await call({ user: 'ann' }, {}, 'login');
    const page = new SecretPage(result?.inputRequests?.['secrets']?.params.url ?? '', { fetch: fetchPage() });
    assert.equal((await (await page.open()).send([pin])).status, 200);
    const more = { requestState: result?.requestState ?? '', inputResponses: accepted };
    await call({ user: 'ann' }, more, 'login');
    assert.deepEqual(bodies(site), [`user=ann&pin=${pin}`]);
    const profile = await open(t, {}, login('<input type=password name=repeated>'));
    assert.equal((await profile.call({ user: 'ann' }, {}, 'login')).result?.resultType, 'complete');
  });

  it('requests the values again if they are missing or the form does not accept them', async (t) => {
    const { ask, call, site } = await open(t);
    const { requestState, page } = await ask();
    await page.open();
    for (const wrong of ['', '123', 'a\nb']) {
      const { status, html } = await page.send([wrong]);
      assert.equal(status, 422);
      assert.match(html, /role="alert"/);
      assert.doesNotMatch(html, /value="123"/);
    }
    assert.equal((await page.send([pin])).status, 200);
    await call({ goods: 'tea' }, { requestState, inputResponses: accepted });
    assert.deepEqual(bodies(site), [`goods=tea&pin=${pin}`]);
  });

  it('refuses another browser, another user, other sites, and forms with an old token or an invalid body', async (t) => {
    const client = ({ headers }: Request): string => headers.get('x-client') ?? '';
    const { ask, fetchPage, site } = await open(t, { client });
    const { url, page } = await ask();
    const [eve, bob] = [new SecretPage(url, { fetch: fetchPage() }), new SecretPage(url, { fetch: fetchPage('bob') })];
    assert.equal((await bob.open()).status, 403);
    assert.equal((await eve.open({ 'sec-purpose': 'prefetch' })).status, 403);
    assert.equal((await page.open()).status, 200);
    assert.equal((await eve.open()).status, 403);
    eve.html = page.html;
    assert.equal((await eve.send([pin])).status, 403);
    bob.html = page.html;
    bob.cookie = page.cookie;
    assert.equal((await bob.send([pin])).status, 403);
    for (const origin of ['https://evil.example', 'null', 'http://tools.shop.example', '']) {
      assert.equal((await page.send([pin], { origin })).status, 403, origin);
    }
    const { html } = page;
    assert.equal((await page.send([pin])).status, 403, 'without its token');
    await page.open();
    assert.equal((await page.send([pin], { 'content-type': 'text/plain' })).status, 403);
    await page.open();
    assert.equal((await page.send([pin.repeat(20_000)])).status, 403);
    await page.open();
    assert.notEqual(page.html, html);
    assert.equal((await page.send([pin])).status, 200);
    assert.deepEqual(site.requests, []);
  });

  it('does not exist under another ID, after too many attempts, and after the call was declined', async (t) => {
    const { ask, call, site, fetchPage } = await open(t);
    const first = await ask();
    const other = first.url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    assert.equal((await new SecretPage(other, { fetch: fetchPage() }).open()).status, 404);
    await first.page.open();
    for (let count = 0; count < 20; count++) await first.page.send(['1']);
    assert.equal((await first.page.open()).status, 404);
    const late = await call({ goods: 'tea' }, { requestState: first.requestState, inputResponses: accepted });
    assert.match(
      JSON.stringify(late.result?.content),
      /DECLINED: The page for the person has expired or was used\. Nothing was sent/,
    );
    const second = await ask();
    const declined = { secrets: { action: 'decline' } };
    const { result } = await call({ goods: 'tea' }, { requestState: second.requestState, inputResponses: declined });
    assert.match(JSON.stringify(result?.content), /DECLINED/);
    assert.equal((await second.page.open()).status, 404);
    assert.deepEqual(site.requests, []);
  });

  it('does not exist after the form has changed, and its answer is refused', async (t) => {
    const { ask, call, site, live } = await open(t);
    const [before, after] = [await ask(), await ask()];
    await before.page.open();
    await after.page.open();
    await before.page.send([pin]);
    live.update(
      manifestOf(
        page.replace('action=/order>\n  <input name=goods required><label>', 'action=/search><label>'),
        '1.1.0',
      ),
    );
    assert.equal((await after.page.send([pin])).status, 409);
    assert.equal((await after.page.open()).status, 404);
    const { requestState } = before;
    assert.deepEqual(brief(await call({ goods: 'tea' }, { requestState, inputResponses: accepted })), refused);
    assert.deepEqual(site.requests, []);
  });
});

describe('the state of a question for secrets', () => {
  it('is refused when it was changed, and for another call, client or session', async (t) => {
    const client = ({ headers }: Request): string => headers.get('x-client') ?? '';
    const { ask, call, site } = await open(t, { client });
    const { requestState, page } = await ask();
    await (await page.open()).send([pin]);
    const answered = { requestState, inputResponses: accepted };
    const [head, body = '', mac] = requestState.split('.');
    const decoded = JSON.parse(Buffer.from(body, 'base64url').toString()) as { p: object };
    const { requestState: own } = await ask({ goods: 'gold' });
    const changed = Buffer.from(JSON.stringify({ ...decoded, p: { ...decoded.p, isConfirmed: true } })).toString(
      'base64url',
    );
    assert.deepEqual(
      brief(await call({ goods: 'tea' }, { ...answered, requestState: `${head}.${changed}.${mac}` })),
      refused,
    );
    assert.deepEqual(brief(await call({ goods: 'tea' }, { ...answered, requestState: own })), refused);
    assert.deepEqual(brief(await call({ goods: 'gold' }, answered)), refused);
    assert.deepEqual(brief(await call({ goods: 'tea' }, { ...answered, client: 'bob' })), refused);
    assert.deepEqual(brief(await call({ goods: 'tea' }, { ...answered, session: crypto.randomUUID() })), refused);
    assert.deepEqual(brief(await call({ goods: 'tea' }, answered, 'order')), refused);
    assert.deepEqual(site.requests, []);
    assert.equal((await call({ goods: 'tea' }, answered)).result?.resultType, 'complete');
    assert.deepEqual(bodies(site), [`goods=tea&pin=${pin}`]);
  });

  it('contains no secret, and is not created for invalid input', async (t) => {
    const { ask, call, site } = await open(t);
    const { requestState, page } = await ask();
    await (await page.open()).send([pin]);
    assert.doesNotMatch(Buffer.from(requestState, 'base64url').toString('latin1') + requestState, /correct-horse/);
    assert.match(JSON.stringify((await call({})).result?.content), /SCHEMA_ERROR: .*goods/);
    assert.match(JSON.stringify((await call({ goods: 'tea', pin })).result?.content), /SCHEMA_ERROR: .*pin/);
    assert.deepEqual(site.requests, []);
  });

  it('is not created when the client has too many open questions', async (t) => {
    const rateLimitKey = ({ headers }: Request): string => headers.get('x-client') ?? '';
    const { ask, call } = await open(t, { rateLimitKey });
    for (let count = 0; count < 20; count++) await ask({ goods: `tea ${count}` });
    const { error } = await call({ goods: 'more' });
    assert.deepEqual(
      [error?.code, error?.message],
      [-32000, 'OVERLOADED: Too many questions are open. Nothing was sent.'],
    );
    await ask({ goods: 'tea' }, { client: 'bob' });
  });
});

describe('a tool that requires a secret', () => {
  it('causes no question if the secret is configured, and has no page without a public URL', async (t) => {
    const configured = await open(t, { config: { values: { settle: { pin } } } });
    assert.equal((await configured.call({ goods: 'tea' })).result?.resultType, 'complete');
    assert.deepEqual(bodies(configured.site), [`goods=tea&pin=${pin}`]);
    const site = await openShop(t);
    const handle = createMcpHandler(manifest, { baseUrl: site.origin, allowPrivateAddresses: true });
    assert.notEqual((await handle(new Request(`${publicUrl}/ask/${'a'.repeat(43)}`))).status, 200);
  });

  it('needs a public URL that uses TLS or names this machine', async (t) => {
    for (const wrong of [
      'http://tools.shop.example/mcp',
      'ftp://tools.shop.example/',
      'mcp',
      'https://me:pw@tools.shop.example/',
    ]) {
      await assert.rejects(
        open(t, { publicUrl: wrong }),
        /The configuration of the gateway is invalid: the public URL/,
      );
    }
    await open(t, { publicUrl: 'http://localhost:8787/mcp' });
  });
});
