import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp';
import { mcpToTool } from '@google/genai';
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { builtPath } from '../support/processes.js';
import { createMcpHandler } from '../../gateway/src/mcp/handler.js';
import { connect, manifest, openGateway, openShop } from '../support/gateway/mcp-shop.js';

async function serve(t: TestContext): Promise<string> {
  const { origin } = await openShop(t);
  return openGateway(t, createMcpHandler(manifest, { baseUrl: origin, allowPrivateAddresses: true }));
}

/** Lists and calls the tools of the shop with version 2 of the MCP SDK. */
async function checkNewClient(t: TestContext, transport: NewHttp | NewStdio): Promise<void> {
  const client = new NewClient({ name: 'test', version: '1' });
  await client.connect(transport);
  t.onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['fail', 'log-in', 'order', 'search', 'wait', 'who-am-i']);
  const found = await client.callTool({ name: 'search', arguments: { q: 'tea' } });
  assert.match(JSON.stringify(found.content), /found.*tea/);
  const { isError, content } = await client.callTool({ name: 'order', arguments: { count: 12 } });
  assert.equal(isError, true);
  assert.match(JSON.stringify(content), /goods/);
  assert.match(JSON.stringify(content), /count/);
}

describe('MCP clients', () => {
  it('version 2 of the MCP SDK lists and calls the tools over HTTP', async (t) => {
    await checkNewClient(t, new NewHttp(new URL(await serve(t))));
  });

  it('version 2 of the MCP SDK lists and calls the tools over stdio', async (t) => {
    const { origin } = await openShop(t);
    await checkNewClient(
      t,
      new NewStdio({ command: process.execPath, args: [builtPath('scripts/mcp-stdio'), origin] }),
    );
  });

  it('@google/genai declares and calls the tools of an MCP client', async (t) => {
    const tool = mcpToTool(await connect(t, await serve(t)));
    const { functionDeclarations = [] } = await tool.tool();
    assert.ok(functionDeclarations.some(({ name }) => name === 'search'));
    const parts = await tool.callTool([{ name: 'search', args: { q: 'tea' } }]);
    assert.match(JSON.stringify(parts), /found.*tea/);
  });

  it('@anthropic-ai/sdk runs the tools of an MCP client', async (t) => {
    const client = await connect(t, await serve(t));
    const { tools } = await client.listTools();
    const search = mcpTools(tools, client as never).find((tool) => tool.name === 'search');
    assert.match(JSON.stringify(await search?.run({ q: 'tea' })), /found.*tea/);
  });
});
