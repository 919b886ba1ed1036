import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, it, onTestFinished } from 'vitest';
import { rewriteFile } from '../../src/site/rewrite-file.js';

const source = '<form>';

async function makeFile(): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-rewrite-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'page.html');
  await writeFile(path, source);
  return { folder, path };
}

const rewrite = (path: string): Promise<void> =>
  rewriteFile(
    path,
    'page.html',
    (bytes) => bytes.toString() === source,
    () => '<form toolname=a>',
  );

describe('a file that is rewritten', () => {
  it('keeps the change of another program that is made while the new content is written', async () => {
    const { folder, path } = await makeFile();
    const changing = (async () => {
      // The file is opened, written and closed in several turns of the event loop.
      while (!readdirSync(folder).some((name) => name.endsWith('.tmp'))) await setImmediate();
      writeFileSync(path, 'of another program');
    })();
    await assert.rejects(rewrite(path), /Cannot write page\.html: Another program changed the file\./);
    await changing;
    assert.equal(await readFile(path, 'utf8'), 'of another program');
    assert.deepEqual(await readdir(folder), ['page.html']);
  });

  it('keeps its mode, whatever the mode of new files is', { skip: process.platform === 'win32' }, async () => {
    const { path } = await makeFile();
    for (const mode of [0o664, 0o600]) {
      await writeFile(path, source);
      await chmod(path, mode);
      await rewrite(path);
      assert.equal((await stat(path)).mode & 0o777, mode);
    }
  });
});
