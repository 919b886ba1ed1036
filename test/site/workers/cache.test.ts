import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { openCache } from '../../../src/site/workers/compile-pages.js';
import { makeFolder, runInProcess, toolForm, type Outcome } from '../../support/cli/running.js';

const site = { 'site/a.html': toolForm('a'), 'site/b.html': toolForm('b'), 'site/plain.html': '<p>No tool.' };
const compile = (cwd: string, ...argv: string[]): Promise<Outcome> =>
  runInProcess(['compile', 'site', '--jobs', '1', ...argv], { cwd });
const cached = (cwd: string, ...argv: string[]): Promise<Outcome> => compile(cwd, '--cache', 'kept', ...argv);

/** The files of the entries, with their contents. */
async function entriesOf(cwd: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(join(cwd, 'kept'), { recursive: true })).filter((file) => /[\da-f]{62}$/.test(file));
  return new Map(
    await Promise.all(
      files.sort().map(async (file) => [file, await readFile(join(cwd, 'kept', file), 'utf8')] as const),
    ),
  );
}

/** Changes the text of an entry, with a valid checksum. If the output has the change, the entry was read. */
function forged(file: string, entry: string): string {
  const text = entry.slice(entry.indexOf('\n') + 1).replaceAll('Does ', 'Did ');
  const checksum = createHash('sha256').update(`${file.replaceAll(/[\\/]/g, '')}\n${text}`);
  return `${checksum.digest('hex')}\n${text}`;
}

async function forge(cwd: string): Promise<void> {
  for (const [file, entry] of await entriesOf(cwd)) await writeFile(join(cwd, 'kept', file), forged(file, entry));
}

describe('webmcp-forms compile --cache', () => {
  it('writes the same result with an empty cache, a full cache and without one, for every number of threads', async () => {
    const cwd = await makeFolder({ ...site, 'site/wrong.html': '<form toolname=w></form>' });
    const plain = await compile(cwd);
    assert.match(plain.stderr, /missing-tool-description/);
    for (const jobs of ['1', '2', '2'])
      assert.deepEqual(await runInProcess(['compile', 'site', '--jobs', jobs, '--cache', 'kept'], { cwd }), plain);
  });

  it('reads unchanged pages from the cache, and compiles changed pages', async () => {
    const cwd = await makeFolder(site);
    await cached(cwd);
    await forge(cwd);
    await writeFile(join(cwd, 'site/b.html'), toolForm('c'));
    const { stdout } = await cached(cwd);
    assert.match(stdout, /"Did a\."/);
    assert.match(stdout, /"Does c\."/);
  });

  it('stores a page once for all paths and for streams, and stores no page without tools', async () => {
    const cwd = await makeFolder({ ...site, 'site/again/a.html': toolForm('a') });
    await cached(cwd);
    assert.equal((await entriesOf(cwd)).size, 2);
    await forge(cwd);
    await rename(join(cwd, 'site/a.html'), join(cwd, 'site/moved.html'));
    assert.equal((await cached(cwd)).stdout.match(/"Did a\."/g)?.length, 2);
    const stdin = [`${JSON.stringify({ path: 'x', html: toolForm('a') })}\n`];
    const { stdout } = await runInProcess(['compile', '--ndjson', '--cache', 'kept'], { cwd, stdin });
    assert.match(stdout, /^\{"path":"x",.*"Did a\."/);
  });

  it('stores the results of different options separately', async () => {
    const cwd = await makeFolder(site);
    await cached(cwd);
    await forge(cwd);
    for (const flags of [
      ['--profile', 'portable'],
      ['--sensitive', 'include'],
    ])
      assert.deepEqual(await cached(cwd, ...flags), await compile(cwd, ...flags));
  });

  const damages: readonly (readonly [what: string, damage: (entry: string) => string])[] = [
    ['truncated', (entry) => entry.slice(0, -5)],
    ['empty', () => ''],
    ['a single line', (entry) => entry.replace('\n', '')],
    ['edited', (entry) => entry.replaceAll('Does ', 'Did ')],
    ['another text', () => 'x\n{"tools":[],"diagnostics":[]}'],
  ];
  for (const [what, damage] of damages) {
    it(`compiles a page again and replaces its entry if the entry is ${what}`, async () => {
      const cwd = await makeFolder(site);
      const first = await cached(cwd);
      const entries = await entriesOf(cwd);
      for (const [file, entry] of entries) await writeFile(join(cwd, 'kept', file), damage(entry));
      assert.deepEqual(await cached(cwd), first);
      assert.deepEqual(await entriesOf(cwd), entries);
    });
  }

  it('ignores an entry of another page', async () => {
    const cwd = await makeFolder(site);
    const first = await cached(cwd);
    const [[one, text], [other]] = [...(await entriesOf(cwd))] as [[string, string], [string, string]];
    assert.notEqual(one, other);
    await writeFile(join(cwd, 'kept', other), text);
    assert.deepEqual(await cached(cwd), first);
  });

  it('works with several runs at the same time', async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`site/${n}.html`, toolForm(`t${n}`)]));
    const cwd = await makeFolder(files);
    const plain = await compile(cwd);
    for (const outcome of await Promise.all(Array.from({ length: 4 }, () => cached(cwd))))
      assert.deepEqual(outcome, plain);
    assert.equal((await entriesOf(cwd)).size, 40);
  });

  it('continues without the cache and warns if it is not writable', async () => {
    const cwd = await makeFolder({ ...site, kept: 'a file' });
    const plain = await compile(cwd);
    const { code, stdout, stderr } = await cached(cwd);
    assert.deepEqual([code, stdout], [0, plain.stdout]);
    assert.match(
      stderr,
      /^webmcp-forms: The cache kept is not writable: [^\n]+\. It was not used\.\nwebmcp-forms: 2 tools/,
    );
    assert.equal(await readFile(join(cwd, 'kept'), 'utf8'), 'a file');
  });

  it('rejects an empty name', async () => {
    const { code, stderr } = await runInProcess(['compile', 'site', '--cache='], { cwd: await makeFolder(site) });
    assert.deepEqual([code, stderr], [2, 'webmcp-forms: --cache is empty. Name a folder.\n']);
  });

  it('deletes entries that were not used for a month, and no other files', async () => {
    const cwd = await makeFolder({ ...site, 'kept/mine.txt': 'x', 'kept/aa/mine.txt': 'x' });
    await cached(cwd);
    const old = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
    const files = [...(await entriesOf(cwd)).keys(), 'mine.txt', 'aa/mine.txt'];
    for (const file of [...files, 'swept']) await utimes(join(cwd, 'kept', file), old, old);
    await writeFile(join(cwd, 'site/b.html'), toolForm('new'));
    await cached(cwd);
    const kept = await entriesOf(cwd);
    assert.equal(kept.size, 2);
    assert.ok([...kept.values()].every((entry) => /Does (?:a|new)\./.test(entry)));
    for (const file of ['mine.txt', 'aa/mine.txt']) assert.ok((await stat(join(cwd, 'kept', file))).isFile());
  });
});

