import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { nodeVersions } from '../../../tools/release/node-versions.mjs';
import { endWithTest } from '../../support/processes.js';
import { execute, page } from './checkout.js';
import { bothFolder, importsOf, listeningUrl, nodePaths, packageFileOf } from './packed.js';

const folder = bothFolder;
const forms = join(folder, 'node_modules/webmcp-forms');
const gateway = join(folder, 'node_modules/webmcp-gateway');
const formsBin = join(forms, 'dist/cli/bin.js');
const gatewayBin = join(gateway, 'dist/cli/bin.js');

const browserOnly = /^\.\/(?:gateway|.*\*|.*\.js$|.*\.json$|auto$|jsx$|vite|ai-sdk|langchain)/;

/** The entries that Node imports without optional packages. */
const entriesOf = (path: string): readonly string[] => {
  const { name, exports } = packageFileOf(path);
  return Object.keys(exports)
    .filter((entry) => !browserOnly.test(entry))
    .map((entry) => name + entry.slice(1));
};

/** The site that the gateway calls. It answers with the words that it was asked for. */
async function serveShop(test: { onTestFinished(steps: () => void): void }): Promise<string> {
  const server = createServer((request, response) => {
    const words = new URL(request.url ?? '/', 'http://shop.test').searchParams.get('q');
    response.setHeader('content-type', 'text/html');
    response.end(words === null ? page : `<title>Found</title><p>Books about ${words}</p>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

for (const version of nodeVersions)
  describe(`the packages in Node.js ${version}`, () => {
    const node = nodePaths[version] ?? '';
    const run = (...args: readonly string[]) => execute(node, args, { cwd: folder });

    it('the binary has the version', async () => assert.equal((await run('--version')).stdout.trim(), `v${version}`));

    it('every entry for Node can be imported', async () => {
      const entries = [...entriesOf(forms), ...entriesOf(gateway)];
      assert.ok(entries.includes('webmcp-forms/build') && entries.includes('webmcp-gateway/node'));
      await run('--input-type=module', '-e', importsOf(entries));
    });

    it('a page is compiled, linted and annotated from the command line', async () => {
      const manifest = JSON.parse((await run(formsBin, 'compile', 'index.html')).stdout) as {
        readonly pages?: unknown;
      };
      assert.match(JSON.stringify(manifest), /"name":"find"/);
      await run(formsBin, 'lint', 'index.html');
      assert.match((await run(formsBin, 'annotate', 'index.html')).stdout, /subscribe/);
    });

    it('worker threads compile pages', async () => {
      const { stdout } = await run(formsBin, 'compile', '--jobs', '2', 'index.html');
      assert.match(stdout, /"name": "find"/);
    });

    it('the gateway calls the form of a site', async (test) => {
      const shop = await serveShop(test);
      const manifest = `webmcp-${version}.json`;
      await run(formsBin, 'compile', '--profile', 'portable', '--out', manifest, 'index.html');
      const args = [gatewayBin, 'serve', '--base-url', shop, '--allow-private', '--port', '0', manifest];
      const server = endWithTest(spawn(node, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }));
      const url = await listeningUrl(server.stderr);
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'find', request: { q: 'gardens' } }),
      });
      assert.match(await response.text(), /Books about gardens/);
    });
  });
