import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Manifest } from '../../src/build.js';
import { makeFolder, runInProcess, toolForm, type Outcome } from '../support/cli/running.js';

const plainForm =
  '<form role="search"><label>Words <input name="q" type="search" /></label><button>Search</button></form>';

describe('the pages of a folder', () => {
  it('are those that end with .html, .htm and .xhtml, in any case, for each command', async () => {
    const cwd = await makeFolder({
      'a.html': toolForm('first') + plainForm,
      'b.htm': toolForm('second') + plainForm,
      'c/d.XHTML': toolForm('third') + plainForm,
      'e.txt': toolForm('fourth') + plainForm,
    });
    const run = async (command: string, ...args: readonly string[]): Promise<Outcome> =>
      runInProcess([command, ...args, '.'], { cwd });
    const { pages } = JSON.parse((await run('compile')).stdout) as Manifest;
    assert.deepEqual(
      pages.map(({ path, tools }) => [path, ...tools.map(({ name }) => name)]),
      [
        ['a.html', 'first'],
        ['b.htm', 'second'],
        ['c/d.XHTML', 'third'],
      ],
    );
    const linted = (await run('lint', '--rule', 'form-without-tool:info')).stdout.matchAll(
      /^(\S+?):\S+ info form-without-tool/gm,
    );
    assert.deepEqual(
      [...linted].map(([, file]) => file),
      ['a.html', 'b.htm', 'c/d.XHTML'],
    );
    assert.match((await run('types')).stdout, /interface FirstInput[^]*interface SecondInput[^]*interface ThirdInput/);
    const annotated = (await run('annotate')).stdout.matchAll(/^\+\+\+ b\/(\S+)/gm);
    assert.deepEqual(
      [...annotated].map(([, file]) => file),
      ['a.html', 'b.htm', 'c/d.XHTML'],
    );
  });
});