describe('PageCache.keyOf', () => {
  it('ignores the byte order mark of a file, but not that of a string', async () => {
    const marked = `\ufeff${toolForm('a')}`;
    const twice = `\ufeff${marked}`;
    const cwd = await makeFolder({ 'a.html': marked, 'b.html': twice });
    for (const [path, html] of [
      ['a.html', marked],
      ['b.html', twice],
    ] as const) {
      const stdin = [`${JSON.stringify({ path, html })}\n`];
      const ofFile = await runInProcess(['compile', path, '--cache', 'kept'], { cwd });
      const { stdout } = await runInProcess(['compile', '--ndjson', '--cache', 'kept'], { cwd, stdin });
      const plain = await runInProcess(['compile', '--ndjson'], { cwd, stdin });
      assert.equal(stdout, plain.stdout);
      assert.equal((await runInProcess(['merge'], { cwd, stdin: [stdout] })).stdout, ofFile.stdout);
    }
    const { keyOf } = openCache(cwd, 'salt');
    assert.equal(keyOf(Buffer.from(marked)), keyOf(toolForm('a')));
    assert.notEqual(keyOf(Buffer.from(marked)), keyOf(marked));
  });

  it('returns the same key for bytes and text', async () => {
    const { keyOf } = openCache(await makeFolder(), 'salt');
    assert.equal(keyOf('é'), keyOf(Buffer.from('é')));
    assert.notEqual(keyOf('é'), keyOf('e'));
    assert.notEqual(keyOf('é'), openCache('other', 'other salt').keyOf('é'));
  });

  it('returns undefined for text that UTF-8 cannot encode', async () => {
    assert.equal(openCache(await makeFolder(), 'salt').keyOf('\ud800'), undefined);
  });
});
