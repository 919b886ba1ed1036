import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { Manifest } from '../../src/build.js';
import { splitGlob } from '../../src/site/pages/glob.js';
import { makeFolder, manifestOf, runInProcess, toolForm, type RunOptions } from '../support/cli/running.js';

const pathsOf = ({ pages }: Manifest): readonly string[] => pages.map(({ path }) => path);
const compiledPaths = async (argv: readonly string[], options: RunOptions): Promise<readonly string[]> =>
  pathsOf(await manifestOf(['compile', ...argv], options));

const site = {
  'site/index.html': toolForm('home'),
  'site/b/index.html': toolForm('b'),
  'site/b/[id].html': toolForm('id'),
  'site/b/old.HTML': toolForm('old'),
  'site/b/page.htm': toolForm('htm'),
  'site/plain.html': '<p>No tool.',
  'site/node_modules/x/index.html': toolForm('x'),
  'site/.git/index.html': toolForm('git'),
  'site/dir.html/a.html': toolForm('a'),
};

describe('webmcp-forms compile PATH', () => {
  it('compiles all pages below a folder, except in node_modules and dot folders', async () => {
    const cwd = await makeFolder(site);
    const paths = ['b/[id].html', 'b/index.html', 'b/old.HTML', 'b/page.htm', 'dir.html/a.html', 'index.html'];
    assert.deepEqual(await compiledPaths(['site'], { cwd }), paths);
    assert.deepEqual(await compiledPaths([`${cwd}/site/`], { cwd: '/' }), paths);
    assert.deepEqual(await compiledPaths(['.'], { cwd: join(cwd, 'site') }), paths);
  });

  it('uses the base name of a file as its path, even if the name is a glob', async () => {
    const cwd = await makeFolder(site);
    assert.deepEqual(await compiledPaths(['site/b/[id].html', 'site/b/page.htm'], { cwd }), ['[id].html', 'page.htm']);
    assert.deepEqual(await compiledPaths(['site/node_modules/x'], { cwd }), ['index.html']);
  });

  it('compiles the matches of a glob, with paths from its first pattern character', async () => {
    const cwd = await makeFolder(site);
    assert.deepEqual(await compiledPaths(['site/b/*'], { cwd }), ['[id].html', 'index.html', 'old.HTML', 'page.htm']);
    assert.deepEqual(await compiledPaths(['site/**/index.html'], { cwd }), ['b/index.html', 'index.html']);
    assert.deepEqual(await compiledPaths([`${cwd}/*/{b/page,index}.htm*`], { cwd: '/' }), [
      'site/b/page.htm',
      'site/index.html',
    ]);
    assert.deepEqual(await compiledPaths(['b/\\[id\\].*', '*.html'], { cwd: join(cwd, 'site') }), [
      '[id].html',
      'index.html',
    ]);
  });

  it('visits only the folders that a glob can match', async () => {
    const files = ['a/b/x.html', 'a/c/x.html', 'a/.b/x.html', '.a/x.html', 'a/b/c/x.html', 'a/node_modules/x.html'];
    const cwd = await makeFolder(Object.fromEntries(files.map((file) => [`site/${file}`, toolForm('x')])));
    for (const [glob, paths] of [
      ['a/*/x.html', ['b/x.html', 'c/x.html']],
      ['{a/b,a/c}/*.html', ['a/b/x.html', 'a/c/x.html']],
      ['**/.b/*.html', ['a/.b/x.html']],
      ['.*/x.html', ['.a/x.html']],
      ['{.a,a/b}/x.html', ['.a/x.html', 'a/b/x.html']],
      ['a/b/**', ['c/x.html', 'x.html']],
      ['a/b/**/', ['c/x.html', 'x.html']],
      ['a/!(b)/*', ['.b/x.html', 'c/x.html']],
    ] as const)
      assert.deepEqual(await compiledPaths([glob], { cwd: join(cwd, 'site') }), paths, glob);
  });

  it('splits a glob at its first pattern character', () => {
    assert.deepEqual(splitGlob('a/b/*.html'), { base: 'a/b', rest: '*.html' });
    assert.deepEqual(splitGlob('*.html'), { base: '', rest: '*.html' });
    assert.deepEqual(splitGlob('/*.html'), { base: '/', rest: '*.html' });
    assert.deepEqual(splitGlob('../a/{b/c,d}/*'), { base: '../a', rest: '{b/c,d}/*' });
    assert.deepEqual(splitGlob('C:/site/**'), { base: 'C:/site', rest: '**' });
    assert.deepEqual(splitGlob('.//a/**/'), { base: 'a', rest: '**' });
  });

  it('compiles the page on standard input as index.html', async () => {
    const cwd = await makeFolder();
    const stdin = [Buffer.from(toolForm('é').slice(0, 16)), Buffer.from(toolForm('é').slice(16)), toolForm('b')];
    assert.deepEqual(await compiledPaths(['-'], { cwd, stdin }), ['index.html']);
  });

  it('decodes UTF-8 in chunks of any size, without the byte order mark', async () => {
    const cwd = await makeFolder({ 'bom.html': `\ufeff${toolForm('bom')}` });
    const bytes = [...Buffer.from(toolForm('a', '<label>é😀 <input name=q></label>'))].map((byte) =>
      Buffer.from([byte]),
    );
    const manifest = await manifestOf(['compile', '-', 'bom.html'], { cwd, stdin: bytes });
    assert.deepEqual(manifest.pages[0]?.tools[0]?.source, { line: 1, column: 1 });
    assert.equal(manifest.pages[1]?.tools[0]?.inputSchema.properties?.q?.description, 'é😀');
  });

  it('follows symbolic links except those to parent folders', async () => {
    const cwd = await makeFolder({ 'site/a/index.html': toolForm('a'), 'else/b.html': toolForm('b') });
    await symlink('..', join(cwd, 'site/a/up'));
    await symlink('.', join(cwd, 'site/self'));
    await symlink('../else', join(cwd, 'site/linked'));
    await symlink('a/index.html', join(cwd, 'site/c.html'));
    await symlink('nowhere', join(cwd, 'site/broken.css'));
    const paths = ['a/index.html', 'c.html', 'linked/b.html'];
    assert.deepEqual(await compiledPaths(['site'], { cwd }), paths);
    assert.deepEqual(await compiledPaths(['site/**/*.html'], { cwd }), paths);
  });

  it('visits a folder once, directly or by one symbolic link', async () => {
    const cwd = await makeFolder({ 'else/y.html': toolForm('y') });
    const names = Array.from({ length: 9 }, (_, n) => `f${n}`);
    for (const name of names) {
      await mkdir(join(cwd, 'site', name), { recursive: true });
      await writeFile(join(cwd, 'site', name, 'x.html'), toolForm('x'));
      for (const other of names) await symlink(`../${other}`, join(cwd, 'site', name, `to-${other}`));
      await symlink('../../else', join(cwd, 'site', name, 'else'));
    }
    const paths = ['f0/else/y.html', ...names.map((name) => `${name}/x.html`)];
    assert.deepEqual(await compiledPaths(['site'], { cwd }), paths);
    assert.deepEqual(await compiledPaths(['site/**/*.html'], { cwd }), paths);
    assert.deepEqual(await compiledPaths(['site/f3/{to-f2,to-f1}/*.html'], { cwd }), ['to-f1/x.html', 'to-f2/x.html']);
  });

  it('skips dot files, and reads files in any encoding', async (test) => {
    const cwd = await makeFolder({
      'a.html': toolForm('a'),
      'old.html': Buffer.from('<meta charset=iso-8859-1><p>é', 'latin1'),
      '._a.html': Buffer.from('toolname\xff', 'latin1'),
    });
    await symlink('nobody@nowhere', join(cwd, '.#a.html'));
    for (const path of ['.', '*.html']) {
      const { code, stdout, stderr } = await runInProcess(['compile', path], { cwd });
      assert.deepEqual([code, pathsOf(JSON.parse(stdout) as Manifest)], [0, ['a.html']]);
      assert.match(stderr, /^webmcp-forms: \d+ tools? on 1 of 2 pages, /);
    }
    if (process.platform !== 'linux') return test.skip('file names are UTF-8 on other systems');
    await writeFile(Buffer.from(`${cwd}/\xe9.html`, 'latin1'), toolForm('b'));
    await mkdir(Buffer.from(`${cwd}/\xe9`, 'latin1'));
    for (const path of ['.', '*.html']) {
      const { code, stdout, stderr } = await runInProcess(['compile', path], { cwd });
      assert.deepEqual([code, pathsOf(JSON.parse(stdout) as Manifest)], [0, ['a.html']]);
      assert.match(stderr, /^webmcp-forms: Skipped \ufffd\.html: its name is not valid UTF-8\. Rename it\.$/m);
    }
  });

  it('compiles files and tools named __proto__ and constructor', async () => {
    const cwd = await makeFolder({
      '__proto__/constructor.html': toolForm('__proto__'),
      'toString.html': toolForm('a'),
    });
    assert.deepEqual(await compiledPaths(['.'], { cwd }), ['__proto__/constructor.html', 'toString.html']);
  });
});

