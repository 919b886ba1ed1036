import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { makeFolder, runInProcess, toolForm, type Outcome, type RunOptions } from '../support/cli/running.js';

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

/** Asserts that the run failed with exit code 2 and one line of standard error, and wrote nothing to standard output. */
function assertRefused({ code, stdout, stderr }: Outcome, line: RegExp): void {
  assert.match(stderr, line);
  assert.match(stderr, /^webmcp-forms: [^\n]+\n$/);
  assert.doesNotMatch(stderr, /\bat \S+:\d+|bug in webmcp-forms/);
  assert.deepEqual([code, stdout], [2, '']);
}

const refusals: readonly (readonly [what: string, argv: readonly string[], line: RegExp])[] = [
  [
    'a missing file',
    ['no.html'],
    /Cannot read no\.html: no such file or directory\. Name a file or folder that exists and is readable\./,
  ],
  ['an empty path', [''], /PATH is empty\. Name /],
  ['a path through a file', ['a.html/b.html'], /Cannot read a\.html\/b\.html: not a directory/],
  ['a folder without HTML', ['empty'], /The folder empty contains no page \(\.html, \.htm, \.xhtml\)\. Name /],
  ['a glob without a match', ['x/**/*.html'], /No file matches x\/\*\*\/\*\.html\. Quote /],
  ['a missing path', [], /PATH is missing\. Name /],
  ['two pages of one path', ['a.html', 'b'], /Two inputs have the path "a\.html": a\.html and b\/a\.html\. Name /],
  [
    'a page that is named twice',
    ['a.html', './a.html'],
    /Two inputs have the path "a\.html": a\.html and \.\/a\.html\. /,
  ],
  ['standard input that is named twice', ['-', '-'], /Two inputs have the path "index\.html": <stdin> twice\. /],
  [
    'an unknown profile',
    ['--profile', 'loose', 'a.html'],
    /'loose' is invalid\. Allowed choices are chromium, precise/,
  ],
  [
    'an unknown value of --sensitive',
    ['--sensitive=maybe', 'a.html'],
    /Allowed choices are include, exclude\. See webmcp-forms compile --help\./,
  ],
  ['an unknown option', ['--stricter', 'a.html'], /: Unknown option '--stricter' \(Did you mean --strict\?\)\. See /],
  ['an option without its value', ['a.html', '--out'], /: Option '--out <file>' argument missing\. See /],
  [
    'a manifest option with --ndjson',
    ['--ndjson', '--name', 'n'],
    /: Option '--ndjson' cannot be used with option '--name /,
  ],
  [
    'a package.json that is not JSON',
    ['package-broken'],
    /package-broken\/package\.json: it is not a JSON object\. Correct/,
  ],
  ['a package.json that is null', ['package-null/a.html'], /package-null\/package\.json: it is not a JSON object/],
  ['an --out that is a folder', ['a.html', '--out', 'b'], /Cannot write b: it is a folder\. Name /],
  [
    'an --out below a file',
    ['a.html', '--out', 'latin1.html/x'],
    /Cannot write latin1\.html\/x: not a directory\. Name /,
  ],
  [
    'an --out that is a device',
    ['a.html', '--out', '/dev/null'],
    /Cannot write \/dev\/null: it is not a regular file\. Name /,
  ],
  [
    'an --out that is an input',
    ['a.html', '--out', './a.html'],
    /Cannot write \.\/a\.html: --out is one of the inputs\. Choose another file\./,
  ],
];

