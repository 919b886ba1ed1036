import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { chromiumPath, skipWithout } from '../../tools/programs.mjs';
import { patience } from '../support/e2e/open.js';
import { openSite } from '../support/e2e/site.js';
import { until } from '../support/until.js';

const site = await openSite();
const { resolve } = createRequire(import.meta.url);
const isRoot = process.getuid?.() === 0; // Chromium's sandbox refuses root

/** Starts an MCP server that drives a browser, until the tests of the suite end. */
async function connect(packageName: string, program: string, ...args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  afterAll(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(resolve(`${packageName}/package.json`), '..', program);
  const env = { ...process.env, CI: 'true' } as Record<string, string>;
  const server = { command: process.execPath, args: [path, ...args], cwd: folder, env };
  await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }), { timeout: patience });
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = (await client.callTool({ name, arguments: args }, undefined, {
    timeout: patience,
  })) as CallToolResult;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** The message names both parameters, with the values that are allowed. */
function checkMessage(answer: string): void {
  assert.match(answer, /dish/);
  assert.match(answer, /charred-leeks/);
  assert.match(answer, /stars/);
  assert.match(answer, /from 1 to 5/);
}

const wrongRating = { dish: 'x', stars: 9 };

describe('Playwright MCP', { skip: skipWithout('chromium') }, async () => {
  const options = ['--headless', '--isolated', '--executable-path', chromiumPath() ?? ''];
  const client = await connect('@playwright/mcp', 'cli.js', ...options, ...(isRoot ? ['--no-sandbox'] : []));

  it('lists the tools of a page and returns their results', async () => {
    await call(client, 'browser_navigate', { url: `${site}menu.html` });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    assert.ok(names.includes('webmcp_search_menu'), names.join());
    assert.match(await call(client, 'webmcp_search_menu', { q: 'gnocchi' }), /Pumpkin gnocchi/);
  });

  it('receives each invalid parameter with its allowed values', async () => {
    await call(client, 'browser_navigate', { url: `${site}components.html` });
    await until(async () => {
      await call(client, 'browser_snapshot', {}); // updates the list of tools
      const { tools } = await client.listTools();
      const rate = tools.find(({ name }) => name === 'webmcp_rate_dish');
      return rate?.inputSchema.properties?.['stars'] !== undefined;
    });
    checkMessage(await call(client, 'webmcp_rate_dish', wrongRating));
  });
});

describe('Chrome DevTools MCP without native WebMCP', { skip: skipWithout('chromium') }, async () => {
  const client = await connect(
    'chrome-devtools-mcp',
    'build/src/bin/chrome-devtools-mcp.js',
    '--headless',
    '--isolated',
    `--executablePath=${chromiumPath() ?? ''}`,
    '--categoryExperimentalThirdParty=true',
    '--no-usage-statistics',
    ...(isRoot ? ['--chromeArg=--no-sandbox'] : []),
  );

  /** Opens a page and lists its tools, without which none can be called. */
  async function open(page: string): Promise<{ readonly pageId: number; readonly list: string }> {
    const pages = await call(client, 'new_page', { url: `${site}${page}`, timeout: patience });
    const pageId = Number(/(\d+): .*\[selected\]/.exec(pages)?.[1]);
    return { pageId, list: await call(client, 'list_3p_developer_tools', { pageId }) };
  }

  const execute = (pageId: number, toolName: string, input: object): Promise<string> =>
    call(client, 'execute_3p_developer_tool', { pageId, toolName, params: JSON.stringify(input) });

  it('lists the tools of a page and returns their results', async () => {
    const { pageId, list } = await open('menu.html');
    assert.match(list, /name="search_menu"/);
    assert.match(await execute(pageId, 'search_menu', { q: 'gnocchi' }), /Pumpkin gnocchi/);
  });

  it('calls a tool whose schema has formats', async () => {
    const { pageId, list } = await open('reservation.html');
    assert.match(list, /name="check_availability"/);
    assert.match(await execute(pageId, 'check_availability', { date: '2020-01-01' }), /date/);
  });
});
