import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { getMcpConfigForManifest, v0_3 } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { openSite } from '../../support/gateway/recording.js';
import { execute, page, root } from './checkout.js';

const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const file = join(folder, 'webmcp-gateway.mcpb');
await execute(process.execPath, ['tools/release/bundle.mjs', '--out', file], { cwd: root });

describe('the bundle for desktop hosts', () => {
  it('has at most 9 MB', () => assert.ok(statSync(file).size <= 9e6, `${statSync(file).size} bytes`));

  it('starts the gateway with the manifest and the URL that its user has entered, without npm', async (t) => {
    const site = await openSite((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(page);
    });
    t.onTestFinished(site.close);
    const manifest = join(folder, 'webmcp.json');
    writeFileSync(join(folder, 'index.html'), page);
    const compile = ['dist/cli/bin.js', 'compile', '--out', manifest, join(folder, 'index.html')];
    await execute(process.execPath, compile, { cwd: root });

    const extensionPath = join(folder, 'unpacked');
    await execute(process.execPath, [join(root, 'test/node_modules/.bin/mcpb'), 'unpack', file, extensionPath]);
    const config = await getMcpConfigForManifest({
      manifest: v0_3.McpbManifestSchema.parse(JSON.parse(readFileSync(join(extensionPath, 'manifest.json'), 'utf8'))),
      extensionPath,
      systemDirs: {},
      userConfig: { manifest, base_url: `${site.origin}/` },
      pathSeparator: sep,
    });
    assert.ok(config);
    const client = new Client({ name: 'test', version: '1.0.0' });
    t.onTestFinished(() => client.close());
    const args = [...(config.args ?? []), '--allow-private'];
    await client.connect(new StdioClientTransport({ command: config.command, args }));
    const { isError, content } = await client.callTool({ name: 'find', arguments: { q: 'gardens' } });
    assert.ok(!isError, JSON.stringify(content));
    assert.equal(site.requests.at(-1)?.url, '/find?q=gardens');
  });
});
