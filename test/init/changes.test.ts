import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { applyChanges, checkChanges, type Change } from '../../src/init/changes.js';
import { recordFile, recordOf, undoInit } from '../../src/init/record.js';
import { makeFolder } from '../support/cli/running.js';

const change = (file: string, before: string | undefined, after: string): Change => ({
  file,
  before: before === undefined ? undefined : Buffer.from(before),
  after: Buffer.from(after),
});

/** The paths and contents of all files below a folder. */
async function contentsOf(root: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = files.map(async (file) => [file.slice(root.length + 1), await readFile(file, 'utf8')] as const);
  return Object.fromEntries((await Promise.all(contents)).sort());
}

async function applyWithRecord(root: string, changes: readonly Change[]): Promise<void> {
  const checked = await checkChanges(root, changes);
  const record = await checkChanges(root, [await recordOf(root, checked.writes, checked.folders)]);
  await applyChanges({ ...checked, writes: [...record.writes, ...checked.writes] });
}

describe('applyChanges', () => {
  it('creates and changes files', async () => {
    const root = await makeFolder({ 'a.html': 'a' });
    await applyChanges(await checkChanges(root, [change('a.html', 'a', 'A'), change('x/y/b.js', undefined, 'b')]));
    assert.deepEqual(await contentsOf(root), { 'a.html': 'A', 'x/y/b.js': 'b' });
  });

  it('restores all files and folders if a file has changed since it was read', async () => {
    const root = await makeFolder({ 'a.html': 'a', 'b.html': 'b' });
    const changes = [change('x/y/c.js', undefined, 'c'), change('a.html', 'a', 'A'), change('b.html', 'b', 'B')];
    const checked = await checkChanges(root, changes);
    await writeFile(join(root, 'b.html'), 'other');
    await assert.rejects(
      applyChanges(checked),
      /^UsageError: Cannot write b\.html: .*changed.* Nothing was changed\.$/,
    );
    assert.deepEqual(await contentsOf(root), { 'a.html': 'a', 'b.html': 'other' });
    assert.deepEqual((await readdir(root)).sort(), ['a.html', 'b.html']);
  });

  it('writes a file once that two links lead to', async () => {
    const root = await makeFolder({ 'a.html': 'a' });
    await symlink('a.html', join(root, 'b.html'));
    await applyWithRecord(root, [change('a.html', 'a', 'A'), change('b.html', 'a', 'B')]);
    assert.equal(await readFile(join(root, 'a.html'), 'utf8'), 'A');
    await undoInit(root, false);
    assert.equal(await readFile(join(root, 'a.html'), 'utf8'), 'a');
  });
});

describe('checkChanges', () => {
  it('rejects a read-only file, a read-only folder and an existing file in the place of a new one', async () => {
    const root = await makeFolder({ 'a.html': 'a', 'b/c.html': 'c' });
    await chmod(join(root, 'a.html'), 0o444);
    await chmod(join(root, 'b'), 0o555);
    await assert.rejects(
      checkChanges(root, [change('a.html', 'a', 'A')]),
      /a\.html: it is read-only\. Make it writable\./,
    );
    await assert.rejects(checkChanges(root, [change('b/d.js', undefined, 'd')]), /its folder is read-only/);
    await assert.rejects(checkChanges(root, [change('b/c.html', undefined, 'd')]), /it exists\. Move it away\./);
    await assert.rejects(checkChanges(root, [change('a.html/d.js', undefined, 'd')]), /a\.html is not a folder/);
    await chmod(join(root, 'b'), 0o755);
  });

  it('rejects files and folders that symbolic links place outside of the project', async () => {
    const root = await makeFolder({ 'site/index.html': 'a', 'outside/a.html': 'a' });
    const site = join(root, 'site');
    await symlink('../outside/a.html', join(site, 'a.html'));
    await symlink('../outside', join(site, 'assets'));
    await symlink('nowhere', join(site, 'broken'));
    await assert.rejects(checkChanges(site, [change('a.html', 'a', 'A')]), /outside of the folder/);
    await assert.rejects(checkChanges(site, [change('assets/x.js', undefined, 'x')]), /outside of the folder/);
    await assert.rejects(checkChanges(site, [change('broken/x.js', undefined, 'x')]), /Cannot write broken\/x\.js/);
    assert.deepEqual(await readdir(join(root, 'outside')), ['a.html']);
  });
});

