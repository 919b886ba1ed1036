import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { listen, makeFolder, manifestText, openShop } from '../../support/gateway/serve-process.js';

const path = '../../node_modules/@modelcontextprotocol/conformance/dist/index.js';
const program = fileURLToPath(new URL(path, import.meta.url));

interface Outcome {
  readonly code: number;
  readonly text: string;
}

/** Runs a scenario of the official server tests. */
const run = (url: string, scenario: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const args = [program, 'server', '--url', url, '--scenario', scenario];
    execFile(process.execPath, args, { env: { ...process.env, NO_COLOR: '1' } }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), text: stdout + stderr });
    });
  });

/** The other scenarios require specific tools, resources or prompts. */
const scenarios = [
  ['server-initialize', 1],
  ['ping', 1],
  ['tools-list', 1],
  ['server-sse-multiple-streams', 1],
  ['dns-rebinding-protection', 2],
] as const;

describe('the MCP conformance tests', () => {
  for (const [scenario, checks] of scenarios) {
    it(`pass in the scenario ${scenario}`, async () => {
      const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
      const { url } = await listen(['webmcp.json', '--base-url', site.origin, '--allow-private'], { cwd });
      const { code, text } = await run(`${url.replace('127.0.0.1', 'localhost')}mcp`, scenario);
      assert.match(text, new RegExp(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`), text);
      assert.equal(code, 0, text);
    });
  }
});
