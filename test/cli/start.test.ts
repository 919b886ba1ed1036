import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeFolder, runHere, toolForm } from './running.js';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const tellModules = new URL('../fixtures/scale/tell-modules.mjs', import.meta.url).href;

/** The modules that a run of the program loads, and what it wrote. */
async function start(cwd: string, ...argv: string[]): Promise<{ readonly modules: string; readonly stdout: string }> {
  const flags = ['--import', import.meta.resolve('tsx'), '--import', tellModules];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, bin, ...argv], { cwd });
  return { stdout, modules: stderr.match(/^loads .*$/gm)?.join('\n') ?? '' };
}

const heavy =
  /node_modules\/(?:parse5|ajv|tinypool|playwright-core)\/|src\/(?:site\/compile-html|lint\/lint|diff\/diff)\.ts/g;
const heavyOf = (modules: string): readonly string[] => [...new Set(modules.match(heavy))].sort();

describe('the start of the program', () => {
  for (const command of ['compile', 'merge', 'lint', 'types', 'diff', 'inspect']) {
    it(`loads nothing but flags for the help of ${command}`, async () => {
      const { modules, stdout } = await start('/', command, '--help');
      assert.match(stdout, new RegExp(`^Usage: webmcp-forms ${command} `));
      assert.match(modules, /src\/cli\/cli\.ts/);
      assert.deepEqual(heavyOf(modules), []);
      assert.doesNotMatch(modules, /src\/compiler\//);
    });
  }

  it('loads the parser for a page that has to be parsed, and not for one that the cache has', async () => {
    const cwd = await makeFolder({ 'site/a.html': toolForm('a'), 'site/b.html': '<p>None.' });
    const compile = ['compile', 'site', '--cache', 'kept'];
    const first = await start(cwd, ...compile);
    assert.deepEqual(heavyOf(first.modules), ['node_modules/parse5/', 'src/site/compile-html.ts']);
    const again = await start(cwd, ...compile);
    assert.deepEqual(heavyOf(again.modules), []);
    assert.equal(again.stdout, first.stdout);
  });

  it('tells a wrong flag without loading what the command does', async () => {
    const { code, stderr } = await runHere(['lint', '.', '--format', 'xml'], { cwd: '/' });
    assert.deepEqual([code, /text, json, sarif, github/.test(stderr)], [2, true]);
  });
});
