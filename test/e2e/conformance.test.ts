import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'vitest';
import { createMcpHandler } from '../../gateway/src/mcp/handler.js';
import { installNodeVersions } from '../../tools/release/node-versions.mjs';
import { conformanceManifest, failedChecks, notApplicable } from '../support/gateway/mcp-conformance.js';
import { openGateway } from '../support/gateway/mcp-shop.js';
import { openSite } from '../support/gateway/recording.js';

const program = resolve(import.meta.dirname, '../node_modules/mcp-conformance/dist/index.js');

/** The tests require a later version of Node.js than the gateway. */
async function nodePath(): Promise<string> {
  const paths = Object.entries(await installNodeVersions());
  return paths.find(([version]) => Number(version.split('.')[0]) >= 22)?.[1] ?? process.execPath;
}

/** A site whose responses are errors or slow for the tools of these names. */
async function serve(t: TestContext): Promise<string> {
  const site = await openSite((request, response) => {
    response.setHeader('content-type', 'application/json');
    const end = (): void => void response.writeHead(request.url.includes('error') ? 409 : 200).end('{}');
    if (!request.url.includes('progress')) return end();
    let ticks = 0; // as many as a gateway sends notifications of progress in the meantime
    const timer = setInterval(() => {
      if (++ticks < 10) return;
      clearInterval(timer);
      end();
    }, 50);
  });
  t.onTestFinished(site.close);
  const options = { baseUrl: site.origin, allowPrivateAddresses: true, keepAlive: 50 };
  return await openGateway(t, createMcpHandler(conformanceManifest, options));
}

/** Runs the scenarios of a version, and returns how many checks of each fail. */
async function failuresOf(t: TestContext, version: string): Promise<ReadonlyMap<string, number>> {
  const cwd = await mkdtemp(join(tmpdir(), 'conformance-'));
  t.onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const [node, url] = await Promise.all([nodePath(), serve(t)]);
  const args = [program, 'server', '--url', url.replace('127.0.0.1', 'localhost'), '--requirements', version];
  const text = await new Promise<string>((done) => {
    execFile(node, args, { cwd, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 1e8 }, (_error, stdout) =>
      done(stdout),
    );
  });
  const summary = text.slice(text.indexOf('=== SUMMARY ==='), text.indexOf('Total:'));
  const lines = [...summary.matchAll(/^[✓✗] (\S+): \d+ passed, (\d+) failed/gm)];
  assert.ok(lines.length > 20, text.slice(-2000));
  return new Map(lines.map(([, scenario = '', count]) => [scenario, Number(count)]));
}

for (const [version, reasons] of Object.entries(notApplicable)) {
  describe(`the official tests of ${version}`, () => {
    it('pass, except those that do not apply to a server of forms', async (t) => {
      const failures = await failuresOf(t, version);
      const failed = [...failures].filter(([, count]) => count > 0).map(([scenario]) => scenario);
      assert.deepEqual(failed.sort(), Object.keys(reasons).sort());
      for (const [scenario, count] of Object.entries(failedChecks)) {
        assert.equal(failures.get(scenario) ?? count, count, scenario);
      }
    });
  });
}
