import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { listen, makeFolder, manifestText, openShop, post, start } from '../../support/gateway/serve-process.js';

const find = { action: 'find', request: { q: 'tea' } };

/** Sends a request with any `Host`, which fetch does not allow. */
const statusWith = (url: string, headers: Readonly<Record<string, string>>, path = ''): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end();
  });

const corsOf = (headers: IncomingHttpHeaders | Headers): string | null =>
  new Headers(headers as Record<string, string>).get('access-control-allow-origin');

describe('webmcp-gateway serve', () => {
  it('serves Webtools, MCP and a health check, and logs excluded tools', async () => {
    const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
    const { url, lines } = await listen(['webmcp.json', '--base-url', site.origin, '--allow-private'], { cwd });
    const metadata = (await (await fetch(url)).json()) as { readonly actions: readonly { readonly name: string }[] };
    assert.deepEqual(
      metadata.actions.map(({ name }) => name),
      ['find', 'order'],
    );
    assert.equal(lines().find(({ msg }) => msg === 'tool excluded')?.tool, 'pay');
    const { status, body, headers } = await post(url, find);
    assert.equal(status, 200);
    assert.equal(body.data?.json?.url, '/sent?q=tea');
    assert.equal((await fetch(`${url}healthz`)).status, 200);
    const call = lines().find(({ msg }) => msg === 'call');
    assert.deepEqual([call?.action, call?.code, call?.status], ['find', 'ok', 200]);
    assert.equal(call?.requestId, headers.get('x-request-id'));
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}mcp`)));
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['find', 'order'],
    );
    const result = await client.callTool({ name: 'order', arguments: { what: 'tea' } });
    assert.match(JSON.stringify(result.structuredContent), /what=tea/);
    await client.close();
  });

  it('requires its token of every request except health checks and preflights', async () => {
    const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
    const { url } = await listen(
      ['webmcp.json', '--base-url', site.origin, '--allow-private', '--cors', 'https://app.example'],
      { cwd, env: { WEBMCP_FORMS_TOKEN: 'right-token-0123456789' } },
    );
    for (const authorization of [
      undefined,
      'Bearer wrong',
      'Bearer ',
      'Basic cmlnaHQtdG9rZW4=',
      'right-token-0123456789',
    ]) {
      const headers = { origin: 'https://app.example', ...(authorization !== undefined && { authorization }) };
      const { status, body, headers: response } = await post(url, find, headers);
      assert.deepEqual([status, body.error?.code], [401, 'UNAUTHORIZED'], authorization);
      assert.match(response.get('www-authenticate') ?? '', /^Bearer/);
      assert.equal(corsOf(response), 'https://app.example');
      const mcp = await fetch(`${url}mcp`, { method: 'POST', headers, body: '{}' });
      assert.deepEqual([mcp.status, ((await mcp.json()) as { jsonrpc: string }).jsonrpc], [401, '2.0']);
    }
    const headers = { authorization: 'Bearer right-token-0123456789' };
    assert.equal((await post(url, find, headers)).status, 200);
    assert.equal((await fetch(url, { headers })).status, 200);
    assert.equal((await fetch(`${url}healthz`)).status, 200);
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    for (const path of ['', 'mcp']) {
      const response = await fetch(`${url}${path}`, { method: 'OPTIONS', headers: preflight });
      assert.deepEqual([response.status, corsOf(response.headers)], [204, 'https://app.example']);
    }
  });

  it('accepts only loopback and allowed Host names on a loopback address', async () => {
    const cwd = await makeFolder({ 'webmcp.json': manifestText() });
    const { url } = await listen(
      ['webmcp.json', '--base-url', 'https://shop.example', '--allow-host', 'gateway.example'],
      { cwd },
    );
    for (const host of [
      'localhost',
      'LOCALHOST:1',
      '127.0.0.1:80',
      '[::1]:99',
      'a.localhost',
      'gateway.example:8080',
    ]) {
      assert.equal(await statusWith(url, { host }), 200, host);
    }
    for (const host of ['evil.example', 'localhost.evil.example', '192.168.0.1', '0.0.0.0', 'xn--a']) {
      assert.equal(await statusWith(url, { host }), 421, host);
      assert.equal(await statusWith(url, { host }, 'mcp'), 421, host);
    }
    assert.equal(await statusWith(url, { host: 'evil.example' }, 'healthz'), 200);
    assert.match(await raw(url, 'GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n'), /^HTTP\/1.1 421/);
  });

  it('rejects an invalid Host before it checks the token, on any address', async () => {
    const cwd = await makeFolder({ 'webmcp.json': manifestText() });
    const args = ['webmcp.json', '--base-url', 'https://shop.example', '--host', '0.0.0.0'];
    const { url, lines } = await listen(args, { cwd, env: { WEBMCP_FORMS_TOKEN: 'right-token-0123456789' } });
    const local = url.replace('0.0.0.0', '127.0.0.1');
    for (const path of ['', 'mcp']) {
      for (const host of ['xn--a', 'any.example']) assert.equal(await statusWith(local, { host }, path), 421);
    }
    assert.equal(await statusWith(local, { host: 'xn--a' }, 'healthz'), 200);
    assert.equal(await statusWith(local, { host: '192.0.2.1' }), 401);
    assert.ok(lines().every(({ level }) => level !== 'error'));
  });

  it('listens on other addresses without a token only with --allow-anonymous, and warns', async () => {
    const cwd = await makeFolder({ 'webmcp.json': manifestText() });
    const args = ['webmcp.json', '--base-url', 'https://shop.example', '--host', '0.0.0.0'];
    const refused = start(['--port', '0', ...args], { cwd });
    assert.equal(await refused.exit, 2);
    assert.match(refused.stderr(), /reach 0\.0\.0\.0 .* Set WEBMCP_FORMS_TOKEN .* or allow it with --allow-anonymous/);
    const open = await listen([...args, '--allow-anonymous'], { cwd });
    assert.match(open.stderr(), /anybody who can reach this address can call/);
    const local = open.url.replace('0.0.0.0', '127.0.0.1');
    assert.deepEqual(
      [await statusWith(local, { host: '192.0.2.1' }), await statusWith(local, { host: 'any.example' })],
      [200, 421],
    );
  });

  it('limits the calls of each client by the address in the proxy header', async () => {
    const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
    const { url } = await listen(
      [
        'webmcp.json',
        '--base-url',
        site.origin,
        '--allow-private',
        '--rate-limit',
        '2/3600',
        '--client-address-header',
        'X-Forwarded-For',
      ],
      { cwd },
    );
    const statusOf = async (address: string): Promise<number> =>
      (await post(url, find, { 'x-forwarded-for': address })).status;
    assert.deepEqual([await statusOf('9.9.9.9, 1.2.3.4'), await statusOf('8.8.8.8, 1.2.3.4:99')], [200, 200]);
    assert.deepEqual([await statusOf('1.2.3.4'), await statusOf('1.2.3.5')], [429, 200]);
    assert.deepEqual(
      [await statusOf('2001:db8::1'), await statusOf('2001:db8::2'), await statusOf('2001:db8::3')],
      [200, 200, 429],
    );
    const { body, headers } = await post(url, find, { 'x-forwarded-for': '1.2.3.4' });
    assert.equal(body.error?.code, 'RATE_LIMIT');
    assert.ok(Number(headers.get('retry-after')) >= 1 && Number(headers.get('retry-after')) <= 3600);
    assert.equal(headers.get('ratelimit-policy'), '"calls";q=2;w=3600');
    const mcp = await fetch(`${url}mcp`, { method: 'POST', headers: { 'x-forwarded-for': '1.2.3.4' }, body: '{}' });
    assert.equal(mcp.status, 429);
    assert.match(JSON.stringify(await mcp.json()), /"jsonrpc":"2.0".*RATE_LIMIT/);
    assert.equal((await fetch(url, { headers: { 'x-forwarded-for': '1.2.3.4' } })).status, 200);
  });

  it('restores the sessions of a folder after a restart', async () => {
    const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
    const args = ['webmcp.json', '--base-url', site.origin, '--allow-private', '--sessions', 'sessions'];
    const call = { action: 'order', request: { what: 'tea' }, sessionId: 'the-session-of-mine' };
    const first = await listen(args, { cwd });
    assert.equal((await post(first.url, call)).status, 200);
    assert.equal(await first.stop(), 0);
    const second = await listen(args, { cwd });
    await post(second.url, { ...call, action: 'find', request: { q: 'x' } });
    assert.equal(site.requests.at(-1)?.headers.cookie, 'shown=COOKIE-VALUE-123');
  });

  it('rejects headers that are too long and continues', async () => {
    const cwd = await makeFolder({ 'webmcp.json': manifestText() });
    const { url } = await listen(['webmcp.json', '--base-url', 'https://shop.example'], { cwd });
    const head = `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n`;
    assert.match(await raw(url, head), /^HTTP\/1.1 431/);
    assert.match(await raw(url, 'GET / HTTP/1.1\r\nHost: a b\r\n'), /^HTTP\/1.1 4/);
    assert.equal((await fetch(url)).status, 200);
  });
});

/** Sends raw headers and resolves with the raw response. */
const raw = (url: string, head: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.write(`${head}Connection: close\r\n\r\n`);
  });
