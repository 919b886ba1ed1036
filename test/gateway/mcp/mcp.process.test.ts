import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, it, type TestContext } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ErrorCode, ToolListChangedNotificationSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { createStorage } from 'unstorage';
import { builtPath } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { LiveManifest, type GatewayManifest } from '../../../gateway/src/manifest.js';
import { writeRelease } from '../../../gateway/src/releases/releases.js';
import { metadataOf } from '../../support/gateway/releases.js';
import { createMcpHandler } from '../../../gateway/src/mcp/handler.js';
import { createMcpServer } from '../../../gateway/src/mcp/server.js';
import { resolveSettings, type GatewayOptions } from '../../../gateway/src/settings.js';
import { webtoolFor } from '../../../gateway/src/webtools/webtool.js';
import { compileHtml } from '../../../src/site/compile-html.js';
import {
  callOf,
  connect,
  manifest,
  manifestOf,
  openGateway,
  openShop,
  page,
  textOf,
  type Cleaning,
} from '../../support/gateway/mcp-shop.js';
import type { Site } from '../../support/gateway/recording.js';

/** A client that is connected to a shop. */
interface Connected {
  readonly client: Client;
  readonly change: () => void;
}

async function overHttp(t: Cleaning, { origin }: Site): Promise<Connected> {
  const live = new LiveManifest(manifest);
  const options = { baseUrl: origin, allowPrivateAddresses: true, keepAlive: 50 };
  const client = await connect(t, await openGateway(t, createMcpHandler(live, options)));
  const changed = manifestOf(`${page}<form toolname=new tooldescription=New action=/search></form>`, '1.1.0');
  return { client, change: () => void live.update(changed) };
}

async function overStdio(t: Cleaning, { origin }: Site): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtPath('scripts/mcp-stdio'), origin],
  });
  const client = new Client({ name: 'test', version: '1' });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error); // invalid messages on stdout
  t.onTestFinished(async () => {
    await client.close();
    assert.deepEqual(errors, []);
  });
  await client.connect(transport);
  return { client, change: () => void process.kill(transport.pid as number, 'SIGUSR2') };
}

describe('createMcpServer', () => {
  const secretPage = `${page}<form toolname=pay tooldescription="Pays." method=post action=/order>
    <input name=goods><input type=password name=pw required></form>`;

  async function clientOf(t: TestContext, served: GatewayManifest, options: Partial<GatewayOptions>): Promise<Client> {
    const site = await openShop(t);
    const server = createMcpServer(served, { baseUrl: site.origin, allowPrivateAddresses: true, ...options });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(ours), client.connect(theirs)]);
    t.onTestFinished(() => client.close());
    return client;
  }

  it('lists only tools that it can call, without tools that require a secret of the client', async (t) => {
    const served = manifestOf(secretPage);
    const namesOf = async (client: Client): Promise<boolean> =>
      (await client.listTools()).tools.some(({ name }) => name === 'pay');
    const client = await clientOf(t, served, { clientSecrets: true });
    assert.equal(await namesOf(client), false);
    const wayOut =
      /Unknown tool: "pay"\. It is not served, because .* no value for pw.* A person can send the form on http/;
    await assert.rejects(callOf(client, 'pay', { goods: 'x' }), wayOut);
    await assert.rejects(callOf(await clientOf(t, served, {}), 'pay', { goods: 'x' }), wayOut);
    assert.equal(await namesOf(await clientOf(t, served, { config: { values: { pay: { pw: 'x' } } } })), true);
    const versions = createStorage();
    const metadata = await webtoolFor(
      served,
      resolveSettings({ baseUrl: 'https://shop.example/', clientSecrets: true }),
    );
    const { version, hash } = metadata.metadata;
    const released = new Date().toISOString();
    await writeRelease(versions, { version, hash, released, metadata: metadata.metadata, manifest: served });
    assert.equal(await namesOf(await clientOf(t, served, { versions, clientSecrets: true })), false);
  });

  it('names the page of each tool in _meta, and also in the descriptions of tools of the same name', async (t) => {
    const form = '<form toolname=rate tooldescription=Rates. method=post><input name=stars></form>';
    const pages = ['a', 'b'].map((path) =>
      compileHtml(`<title>${path} &amp; c</title>${form}`, { path: `${path}?id=1` }),
    );
    const client = await clientOf(t, JSON.parse(JSON.stringify({ ...manifest, pages })) as GatewayManifest, {});
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, description, _meta }) => [name, description, _meta]),
      [
        ['rate-a-id-1', 'Rates. It is on the page "a & c" (a?id=1).', { page: 'a?id=1', pageTitle: 'a & c' }],
        ['rate-b-id-1', 'Rates. It is on the page "b & c" (b?id=1).', { page: 'b?id=1', pageTitle: 'b & c' }],
      ],
    );
  });
});

