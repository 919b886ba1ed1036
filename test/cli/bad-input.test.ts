import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeFolder, runHere, toolForm, type Outcome, type RunOptions } from './running.js';

const latin1 = Buffer.from(`<meta charset=iso-8859-1>${toolForm('a', '<label>é</label>')}`, 'latin1');

const files = {
  'a.html': toolForm('a'),
  'b/a.html': toolForm('b'),
  'empty/note.txt': '',
  'latin1.html': latin1,
  'package-broken/package.json': '{',
  'package-broken/a.html': toolForm('a'),
  'package-null/package.json': 'null',
  'package-null/a.html': toolForm('a'),
};

/** Asserts that the run failed with exit code 2 and one line that matches, and wrote nothing else. */
function assertRefused({ code, stdout, stderr }: Outcome, line: RegExp): void {
  assert.match(stderr, line);
  assert.match(stderr, /^webmcp-forms: [^\n]+\n$/);
  assert.doesNotMatch(stderr, /\bat \S+:\d+|fault of webmcp-forms/);
  assert.deepEqual([code, stdout], [2, '']);
}

const refusals: readonly (readonly [what: string, argv: readonly string[], line: RegExp])[] = [
  ['a missing file', ['no.html'], /cannot read no\.html: no such file/],
  ['an empty path', [''], /a PATH is empty: /],
  ['a path through a file', ['a.html/b.html'], /cannot read a\.html\/b\.html: not a directory/],
  ['a folder without HTML', ['empty'], /no \.html file is in or below the folder empty: /],
  ['a glob without a match', ['x/**/*.html'], /no file matches x\/\*\*\/\*\.html: /],
  ['a page that is not UTF-8', ['latin1.html'], /cannot read latin1\.html: it is not valid UTF-8: save it as UTF-8/],
  ['no path', [], /no PATH is given: /],
  ['two pages of one path', ['a.html', 'b'], /two inputs have the path "a\.html", a\.html and b\/a\.html: /],
  ['one page twice', ['a.html', './a.html'], /two inputs have the path "a\.html", /],
  ['a page that is standard input and a file', ['-', '-'], /two inputs have the path "index\.html", <stdin> twice: /],
  [
    'an unknown profile',
    ['--profile', 'loose', 'a.html'],
    /'loose' is invalid\. Allowed choices are chromium, precise/,
  ],
  ['an unknown choice about sensitive', ['--sensitive=maybe', 'a.html'], /Allowed choices are include, exclude: see /],
  ['an unknown option', ['--stricter', 'a.html'], /unknown option '--stricter' \(Did you mean --strict\?\): see /],
  ['an option without its value', ['a.html', '--out'], /option '--out <file>' argument missing: see /],
  ['a manifest option with --ndjson', ['--ndjson', '--name', 'n'], /'--ndjson' cannot be used with option '--name /],
  [
    'a package.json that is not JSON',
    ['package-broken'],
    /package-broken\/package\.json: it is not a JSON object: correct/,
  ],
  ['a package.json that is null', ['package-null/a.html'], /package-null\/package\.json: it is not a JSON object/],
  ['an --out that is a folder', ['a.html', '--out', 'b'], /cannot write b: it is a folder: /],
  ['an --out below a file', ['a.html', '--out', 'latin1.html/x'], /cannot write latin1\.html\/x: not a directory: /],
  ['an --out that is a device', ['a.html', '--out', '/dev/null'], /cannot write \/dev\/null: it is not a regular file/],
  ['an --out that is an input', ['a.html', '--out', './a.html'], /cannot write \.\/a\.html: it is one of the inputs: /],
];

describe('webmcp-forms compile refuses, in one line and with exit code 2,', () => {
  for (const [what, argv, line] of refusals) {
    it(what, async () => {
      assertRefused(await runHere(['compile', ...argv], { cwd: await makeFolder(files) }), line);
    });
  }

  it('an unknown command', async () => {
    assertRefused(await runHere(['comple', 'a.html'], { cwd: await makeFolder(files) }), /unknown command 'comple'/);
  });

  it('a symbolic link that leads nowhere or to itself', async () => {
    const cwd = await makeFolder(files);
    await symlink('nowhere', join(cwd, 'dangling.html'));
    await symlink('self.html', join(cwd, 'b/self.html'));
    assertRefused(
      await runHere(['compile', 'dangling.html'], { cwd }),
      /dangling\.html, a symbolic link: no such file/,
    );
    assertRefused(await runHere(['compile', 'b'], { cwd }), /b\/self\.html, a symbolic link: too many symbolic links/);
  });

  it('an --out that is an input by another name', async () => {
    const cwd = await makeFolder({ ...files, 'one.ndjson': '' });
    await symlink('a.html', join(cwd, 'link'));
    await symlink('one.ndjson', join(cwd, 'shard'));
    await symlink('a.html', join(cwd, 'page.html'));
    for (const argv of [
      ['compile', 'a.html', '--out', 'link'],
      ['compile', 'page.html', '--out', 'a.html'],
      ['lint', 'a.html', '--out', 'link'],
      ['compile', '--ndjson', 'one.ndjson', '--out', 'shard'],
      ['merge', 'one.ndjson', '--out', 'shard'],
    ])
      assertRefused(await runHere(argv, { cwd }), /cannot write \S+: it is one of the inputs: /);
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), files['a.html']);
  });

  it('standard input twice', async () => {
    for (const argv of [
      ['compile', '--ndjson', '-', '-'],
      ['merge', '-', '-'],
    ])
      assertRefused(await runHere(argv, { cwd: await makeFolder() }), /- is given twice, /);
  });

  it('a page of UTF-16 with an annotation', async () => {
    const cwd = await makeFolder({ 'a.html': Buffer.from(`\ufeff${toolForm('a')}`, 'utf16le') });
    for (const command of ['compile', 'lint'])
      assertRefused(await runHere([command, '.'], { cwd }), /cannot read a\.html: it is not valid UTF-8/);
  });

  it('a file or a folder that may not be read', { skip: process.getuid?.() === 0 && 'root may read all' }, async () => {
    const cwd = await makeFolder({ ...files, 'c/closed/x.html': '' });
    await chmod(join(cwd, 'a.html'), 0);
    await chmod(join(cwd, 'c/closed'), 0);
    assertRefused(await runHere(['compile', 'a.html'], { cwd }), /cannot read a\.html: permission denied/);
    assertRefused(await runHere(['compile', 'c'], { cwd }), /cannot read c\/closed\/?: permission denied/);
    await chmod(join(cwd, 'c/closed'), 0o700);
  });

  it('standard input that is not UTF-8, or fails', async () => {
    const cwd = await makeFolder(files);
    const refused = async (stdin: NonNullable<RunOptions['stdin']>, line: RegExp): Promise<void> =>
      assertRefused(await runHere(['compile', '-'], { cwd, stdin }), line);
    await refused([latin1], /cannot read <stdin>: it is not valid UTF-8/);
    await refused([Buffer.from('é').subarray(0, 1)], /cannot read <stdin>: it is not valid UTF-8/);
    await refused(broken(), /cannot read <stdin>: the cable is cut/);
  });

  it('a page with more tags than memory can hold', async () => {
    const cwd = await makeFolder({ 'dense.html': `<form toolname=a tooldescription=b>${'<b>'.repeat(20_000_000)}` });
    assertRefused(
      await runHere(['compile', '.'], { cwd }),
      /cannot compile dense\.html: its 20000001 tags need about /,
    );
  });

  it('and never leaves a part of --out, nor touches what was there', async () => {
    const cwd = await makeFolder({ ...files, 'out/tools.json': 'before' });
    const failing = ['latin1.html', 'b', '--out', 'out/tools.json'];
    assertRefused(await runHere(['compile', ...failing], { cwd }), /latin1\.html/);
    await mkdir(join(cwd, 'out/folder'));
    assertRefused(await runHere(['compile', 'b', '--out', 'out/folder'], { cwd }), /out\/folder/);
    assert.equal(await readFile(join(cwd, 'out/tools.json'), 'utf8'), 'before');
    assert.deepEqual(await readdir(join(cwd, 'out')), ['folder', 'tools.json']);
  });
});

async function* broken(): AsyncGenerator<string> {
  yield await Promise.resolve('<p>');
  throw new Error('the cable is cut');
}
