import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, it } from 'vitest';
import { withoutProgress } from '../support/cli/running.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'program-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the built program. */
const run = (...argv: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const bin = join(root, 'dist/cli/bin.js');
    execFile(process.execPath, [bin, ...argv], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr: withoutProgress(stderr) });
    });
  });

const demo = join(root, 'demo');

async function compile(...more: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run('compile', ...more, demo);
  assert.equal(code, 0, stderr);
  return stdout;
}

describe('the built webmcp-forms program', () => {
  it('compiles the same manifest with one thread and with two', async () => {
    const one = await compile('--jobs', '1');
    assert.match(one, /book_table|reserve/);
    assert.equal(await compile('--jobs', '2'), one);
  });

  it('compiles the same manifest with and without a cache', async () => {
    const plain = await compile();
    assert.equal(await compile('--cache', 'cache'), plain);
    assert.equal(await compile('--cache', 'cache'), plain);
    assert.notEqual(readdirSync(join(folder, 'cache')).length, 0);
  });

  it('reports the same findings with one thread and with two', async () => {
    const one = await run('lint', '--jobs', '1', demo);
    assert.ok(one.code <= 1, one.stderr);
    assert.deepEqual(await run('lint', '--jobs', '2', demo), one);
  });

  for (const command of ['init', 'annotate', 'compile', 'merge', 'lint', 'types', 'diff', 'inspect']) {
    it(`has the command ${command}`, async () => {
      const { code, stdout, stderr } = await run(command, '--help');
      assert.equal(code, 0, stderr);
      assert.match(stdout, new RegExp(`^Usage: webmcp-forms ${command}`));
    });
  }

  it('contains every file that package.json exports', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly exports: object };
    const targets = JSON.stringify(exports).match(/"\.\/dist\/[^"*]+"/g) ?? [];
    assert.ok(targets.length > 10);
    for (const target of targets) assert.ok(existsSync(join(root, JSON.parse(target) as string)), target);
  });
});

describe('the built webmcp-gateway program', () => {
  for (const command of ['serve', 'release']) {
    it(`has the command ${command}`, async () => {
      const gateway = join(root, 'gateway/dist/cli/bin.js');
      const { stdout } = await promisify(execFile)(process.execPath, [gateway, command, '--help']);
      assert.match(stdout, new RegExp(`^Usage: webmcp-gateway ${command}`));
    });
  }
});
