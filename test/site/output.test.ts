import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { fileSink } from '../../src/site/output.js';

const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-output-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function* interrupted(): AsyncGenerator<string> {
  yield '{"half":';
  await Promise.resolve();
  throw new RangeError('The page is invalid.');
}

describe('an output file', () => {
  it('keeps its previous content if its new content fails while it is written', async () => {
    const path = join(folder, 'kept.json');
    await writeFile(path, 'previous');
    const sink = fileSink(path, 'kept.json');
    // The file may be opened after its content has failed.
    for (let count = 0; count < 100; count++) await assert.rejects(sink(interrupted()), RangeError);
    assert.equal(await readFile(path, 'utf8'), 'previous');
    assert.deepEqual(await readdir(folder), ['kept.json']);
  });

  it('does not exist if its first content fails while it is written', async () => {
    await assert.rejects(fileSink(join(folder, 'new.json'), 'new.json')(interrupted()), RangeError);
    assert.deepEqual(await readdir(folder), ['kept.json']);
  });
});
