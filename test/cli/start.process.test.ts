import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, it } from 'vitest';
import { makeFolder, runInProcess, toolForm } from '../support/cli/running.js';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const reportModules = new URL('../fixtures/scale/tell-modules.mjs', import.meta.url).href;

/** Runs the program, and returns its output and the modules that it loaded. */
async function start(cwd: string, ...argv: string[]): Promise<{ readonly modules: string; readonly stdout: string }> {
  const flags = ['--import', import.meta.resolve('tsx'), '--import', reportModules];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, bin, ...argv], { cwd });
  return { stdout, modules: stderr.match(/^loads .*$/gm)?.join('\n') ?? '' };
}

const heavy =
  /node_modules\/(?:parse5|ajv|tinypool|playwright-core)\/|src\/(?:site\/compile-html|lint\/lint|diff\/diff)\.ts/g;
const heavyOf = (modules: string): readonly string[] => [...new Set(modules.match(heavy))].sort();

describe('the start of webmcp-forms', () => {
  for (const command of ['compile', 'merge', 'lint', 'types', 'diff', 'inspect']) {
    it(`loads neither the compiler nor the worker for ${command} --help`, async () => {
      const { modules, stdout } = await start('/', command, '--help');
      assert.match(stdout, new RegExp(`^Usage: webmcp-forms ${command} `));
      assert.match(modules, /src\/cli\/cli\.ts/);
      assert.deepEqual(heavyOf(modules), []);
      assert.doesNotMatch(modules, /src\/compiler\//);
    });
  }

  it('loads the parser only for pages that are not in the cache', async () => {
    const cwd = await makeFolder({ 'site/a.html': toolForm('a'), 'site/b.html': '<p>None.' });
    const compile = ['compile', 'site', '--cache', 'kept'];
    const first = await start(cwd, ...compile);
    assert.deepEqual(heavyOf(first.modules), ['node_modules/parse5/', 'src/site/compile-html.ts']);
    const again = await start(cwd, ...compile);
    assert.deepEqual(heavyOf(again.modules), []);
    assert.equal(again.stdout, first.stdout);
  });

  it('reports an invalid flag with the allowed values', async () => {
    const { code, stderr } = await runInProcess(['lint', '.', '--format', 'xml'], { cwd: '/' });
    assert.deepEqual([code, /text, json, sarif, github/.test(stderr)], [2, true]);
  });
});
