import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it, type TestContext } from 'vitest';
import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { builtPath } from '../../support/processes.js';
import { createMcpHandler } from '../../../gateway/src/mcp/handler.js';
import { manifest, openGateway, openShop, textOf } from '../../support/gateway/mcp-shop.js';
import type { Site } from '../../support/gateway/recording.js';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const launcher = pathOf('../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** Starts a server and returns its arguments for the inspector. */
type Target = (t: TestContext, site: Site) => Promise<readonly string[]>;

const targets: Readonly<Record<string, Target>> = {
  'Streamable HTTP': async (t, { origin }) => {
    const handle = createMcpHandler(manifest, { baseUrl: origin, allowPrivateAddresses: true });
    return ['--server-url', await openGateway(t, handle), '--transport', 'http'];
  },
  stdio: (_, { origin }) => {
    return Promise.resolve(['--', process.execPath, builtPath('scripts/mcp-stdio'), origin]);
  },
};

interface Outcome {
  readonly result?: unknown;
  readonly code: number;
}

/** Runs the command line of the inspector with a temporary home folder. */
async function inspect(t: TestContext, args: readonly string[], target: readonly string[]): Promise<Outcome> {
  const home = await mkdtemp(join(tmpdir(), 'inspector-'));
  t.onTestFinished(() => rm(home, { recursive: true, force: true }));
  const all = [launcher, '--cli', '--quiet', '--format', 'json', '--connect-timeout', '0', ...args, ...target];
  const env = { ...process.env, HOME: home, USERPROFILE: home };
  return await new Promise((resolve) => {
    execFile(process.execPath, all, { env }, (error, stdout) => {
      const { result } = (stdout ? JSON.parse(stdout) : {}) as { readonly result?: unknown };
      resolve({ result, code: Number(error?.code ?? 0) });
    });
  });
}

for (const [name, target] of Object.entries(targets)) {
  describe(`the MCP inspector over ${name}`, () => {
    it('lists the tools and accepts their schemas', async (t) => {
      const to = await target(t, await openShop(t));
      const { result, code } = await inspect(t, ['--method', 'tools/list', '--strict'], to);
      assert.equal(code, 0);
      assert.deepEqual(
        (result as ListToolsResult).tools.map((tool) => tool.name),
        ['search', 'order', 'log-in', 'who-am-i', 'wait', 'fail'],
      );
    });

    it('calls a tool', async (t) => {
      const to = await target(t, await openShop(t));
      const { result, code } = await inspect(
        t,
        ['--method', 'tools/call', '--tool-name', 'order', '--tool-arg', 'goods=tea', 'count=2'],
        to,
      );
      assert.equal(code, 0);
      assert.deepEqual((result as CallToolResult).structuredContent?.['json'], { body: 'goods=tea&count=2' });
    });

    it('returns the errors of a call', async (t) => {
      const to = await target(t, await openShop(t));
      const { result, code } = await inspect(
        t,
        ['--method', 'tools/call', '--tool-name', 'order', '--tool-arg', 'count=12'],
        to,
      );
      assert.equal(code, 5);
      assert.match(textOf(result as CallToolResult), /"goods" is required and must be .* "count" must be .* 9\./);
    });
  });
}