describe('undoInit', () => {
  it('restores the bytes of each file and deletes what was created, run by run', async () => {
    const root = await makeFolder({ 'a.html': 'one two', 'b.html': Buffer.from([0xff, 0x61, 0xfe]) });
    const b = Buffer.from([0xff, 0x62, 0x63, 0xfe]);
    const first: readonly Change[] = [
      change('a.html', 'one two', 'one and two'),
      { file: 'b.html', before: Buffer.from([0xff, 0x61, 0xfe]), after: b },
      change('x/c.js', undefined, 'c'),
    ];
    await applyWithRecord(root, first);
    await applyWithRecord(root, [change('a.html', 'one and two', 'one'), change('x/c.js', 'c', 'cc')]);
    await undoInit(root, false);
    assert.equal(await readFile(join(root, 'a.html'), 'utf8'), 'one and two');
    assert.equal(await readFile(join(root, 'x/c.js'), 'utf8'), 'c');
    assert.equal((await undoInit(root, true)).length, 3);
    assert.equal(await readFile(join(root, 'a.html'), 'utf8'), 'one and two');
    await undoInit(root, false);
    assert.deepEqual((await readdir(root)).sort(), ['a.html', 'b.html']);
    assert.equal(await readFile(join(root, 'a.html'), 'utf8'), 'one two');
    assert.deepEqual(await readFile(join(root, 'b.html')), Buffer.from([0xff, 0x61, 0xfe]));
    await assert.rejects(undoInit(root, false), /\.webmcp-forms-init\.json does not exist/);
  });

  it('changes nothing if one file has changed since the run', async () => {
    const root = await makeFolder({ 'a.html': 'a', 'b.html': 'b' });
    await applyWithRecord(root, [
      change('a.html', 'a', 'A'),
      change('b.html', 'b', 'B'),
      change('c.js', undefined, 'c'),
    ]);
    await writeFile(join(root, 'b.html'), 'B and more');
    await assert.rejects(undoInit(root, false), /^UsageError: Nothing was undone, because .* changed since: b\.html\./);
    assert.equal(await readFile(join(root, 'a.html'), 'utf8'), 'A');
    await writeFile(join(root, 'b.html'), 'b'); // restored by hand
    assert.equal((await undoInit(root, false)).length, 2);
    assert.deepEqual(await contentsOf(root), { 'a.html': 'a', 'b.html': 'b' });
  });

  it('rejects records that no run of init has written, such as one of a file above the folder', async () => {
    const root = await makeFolder({ 'project/a.html': 'a', 'b.html': 'b' });
    const project = join(root, 'project');
    const entry = { file: 'a.html', after: 'x', start: 0, end: 1, removed: '' };
    const records = [
      'nothing',
      '[]',
      '{"version":2,"runs":[]}',
      ...['../b.html', '/etc/hosts', 'x/../../b.html', '.', '', 'c:\\a'].map((file) =>
        JSON.stringify({ version: 1, runs: [{ generator: '', folders: [], files: [{ ...entry, file }] }] }),
      ),
      JSON.stringify({ version: 1, runs: [{ generator: '', folders: ['..'], files: [] }] }),
    ];
    for (const record of records) {
      await writeFile(join(project, recordFile), record);
      await assert.rejects(undoInit(project, false), /is not a record of init/, record);
    }
    await mkdir(join(project, 'x'));
    assert.equal(await readFile(join(root, 'b.html'), 'utf8'), 'b');
  });
});