for (const [name, open] of Object.entries({ 'Streamable HTTP': overHttp, stdio: overStdio })) {
  describe(`MCP over ${name}`, () => {
    /** The client lists the tools, so that it validates their results. */
    async function opened(t: TestContext) {
      const site = await openShop(t);
      const { client, change } = await open(t, site);
      const { tools } = await client.listTools();
      return { site, client, change, tools };
    }

    it('returns the server information and the tools', async (t) => {
      const { client, tools } = await opened(t);
      assert.deepEqual(client.getServerVersion(), { name: 'shop', version: '1.0.0' });
      assert.match(client.getInstructions() ?? '', /describes itself as "A shop that sells tea\."/);
      assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: true }, resources: {} });
      assert.deepEqual(
        tools.map((tool) => tool.name),
        ['search', 'order', 'log-in', 'who-am-i', 'wait', 'fail'],
      );
      const [search, order] = tools;
      assert.equal(search?.title, 'Search');
      assert.equal(search.description, 'Finds goods.');
      assert.deepEqual(search.inputSchema.required, ['q']);
      assert.deepEqual(search.outputSchema?.required, ['status', 'url', 'contentType']);
      const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
      assert.deepEqual(search.annotations, { title: 'Search', ...hints });
      const changes = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };
      assert.deepEqual(order?.annotations, { ...hints, ...changes });
    });

    it('returns structured content and its text', async (t) => {
      const { client, site } = await opened(t);
      const result = await callOf(client, 'search', { q: 'tea' });
      const answer = { status: 200, url: `${site.origin}/search?q=tea`, contentType: 'application/json' };
      assert.deepEqual(result.structuredContent, { ...answer, json: { found: 'tea' } });
      assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
      assert.equal(result.isError, undefined);
    });

    it('returns all parameter errors without a request to the site', async (t) => {
      const { client, site } = await opened(t);
      const result = await callOf(client, 'order', { count: 10, size: 1 });
      assert.equal(result.isError, true);
      assert.match(textOf(result), /^SCHEMA_ERROR: /);
      for (const parameter of ['goods', 'count', 'size']) assert.match(textOf(result), new RegExp(`"${parameter}"`));
      const errors = result.structuredContent?.['errors'] as readonly { readonly parameter: string }[];
      assert.deepEqual(errors.map(({ parameter }) => parameter).sort(), ['count', 'goods', 'size']);
      assert.deepEqual(site.requests, []);
      const corrected = await callOf(client, 'order', { goods: 'tea', count: 9 });
      assert.deepEqual(corrected.structuredContent?.['json'], { body: 'goods=tea&count=9' });
    });

    it('returns a rejection of the site as an error result', async (t) => {
      const { client } = await opened(t);
      const result = await callOf(client, 'order', { goods: 'none' });
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent?.['status'], 409);
      assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
    });

    it('returns an error result when the site fails', async (t) => {
      const { client, site } = await opened(t);
      const result = await callOf(client, 'fail');
      assert.equal(result.isError, true);
      assert.match(textOf(result), /^UPSTREAM_ERROR: The site failed with the status 500/);
      const { error, ...content } = result.structuredContent ?? {};
      assert.deepEqual(content, { status: 0, url: `${site.origin}/`, contentType: '' });
      assert.equal((error as { code: unknown }).code, 'UPSTREAM_ERROR');
    });

    it('returns a protocol error for an unknown tool and an invalid call', async (t) => {
      const { client } = await opened(t);
      const code = ErrorCode.InvalidParams;
      await assert.rejects(callOf(client, 'sarch'), { code, message: /Unknown tool: "sarch"/ });
      await assert.rejects(callOf(client, '__proto__'), { code });
      await assert.rejects(callOf(client, 'search', [] as never), { code, message: /"arguments"/ });
      await assert.rejects(client.callTool({} as never), { code, message: /"name"/ });
      await assert.rejects(client.listTools({ cursor: '1000' }), { code, message: /cursor/ });
    });

    it('sends the cookies of the session', async (t) => {
      const { client } = await opened(t);
      await callOf(client, 'log-in', { user: 'ann' });
      const result = await callOf(client, 'who-am-i');
      assert.deepEqual(result.structuredContent?.['json'], { cookie: 'user=ann' });
    });

    it('aborts the request to the site when a call is cancelled', async (t) => {
      const { client, site } = await opened(t);
      const controller = new AbortController();
      const arrived = once(site.server, 'request');
      const call = client.callTool({ name: 'wait' }, undefined, { signal: controller.signal });
      call.catch(() => undefined);
      const [{ socket }] = (await arrived) as [IncomingMessage];
      const closed = once(socket, 'close');
      controller.abort();
      await Promise.all([closed, assert.rejects(call)]);
      assert.equal((await callOf(client, 'search', { q: 'a' })).structuredContent?.['status'], 200);
    });

    it('reports progress until the site responds', async (t) => {
      const { client, site } = await opened(t);
      const seen: unknown[] = [];
      let call: Promise<unknown> = Promise.resolve();
      await new Promise<void>((resolve) => {
        const onprogress = (progress: unknown): void => {
          if (seen.push(progress) === 2) resolve();
        };
        call = client.callTool({ name: 'wait' }, undefined, { onprogress });
      });
      const message = 'The site has not responded yet.';
      assert.deepEqual(seen.slice(0, 2), [
        { progress: 1, message },
        { progress: 2, message },
      ]);
      await until(() => site.requests.length === 1);
      // A canceled call could still receive progress, which the client reports as an error.
      site.close();
      assert.equal(((await call) as CallToolResult).isError, true);
    });

    it('notifies the client when the tools change', async (t) => {
      const { client, change } = await opened(t);
      const notified = new Promise((resolve) => {
        client.setNotificationHandler(ToolListChangedNotificationSchema, resolve);
      });
      const changing = setInterval(change, 100); // repeated, because the stream opens asynchronously
      await notified;
      clearInterval(changing);
      const { tools } = await client.listTools();
      assert.equal(tools.at(-1)?.name, 'new');
    });
  });
}

