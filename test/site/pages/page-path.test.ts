import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Manifest } from '../../../src/build.js';
import { makeFolder, runInProcess, toolForm } from '../../support/cli/running.js';

describe('the paths of pages', () => {
  it('encode a question mark in a file name', async () => {
    const names = ['a?b.html', '100%.html', 'a%3Fb.html', 'x#y [id].html'];
    const cwd = await makeFolder(Object.fromEntries(names.map((name) => [`site/${name}`, toolForm('t')])));
    const pathsOf = async (...argv: string[]): Promise<readonly string[]> => {
      const { stdout } = await runInProcess(['compile', '--name=n', '--manifest-version=1', ...argv], { cwd });
      return (JSON.parse(stdout) as Manifest).pages.map(({ path }) => path);
    };
    const paths = ['100%.html', 'a%253Fb.html', 'a%3Fb.html', 'x#y [id].html'];
    assert.deepEqual(await pathsOf('site'), paths);
    assert.deepEqual(await pathsOf('site/*.html'), paths);
    assert.deepEqual(await pathsOf('site/a?b.html'), ['a%3Fb.html']);
  });
});
