import assert from 'node:assert/strict';
import { run } from '../../../gateway/src/cli/cli.js';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { runInProcess } from '../../support/cli/running.js';
import { listen, makeFolder, manifestText, page, replaceFile, start } from '../../support/gateway/serve-process.js';

const changed = (version: string): string => manifestText(version, page.replace('toolname=find', 'toolname=seek'));
const args = ['webmcp.json', '--base-url', 'https://shop.example/'];

const namesAt = async (url: string): Promise<readonly string[]> => {
  const { actions } = (await (await fetch(url)).json()) as { readonly actions: readonly { readonly name: string }[] };
  return actions.map(({ name }) => name);
};

describe('webmcp-gateway serve, when its manifest changes', () => {
  it('serves the new manifest and notifies MCP clients', async () => {
    const cwd = await makeFolder({ 'webmcp.json': manifestText() });
    const { url, line } = await listen(args, { cwd });
    const client = new Client({ name: 'test', version: '1' });
    const notified = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const observedFetch: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method === 'GET') open();
      return response;
    };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}mcp`), { fetch: observedFetch }));
    assert.deepEqual(await namesAt(url), ['find', 'order']);
    await opened; // the client opens its stream after it has connected
    await replaceFile(cwd, 'webmcp.json', changed('1.1.0'));
    await line('webtool', 1);
    assert.deepEqual(await namesAt(url), ['seek', 'order']);
    await notified;
    const { tools } = await client.listTools();
    assert.equal(tools[0]?.name, 'seek');
    await client.close();
    await replaceFile(cwd, 'webmcp.json', manifestText('1.2.0'));
    await line('webtool', 2);
    assert.deepEqual(await namesAt(url), ['find', 'order']);
  });

  it('reloads the manifest on SIGHUP', async () => {
    const cwd = await makeFolder({ 'webmcp.json': manifestText() });
    const { child, url, line } = await listen(args, { cwd });
    await writeFile(join(cwd, 'webmcp.json'), changed('1.1.0'));
    child.kill('SIGHUP');
    await line('webtool', 1);
    assert.deepEqual(await namesAt(url), ['seek', 'order']);
  });

  it('serves the previous manifest while the new one is invalid or missing, and logs the reason', async () => {
    const cwd = await makeFolder({ 'webmcp.json': manifestText() });
    const { url, line, stderr } = await listen(args, { cwd });
    const message = 'the manifest was not reloaded: the previous one is still served';
    await replaceFile(cwd, 'webmcp.json', '{"pages": S3CRET');
    assert.equal((await line(message)).reason, 'webmcp.json is not a tool manifest: it is not valid JSON');
    assert.doesNotMatch(stderr(), /S3CRET/);
    await rm(join(cwd, 'webmcp.json'));
    assert.match(String((await line(message, 1)).reason), /cannot read webmcp.json/i);
    assert.deepEqual(await namesAt(url), ['find', 'order']);
    await replaceFile(cwd, 'webmcp.json', changed('1.1.0'));
    await line('webtool', 1);
    assert.deepEqual(await namesAt(url), ['seek', 'order']);
  });

  it('rejects other actions in a released version, and serves all releases', async () => {
    const cwd = await makeFolder({ 'webmcp.json': manifestText() });
    assert.equal((await runInProcess(['release', 'webmcp.json'], { cwd, run })).code, 0);
    const { url, line } = await listen(args, { cwd });
    await replaceFile(cwd, 'webmcp.json', changed('1.0.0'));
    const rejected = await line('the manifest was not reloaded: the previous one is still served');
    assert.match(String(rejected.reason), /released with other actions/);
    assert.deepEqual(await namesAt(url), ['find', 'order']);
    const second = start([...args, '--port', '0'], { cwd });
    assert.equal(await second.exit, 2);
    assert.match(second.stderr(), /^webmcp-gateway: .*released with other actions.*\n$/);
    await replaceFile(cwd, 'webmcp.json', changed('2.0.0'));
    await line('webtool', 1);
    assert.deepEqual(await namesAt(url), ['seek', 'order']);
    assert.deepEqual(await namesAt(`${url}1.0.0`), ['find', 'order']);
  });
});
