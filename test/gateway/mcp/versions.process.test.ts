import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, it, type TestContext } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import { LiveManifest } from '../../../gateway/src/manifest.js';
import { createMcpHandler } from '../../../gateway/src/mcp/handler.js';
import { connectNew, httpTo, modes, stdioTo, type Mode } from '../../support/gateway/mcp-clients.js';
import { manifest, manifestOf, openGateway, openShop, page } from '../../support/gateway/mcp-shop.js';
import type { Site } from '../../support/gateway/recording.js';

interface Connected {
  readonly client: Client;
  readonly change: () => void;
}

type Open = (t: TestContext, site: Site, mode: Mode) => Promise<Connected>;

const overHttp: Open = async (t, { origin }, mode) => {
  const live = new LiveManifest(manifest);
  const url = await openGateway(t, createMcpHandler(live, { baseUrl: origin, allowPrivateAddresses: true }));
  const changed = manifestOf(`${page}<form toolname=new tooldescription=New action=/search></form>`, '1.1.0');
  return { client: await connectNew(t, httpTo(url), mode), change: () => live.update(changed) };
};

const overStdio: Open = async (t, { origin }, mode) => {
  const transport = stdioTo(origin);
  return {
    client: await connectNew(t, transport, mode),
    change: () => void process.kill(transport.pid as number, 'SIGUSR2'),
  };
};

for (const [transport, open] of Object.entries({ 'Streamable HTTP': overHttp, stdio: overStdio })) {
  for (const [name, mode] of Object.entries(modes)) {
    const isModern = mode !== 'legacy';

    describe(`version 2 of the client, ${name}, over ${transport}`, () => {
      async function opened(t: TestContext) {
        const site = await openShop(t);
        const { client, change } = await open(t, site, mode);
        const { tools } = await client.listTools();
        return { site, client, change, tools };
      }

      it('lists and calls the tools, and gets the errors of the input', async (t) => {
        const { client, tools, site } = await opened(t);
        assert.equal(client.getProtocolEra(), isModern ? 'modern' : 'legacy');
        assert.match(client.getInstructions() ?? '', /describes itself as "A shop that sells tea\."/);
        assert.equal(client.getServerVersion()?.name, 'shop');
        assert.equal(tools[0]?.title, 'Search');
        const found = await client.callTool({ name: 'search', arguments: { q: 'tea' } });
        assert.deepEqual((found.structuredContent as { json: unknown }).json, { found: 'tea' });
        const sent = site.requests.length;
        const failed = await client.callTool({ name: 'order', arguments: { count: 12 } });
        assert.equal(failed.isError, true);
        assert.match(JSON.stringify(failed.content), /goods.*count/);
        await assert.rejects(client.callTool({ name: 'sarch' }), { code: -32602, message: /Unknown tool: "sarch"/ });
        assert.equal(site.requests.length, sent);
      });

      it('aborts the request to the site when a call is cancelled', async (t) => {
        const { client, site } = await opened(t);
        const controller = new AbortController();
        const arrived = once(site.server, 'request');
        const call = client.callTool({ name: 'wait' }, { signal: controller.signal });
        call.catch(() => undefined);
        const [{ socket }] = (await arrived) as [IncomingMessage];
        const closed = once(socket, 'close');
        controller.abort();
        await Promise.all([closed, assert.rejects(call)]);
      });

      it('is notified when the tools change', async (t) => {
        const { client, change } = await opened(t);
        const notified = new Promise<void>((resolve) => {
          client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
        });
        if (isModern) await client.listen({ toolsListChanged: true });
        const changing = setInterval(change, 100); // repeated, because the stream of GET opens asynchronously
        await notified;
        clearInterval(changing);
        assert.equal((await client.listTools()).tools.at(-1)?.name, 'new');
      });
    });
  }
}