describe('createMcpServer', () => {
  const listeners = (live: LiveManifest): number => getEventListeners(live, 'change').length;

  async function connected(server: ReturnType<typeof createMcpServer>): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const [clientTransport, serverTransport] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(serverTransport), client.connect(clientTransport)]);
    return client;
  }

  it('listens to its manifest while it is connected', async () => {
    const live = new LiveManifest(manifest);
    const server = createMcpServer(live, { baseUrl: 'https://shop.example' });
    assert.equal(listeners(live), 0);
    const client = await connected(server);
    assert.equal(listeners(live), 1);
    await client.close();
    assert.equal(listeners(live), 0);
    await connected(server);
    assert.equal(listeners(live), 1);
    await server.close();
    assert.equal(listeners(live), 0);
  });

  it('uses a session of its own by default', async (t) => {
    const { origin } = await openShop(t);
    const options = { baseUrl: origin, allowPrivateAddresses: true, sessions: createStorage() };
    const clientOf = async (sessionId?: string): Promise<Client> =>
      await connected(createMcpServer(manifest, { ...options, ...(sessionId !== undefined && { sessionId }) }));
    const cookieOf = async (client: Client): Promise<unknown> =>
      (await callOf(client, 'who-am-i')).structuredContent?.['json'];
    await callOf(await clientOf('ours'), 'log-in', { user: 'ann' });
    assert.deepEqual(await cookieOf(await clientOf('ours')), { cookie: 'user=ann' });
    assert.deepEqual(await cookieOf(await clientOf()), { cookie: null });
  });

  it('aborts its calls when it is closed', async (t) => {
    const site = await openShop(t);
    const server = createMcpServer(manifest, { baseUrl: site.origin, allowPrivateAddresses: true });
    const arrived = once(site.server, 'request');
    const call = callOf(await connected(server), 'wait');
    const [{ socket }] = (await arrived) as [IncomingMessage];
    const closed = once(socket, 'close');
    await Promise.all([assert.rejects(call), server.close(), closed]);
  });

  it('lists the actions of the release of its version', async (t) => {
    const { origin } = await openShop(t);
    const versions = createStorage();
    const released = manifestOf(page.replace('Finds goods.', 'Finds.'));
    const metadata = await metadataOf(released);
    const { version, hash } = metadata;
    await writeRelease(versions, { version, hash, released: '2026-01-01T00:00:00Z', metadata, manifest: released });
    const client = await connected(
      createMcpServer(manifest, { baseUrl: origin, allowPrivateAddresses: true, versions }),
    );
    const { tools } = await client.listTools();
    assert.equal(tools[0]?.description, 'Finds.');
  });
});