describe('webmcp-forms compile', () => {
  it('writes the manifest to standard output, and diagnostics and a summary to standard error', async () => {
    const cwd = await makeFolder({ ...site, 'site/c.html': '\n <form toolname=c></form>' });
    const { code, stdout, stderr } = await runInProcess(['compile', 'site'], { cwd });
    assert.equal(code, 0);
    assert.equal(stdout, `${JSON.stringify(JSON.parse(stdout), null, 2)}\n`);
    assert.match(stderr, /^site\/c\.html:2:2 error missing-tool-description .+$/m);
    assert.match(stderr, /\nwebmcp-forms: 6 tools on 6 of 8 pages, [12] errors?, 0 warnings\n$/);
  });

  it('writes the same output every time, for any order of the paths', async () => {
    const cwd = await makeFolder(site);
    const first = await runInProcess(['compile', 'site/b', 'site/dir.html'], { cwd });
    const again = await runInProcess(['compile', 'site/b', 'site/dir.html'], { cwd });
    const reversed = await runInProcess(['compile', 'site/dir.html', 'site/b'], { cwd });
    assert.deepEqual(again, first);
    assert.deepEqual(reversed, first);
  });

  it('reads the name and version, not the description, from the nearest package.json above the first path', async () => {
    const cwd = await makeFolder({
      'package.json': JSON.stringify({ name: 'outer', version: '9.9.9' }),
      'site/package.json': `\ufeff${JSON.stringify({ name: '@a/shop', description: 'Sells.', version: '1.2.3-beta.1' })}`,
      'site/pages/a.html': toolForm('a'),
      'other/b.html': toolForm('b'),
    });
    const metadataOf = async (...argv: string[]): Promise<unknown[]> => {
      const { name, description, version } = await manifestOf(['compile', ...argv], { cwd });
      return [name, description, version];
    };
    const inner = ['@a/shop', '', '1.2.3-beta.1'];
    assert.deepEqual(await metadataOf('site'), inner);
    assert.deepEqual(await metadataOf('site/pages/a.html'), inner);
    assert.deepEqual(await metadataOf('site/pages/*.html', 'other'), inner);
    assert.deepEqual(await metadataOf('other', 'site/pages'), ['outer', '', '9.9.9']);
    assert.deepEqual(await metadataOf('-'), ['outer', '', '9.9.9']);
    const flags = ['--name', 'n', '--description', 'd', '--manifest-version', '2'];
    assert.deepEqual(await metadataOf('site', ...flags), ['n', 'd', '2']);
    assert.deepEqual(await metadataOf('site', '--name=n'), ['n', '', '1.2.3-beta.1']);
  });

  it('uses default metadata if package.json has none', async () => {
    const cwd = await makeFolder({ 'package.json': '{"type":"module","name":5}', 'a.html': toolForm('a') });
    const { name, description, version } = await manifestOf(['compile', '.'], { cwd });
    assert.deepEqual([name, description, version], ['site', '', '0.0.0']);
  });

  it('applies --profile and --sensitive', async () => {
    const cwd = await makeFolder({ 'a.html': toolForm('a', '<label>P <input type=password name=p></label>') });
    const resultOf = async (...argv: string[]): Promise<unknown[]> => {
      const { profile, sensitive, pages } = await manifestOf(['compile', 'a.html', ...argv], { cwd });
      return [profile, sensitive, Object.keys(pages[0]?.tools[0]?.inputSchema.properties ?? {}).join()];
    };
    assert.deepEqual(await resultOf(), ['precise', 'exclude', '']);
    assert.deepEqual(await resultOf('--profile', 'portable'), ['portable', 'exclude', '']);
    assert.deepEqual(await resultOf('--profile=chromium'), ['chromium', 'include', 'p']);
    assert.deepEqual(await resultOf('--profile=chromium', '--sensitive=exclude'), ['chromium', 'exclude', '']);
    assert.deepEqual(await resultOf('--sensitive', 'include'), ['precise', 'include', 'p']);
  });

  it('exits with 1 with --strict if a diagnostic is an error, and writes the manifest', async () => {
    const cwd = await makeFolder({
      'bad.html': '<form toolname=a></form>',
      'fair.html': '<form toolname=a tooldescription=""><button>Go</button></form>',
    });
    const bad = await runInProcess(['compile', '--strict', 'bad.html'], { cwd });
    assert.equal(bad.code, 1);
    assert.equal((JSON.parse(bad.stdout) as Manifest).pages.length, 1);
    assert.equal((await runInProcess(['compile', 'bad.html'], { cwd })).code, 0);
    assert.equal((await runInProcess(['compile', '--strict', 'fair.html'], { cwd })).code, 0);
  });

  it('writes the file of --out, and creates its folder', async () => {
    const cwd = await makeFolder(site);
    const { code, stdout, stderr } = await runInProcess(['compile', 'site', '--out', 'new/deep/tools.json'], { cwd });
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /, written to new\/deep\/tools\.json\n$/);
    const written = await readFile(join(cwd, 'new/deep/tools.json'), 'utf8');
    assert.equal(written, (await runInProcess(['compile', 'site'], { cwd })).stdout);
    assert.deepEqual(await readdir(join(cwd, 'new/deep')), ['tools.json']);
  });

  it('replaces the file of --out through a symbolic link, and preserves its mode', async () => {
    const cwd = await makeFolder(site);
    await writeFile(join(cwd, 'real.json'), 'x'.repeat(100_000), { mode: 0o600 });
    await symlink('real.json', join(cwd, 'link.json'));
    assert.equal((await runInProcess(['compile', 'site/index.html', '--out', 'link.json'], { cwd })).code, 0);
    assert.equal((JSON.parse(await readFile(join(cwd, 'real.json'), 'utf8')) as Manifest).pages.length, 1);
    assert.equal((await stat(join(cwd, 'real.json'))).mode & 0o777, 0o600);
  });

  it('removes control characters of pages from diagnostics', async () => {
    const html = '<form toolname="\u001b[31m\nevil" tooldescription=d><input name="\u001b]0;x\u0007" required></form>';
    const cwd = await makeFolder({ 'a\u001b[2J\n.html': html });
    const { stderr } = await runInProcess(['compile', '.'], { cwd });
    assert.doesNotMatch(stderr, /[^\P{Cc}\n]/u);
    assert.equal(stderr.trim().split('\n').at(-1)?.startsWith('webmcp-forms: 0 tools on 0 of 1 page,'), true);
  });

  it('escapes control and bidirectional characters in JSON', async () => {
    const html = toolForm('a', '<label>x\u202ey\u2066z\u009b\u2028w<input name=q></label>').replace(
      '<form',
      '<form toolautosubmit="\u202e\u200f"',
    );
    const bad = '<form toolname="b" tooldescription=""><input name="\u202eq\u2066\u200f\u061c" required></form>';
    const cwd = await makeFolder({ 'a.html': html, 'b\u202e.html': bad });
    const raw = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;
    const { stdout, stderr } = await runInProcess(['compile', '.'], { cwd });
    assert.doesNotMatch(stderr, /[\p{Bidi_Control}\u009b\u2028]/u);
    assert.match(stderr, /^b \.html:/m);
    const { tools } = (JSON.parse(stdout) as Manifest).pages[0]!;
    assert.match(JSON.stringify(tools), /x\u202ey\u2066z\u009b[ \u2028]w/);
    const merged = await runInProcess(['compile', '--ndjson'], {
      cwd,
      stdin: [JSON.stringify({ path: 'a.html', html }), '\n', JSON.stringify({ path: 'b\u202e.html', html: bad })],
    });
    assert.equal((await runInProcess(['merge'], { cwd, stdin: [merged.stdout] })).stdout, stdout);
    const json = await runInProcess(['lint', '--format', 'json', '.'], { cwd });
    const sarif = await runInProcess(['lint', '--format', 'sarif', '.'], { cwd });
    await writeFile(join(cwd, 'm.json'), stdout);
    await writeFile(join(cwd, 'n.json'), stdout.replaceAll('\\u202e', '\\u202d'));
    const diff = await runInProcess(['diff', '--json', 'm.json', 'n.json'], { cwd });
    const github = await runInProcess(['lint', '--format', 'github', '.'], { cwd });
    for (const text of [stdout, merged.stdout, json.stdout, sarif.stdout, diff.stdout]) {
      assert.match(text, /\\u202[de]/);
      assert.doesNotMatch(text, raw);
    }
    assert.doesNotMatch(github.stdout, raw);
  });

  it('prints its version, its help, and the help of a command', async () => {
    const cwd = await makeFolder();
    assert.match((await runInProcess(['--version'], { cwd })).stdout, /^\d+\.\d+\.\d+\S*\n$/);
    const { stdout: help, code } = await runInProcess(['compile', '--help'], { cwd });
    assert.equal(code, 0);
    const flags = 'profile sensitive name description manifest-version strict out ndjson';
    for (const flag of flags.split(' ')) assert.match(help, new RegExp(`--${flag}\\b`));
    assert.equal((await runInProcess(['compile', '--help'], { cwd })).stderr, '');
    assert.equal((await runInProcess(['--help'], { cwd })).code, 0);
  });

  it('groups the commands in its help, and fits on a screen with examples', async () => {
    const { stdout } = await runInProcess(['--help'], { cwd: await makeFolder() });
    const lines = stdout.trimEnd().split('\n');
    assert.ok(lines.length <= 24, stdout);
    assert.deepEqual(
      lines.filter((line) => /^\w[^.]*:$/.test(line)),
      ['Options:', 'Annotate forms:', 'Write files:', 'Look at tools:', 'Examples:'],
    );
    for (const name of ['annotate', 'compile', 'diff', 'inspect', 'lint', 'merge', 'types'])
      assert.match(stdout, new RegExp(`^ {2}${name} {2,}\\w`, 'm'));
  });

  it('groups the options of a command in its help', async () => {
    const headings = async (command: string): Promise<readonly string[]> => {
      const { stdout } = await runInProcess([command, '--help'], { cwd: await makeFolder() });
      return [...stdout.matchAll(/^(\w[\w ]{0,30}):$/gm)].map(([, heading = '']) => heading);
    };
    const urls = 'Pages of URLs';
    const speed = 'Threads and time';
    assert.deepEqual(await headings('compile'), ['Arguments', 'Options', 'Manifest', urls, speed, 'Examples']);
    assert.deepEqual(await headings('lint'), ['Arguments', 'Options', urls, 'Rules', speed, 'Examples']);
    assert.deepEqual(await headings('annotate'), ['Arguments', 'Options', 'Choice of forms', speed, urls, 'Examples']);
    assert.deepEqual(await headings('inspect'), ['Arguments', 'Options', 'Browser', 'Examples']);
  });

  it('prints its help to standard error if the command is missing', async () => {
    const cwd = await makeFolder();
    const { code, stdout, stderr } = await runInProcess([], { cwd });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^Usage: webmcp-forms /);
  });

  it('compiles deep and wide pages', { tags: 'long' }, async () => {
    const types = ['text', 'number', 'email', 'checkbox', 'range'];
    const controls = Array.from(
      { length: 5000 },
      (_, n) => `<label>L${n} <input name=c${n} type=${types[n % 5]}></label>`,
    );
    const cwd = await makeFolder({
      'deep.html': toolForm('deep', `${'<div>'.repeat(400)}<label>Q <input name=q></label>`),
      'wide.html': toolForm('wide', controls.join('\n')),
    });
    const { pages } = await manifestOf(['compile', '.'], { cwd });
    const [deep, wide] = pages.map(({ tools }) => Object.keys(tools[0]?.inputSchema.properties ?? {}).length);
    assert.deepEqual([deep, wide], [1, 5000]);
  });
});
