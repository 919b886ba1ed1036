import { TabClientTransport, TabServerTransport } from '@mcp-b/transports';
import { Client } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import { afterTest, isNative, register } from '../support/polyfill/frame.js';

/** Serves the tools of the page to clients in the page. */
async function serve(): Promise<void> {
  const server = new Server({ name: 'page', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => {
    const tools = await document.modelContext.getTools();
    return {
      tools: tools.map(({ name, description, inputSchema = {} }) => {
        return { name, description, inputSchema: { ...inputSchema, type: 'object' as const } };
      }),
    };
  });
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = (await document.modelContext.getTools()).find(({ name }) => name === params.name);
    if (!tool) throw new Error(`${params.name} is not registered.`);
    const text = String(await document.modelContext.executeTool(tool, params.arguments ?? {}));
    return { content: [{ type: 'text' as const, text }] };
  });
  await server.connect(new TabServerTransport({ allowedOrigins: [location.origin] }));
  afterTest(() => server.close());
}

async function connect(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new TabClientTransport({ targetOrigin: location.origin }));
  afterTest(() => client.close());
  return client;
}

describe('the tab transports of @mcp-b/transports', () => {
  const start = (): void => {
    const controller = new AbortController();
    apply({ signal: controller.signal });
    afterTest(() => controller.abort());
  };
  const orders = [
    ['before', [start, serve]],
    ['after', [serve, start]],
  ] as const;
  for (const [order, steps] of orders) {
    it(`list and call the tools of the page if the polyfill is applied ${order} them`, async function () {
      if (isNative) this.skip(); // the browser's own model context does not depend on the order
      for (const step of steps) await step();
      await register(document, { name: 'greet', execute: ({ name }: { name: string }) => `Hello ${name}` });
      const client = await connect();
      expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['greet']);
      const { content } = await client.callTool({ name: 'greet', arguments: { name: 'Ann' } });
      expect(content).to.deep.equal([{ type: 'text', text: 'Hello Ann' }]);
    });
  }
});