describe('webmcp-forms compile', () => {
  for (const [what, argv, line] of refusals) {
    it(`rejects ${what} with one line and exit code 2`, async () => {
      assertRefused(await runInProcess(['compile', ...argv], { cwd: await makeFolder(files) }), line);
    });
  }

  it('rejects an unknown command', async () => {
    assertRefused(
      await runInProcess(['comple', 'a.html'], { cwd: await makeFolder(files) }),
      /: Unknown command 'comple' \(Did you mean compile\?\)\. See webmcp-forms --help\.$/m,
    );
  });

  it('rejects a named symbolic link that is broken, and a folder whose only page is such a link', async () => {
    const cwd = await makeFolder({ ...files, 'links/a.txt': '' });
    await symlink('nowhere', join(cwd, 'dangling.html'));
    await symlink('self.html', join(cwd, 'links/self.html'));
    assertRefused(
      await runInProcess(['compile', 'dangling.html'], { cwd }),
      /dangling\.html, a symbolic link: no such file/,
    );
    assertRefused(
      await runInProcess(['compile', 'links'], { cwd }),
      /links\/self\.html, a symbolic link: too many symbolic links/,
    );
  });

  it('reports broken symbolic links in a folder or a glob, and reads the other pages', async () => {
    const cwd = await makeFolder({ 'site/a.html': toolForm('a'), 'site/b.txt': '' });
    await symlink('nowhere', join(cwd, 'site/dangling.html'));
    await symlink('self.html', join(cwd, 'site/self.html'));
    await symlink('nowhere', join(cwd, 'site/nowhere.txt'));
    for (const [command, path] of [
      ['compile', 'site'],
      ['compile', 'site/*.html'],
      ['lint', 'site'],
      ['annotate', 'site'],
    ] as const) {
      const { code, stderr } = await runInProcess([command, path], { cwd });
      assert.equal(code, 0, stderr);
      assert.deepEqual(stderr.split('\n').slice(0, 2), [
        'webmcp-forms: Skipped site/dangling.html, a symbolic link: no such file or directory. Correct the link, or remove it.',
        'webmcp-forms: Skipped site/self.html, a symbolic link: too many symbolic links encountered. Correct the link, or remove it.',
      ]);
      assert.match(stderr, /\n.*\n.*\b1 (?:page|file|tool on 1 of 1 page)\b/);
    }
  });

  it('rejects an --out that is an input by another name', async () => {
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
      assertRefused(
        await runInProcess(argv, { cwd }),
        /Cannot write \S+: --out is one of the inputs\. Choose another file\./,
      );
    assert.equal(await readFile(join(cwd, 'a.html'), 'utf8'), files['a.html']);
  });

  it('rejects standard input that is named twice, with --ndjson and in merge', async () => {
    for (const argv of [
      ['compile', '--ndjson', '-', '-'],
      ['merge', '-', '-'],
    ])
      assertRefused(
        await runInProcess(argv, { cwd: await makeFolder() }),
        /- is given twice, but standard input can be read only once\. Name it once\./,
      );
  });

  it('reports a page with an annotation in UTF-16 without a byte order mark', async () => {
    const unreadable = Buffer.from(toolForm('a', 'é'), 'utf16le');
    const cwd = await makeFolder({ 'a.html': unreadable, 'b.html': unreadable });
    const message =
      /^a\.html error unreadable-page The page has null characters, as in UTF-16 without a byte order mark\. Save it as UTF-8\.\nb\.html error unreadable-page /m;
    const compiled = await runInProcess(['compile', '.'], { cwd });
    const linted = await runInProcess(['lint', '.'], { cwd });
    assert.deepEqual([compiled.code, linted.code], [1, 1]);
    assert.match(compiled.stderr, message);
    assert.match(linted.stdout, message);
    const types = await runInProcess(['types', '.'], { cwd });
    assert.equal(types.code, 1);
    assert.match(types.stderr, message);
  });

  it(
    'rejects a file or folder that is not readable',
    { skip: process.getuid?.() === 0 }, // root can read everything
    async () => {
      const cwd = await makeFolder({ ...files, 'c/closed/x.html': '' });
      await chmod(join(cwd, 'a.html'), 0);
      await chmod(join(cwd, 'c/closed'), 0);
      assertRefused(await runInProcess(['compile', 'a.html'], { cwd }), /Cannot read a\.html: permission denied/);
      assertRefused(await runInProcess(['compile', 'c'], { cwd }), /Cannot read c\/closed\/?: permission denied/);
      await chmod(join(cwd, 'c/closed'), 0o700);
    },
  );

  it('rejects standard input that is not text or fails', async () => {
    const cwd = await makeFolder(files);
    const refused = async (stdin: NonNullable<RunOptions['stdin']>, line: RegExp): Promise<void> =>
      assertRefused(await runInProcess(['compile', '-'], { cwd, stdin }), line);
    await refused([Buffer.from(toolForm('a', 'é'), 'utf16le')], /Cannot read <stdin>: The page has null characters/);
    await refused(broken(), /Cannot read <stdin>: the cable is cut\. /);
  });

  it(
    'reports a page whose tags do not fit in memory, or that has more than 100 MB, and compiles the others',
    { tags: 'long' },
    async () => {
      const cwd = await makeFolder({
        'a.html': toolForm('a'),
        'dense.html': `<form toolname=a tooldescription=b>${'<b>'.repeat(20_000_000)}`,
        'huge.html': `<form toolname=a>${'x'.repeat(100_000_001)}`,
      });
      const { code, stdout, stderr } = await runInProcess(['compile', '.'], { cwd });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^dense\.html error unreadable-page The page has 20000001 tags, which need about \d+ GB of memory\. Split it, or set NODE_OPTIONS=/m,
      );
      assert.match(stderr, /^huge\.html error unreadable-page The page has more than 100 MB\. Split it\.$/m);
      assert.match(stdout, /"name": "a"/);
    },
  );

  it('does not change the file of --out when it fails', async () => {
    const cwd = await makeFolder({ ...files, 'out/tools.json': 'before' });
    const failing = ['a.html', 'b', '--out', 'out/tools.json'];
    assertRefused(await runInProcess(['compile', ...failing], { cwd }), /Two inputs have the path/);
    await mkdir(join(cwd, 'out/folder'));
    assertRefused(await runInProcess(['compile', 'b', '--out', 'out/folder'], { cwd }), /out\/folder/);
    assert.equal(await readFile(join(cwd, 'out/tools.json'), 'utf8'), 'before');
    assert.deepEqual(await readdir(join(cwd, 'out')), ['folder', 'tools.json']);
  });
});

async function* broken(): AsyncGenerator<string> {
  yield await Promise.resolve('<p>');
  throw new Error('the cable is cut');
}
