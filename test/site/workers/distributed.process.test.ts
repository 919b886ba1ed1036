import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { chmod, readFile, readdir, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, it } from 'vitest';
import { builtPath } from '../../support/processes.js';
import { makeFolder, runInProcess, toolForm } from '../../support/cli/running.js';
import { skipWithout } from '../../../tools/programs.mjs';

const execute = promisify(execFile);
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const guide = readFileSync(here('../../../docs/reference/scale.md'), 'utf8');

/** The first code block in a language in a section of the guide. */
function block(section: string, language: string): string {
  const text = guide.slice(guide.indexOf(section));
  const found = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(text)?.[1];
  assert.ok(guide.includes(section) && found !== undefined, `${section} has no ${language}`);
  return found;
}

const pageCount = Number(process.env['WEBMCP_FORMS_PAGES'] ?? 2000);
const pageOf = (n: number): string =>
  `<!doctype html><title>ü 😀</title>${n % 3 === 0 ? toolForm(`tool-${n}`) : '<p>Text'}${n % 9 === 0 ? '<form toolname=x>' : ''}`;
const files = (): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: pageCount }, (_, n) => [`dist/${n % 20}/p${n}${n % 5 === 0 ? 'é' : ''}.html`, pageOf(n)]),
  );

/** Creates a folder with a site, the guide's script and the program, and compiles the manifest. */
async function makeSite(): Promise<{ readonly cwd: string; readonly manifest: string }> {
  const program = `#!/bin/sh\nexec "${process.execPath}" "${builtPath('cli/bin')}" "$@"\n`;
  const script = block('## Many machines', 'js');
  const cwd = await makeFolder({ ...files(), 'to-ndjson.mjs': script, 'bin/webmcp-forms': program });
  await chmod(join(cwd, 'bin/webmcp-forms'), 0o755);
  const { code, stdout } = await runInProcess(['compile', 'dist', '--name', 'shop'], { cwd });
  assert.equal(code, 0);
  return { cwd, manifest: stdout };
}

const shell = (script: string, cwd: string): Promise<unknown> =>
  execute('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, PATH: `${join(cwd, 'bin')}${delimiter}${process.env['PATH'] ?? ''}` },
    maxBuffer: 64e6,
  });

/** Creates a site with files that `compile` reads and skips. */
const makeMixedSite = async (): Promise<string> => {
  const cwd = await makeFolder({
    'dist/dir.html/a.html': toolForm('a'),
    'dist/B.HTML': `\ufeff${toolForm('b')}`,
    'dist/.git/c.html': toolForm('c'),
    'dist/.#d.html': toolForm('d'),
    'dist/node_modules/x/e.html': toolForm('e'),
    'else/f.html': toolForm('f'),
    'to-ndjson.mjs': block('## Many machines', 'js'),
  });
  await symlink('../../else', join(cwd, 'dist/dir.html/else'));
  await symlink('..', join(cwd, 'dist/dir.html/up'));
  await symlink('B.HTML', join(cwd, 'dist/g.html'));
  return cwd;
};

const { cwd, manifest } = await makeSite();

describe('the recipes of docs/reference/scale.md', () => {
  it('find the same pages as compile', async () => {
    const cwd = await makeMixedSite();
    const { stdout: lines } = await execute(process.execPath, ['to-ndjson.mjs', 'dist'], { cwd });
    const { stdout: mapped } = await runInProcess(['compile', '--ndjson'], { cwd, stdin: [lines] });
    const { stdout: merged } = await runInProcess(['merge'], { cwd, stdin: [mapped] });
    assert.equal(merged, (await runInProcess(['compile', 'dist'], { cwd })).stdout);
    assert.equal(merged.match(/"path"/g)?.length, 4);
  });

  it('create the manifest of the site with GNU parallel', { skip: skipWithout('parallel') }, async () => {
    // Smaller blocks, so that there are several.
    await shell(block('### GNU parallel', 'sh').replace('--block 10M', '--block 100k'), cwd);
    assert.equal(await readFile(join(cwd, 'webmcp.json'), 'utf8'), manifest);
  });

  it('create the manifest of the site with mappers, a shuffle and a reducer', async () => {
    await shell(block('### Hadoop Streaming', 'sh'), cwd);
    assert.equal((await readdir(cwd)).filter((file) => file.startsWith('mapped-')).length, 4);
    assert.equal(await readFile(join(cwd, 'webmcp.json'), 'utf8'), manifest);
  });
});

const line = (path: string, html = toolForm('a')): string => `${JSON.stringify({ path, html })}\n`;
const compiled = async (...lines: string[]): Promise<string> =>
  (await runInProcess(['compile', '--ndjson'], { cwd: '/', stdin: lines })).stdout;

describe('webmcp-forms merge', () => {
  const pages = {
    'site/b.html': toolForm('b'),
    'site/a/x.html': '<form toolname=x>',
    'site/c.html': '<p>',
    'site/😀.html': toolForm('z'),
  };
  const paths = ['😀.html', 'c.html', 'b.html', 'a/x.html'] as const;
  const shard = (path: (typeof paths)[number]): Promise<string> => compiled(line(path, pages[`site/${path}`]));

  it('writes the same manifest as compile, for files and standard input in any order', async () => {
    const shards = await Promise.all(paths.map(shard));
    const cwd = await makeFolder({ ...pages, one: shards.slice(0, 2).join(''), two: `\n${shards[2]}` });
    const whole = await runInProcess(['compile', 'site', '--manifest-version=2'], { cwd });
    const stdin = [shards[3] as string];
    const merged = await runInProcess(['merge', 'two', '-', 'one', '--manifest-version=2'], { cwd, stdin });
    assert.equal(merged.stdout, whole.stdout);
    assert.equal(merged.stderr, 'webmcp-forms: 2 tools on 2 of 4 pages, 2 errors, 0 warnings\n');
    const piped = await runInProcess(['merge', '--manifest-version=2', '--out', 'm.json'], { cwd, stdin: shards });
    assert.deepEqual([piped.code, piped.stdout], [0, '']);
    assert.equal(await readFile(join(cwd, 'm.json'), 'utf8'), whole.stdout);
  });

  it('accepts the tabs that Hadoop appends to lines', async () => {
    const stdin = [(await compiled(line('a'), line('b'))).replaceAll('\n', '\t\r\n')];
    const { code, stdout } = await runInProcess(['merge'], { cwd: '/', stdin });
    assert.deepEqual([code, stdout.match(/"path"/g)?.length], [0, 2]);
  });

  it('writes an empty manifest for empty input', async () => {
    const cwd = await makeFolder({ 'site/c.html': '<p>' });
    const { stdout } = await runInProcess(['merge'], { cwd });
    assert.equal(stdout, (await runInProcess(['compile', 'site'], { cwd })).stdout);
    assert.match(stdout, /"pages": \[\]/);
  });

  it('applies --profile, and exits with 1 for errors with --strict', async () => {
    const stdin = [await shard('a/x.html')];
    const { code, stdout } = await runInProcess(['merge', '--profile=portable', '--strict'], { cwd: '/', stdin });
    assert.equal(code, 1);
    assert.match(stdout, /"profile": "portable"/);
  });

  it('leaves no temporary files', async () => {
    const stdin = [await shard('b.html')];
    const folder = await makeFolder();
    const { TMPDIR = '' } = process.env;
    process.env['TMPDIR'] = folder;
    try {
      assert.equal((await runInProcess(['merge'], { cwd: '/', stdin })).code, 0);
      assert.equal((await runInProcess(['merge'], { cwd: '/', stdin: ['invalid'] })).code, 2);
    } finally {
      if (TMPDIR === '') delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
    }
    assert.deepEqual(await readdir(folder), []);
  });

  const invalidLines: readonly (readonly [what: string, text: () => Promise<string>, message: RegExp])[] = [
    [
      'is not JSON',
      () => Promise.resolve('{"path":'),
      /Cannot read <stdin>:2: it is not valid JSON\. Name files whose lines are the output of/,
    ],
    [
      'is a page that is not compiled',
      () => Promise.resolve(line('x')),
      /Cannot read <stdin>:2: [^\n]*must have required/,
    ],
    [
      'has no path',
      async () => (await compiled(line('x'))).replace('"x"', '""'),
      /\/path must NOT have fewer than 1 characters/,
    ],
    [
      'has the path of another page',
      () => compiled(line('a')),
      /Two pages have the path "a": <stdin>:1 and <stdin>:2\. Merge each/,
    ],
    [
      'has two tools with the same name',
      async () => {
        const page = JSON.parse(await compiled(line('x'))) as { tools: object[] };
        return JSON.stringify({ ...page, tools: [...page.tools, ...page.tools] });
      },
      /<stdin>:2: two tools of x have the name "a"\. /,
    ],
    [
      'is nested too deep',
      async () =>
        (await compiled(line('x'))).replace(
          '"inputSchema":{',
          `"inputSchema":{"not":${'{"items":'.repeat(5000)}{}${'}'.repeat(5000)},`,
        ),
      /<stdin>:2: x is nested deeper than/,
    ],
    ['has an invalid tool', () => Promise.resolve('{"path":"x","tools":[1],"diagnostics":[]}'), /\/tools\/0 must be/],
  ];
  for (const [what, text, message] of invalidLines) {
    it(`rejects a line that ${what}, and writes nothing`, async () => {
      const cwd = await makeFolder({ 'm.json': 'old' });
      const stdin = [await compiled(line('a')), await text()];
      const { code, stdout, stderr } = await runInProcess(['merge', '--out', 'm.json'], { cwd, stdin });
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
      assert.match(stderr, /^webmcp-forms: [^\n]+\n$/);
      assert.equal(await readFile(join(cwd, 'm.json'), 'utf8'), 'old');
    });
  }

  it('rejects an --out that is a shard', async () => {
    const cwd = await makeFolder({ shard: await shard('b.html') });
    const { code, stderr } = await runInProcess(['merge', 'shard', '--out', './shard'], { cwd });
    assert.equal(code, 2);
    assert.match(stderr, /Cannot write \.\/shard: --out is one of the inputs\. Choose another file\./);
  });

  it('reads a pipe', async (test) => {
    if (process.platform === 'win32') return test.skip('Windows has other named pipes');
    const cwd = await makeFolder({ shard: await shard('b.html') });
    await execute('mkfifo', [join(cwd, 'pipe')]);
    const writing = shell('cat shard > pipe', cwd);
    const { stdout } = await runInProcess(['merge', 'pipe'], { cwd });
    await writing;
    assert.equal(stdout, (await runInProcess(['merge'], { cwd, stdin: createReadStream(join(cwd, 'shard')) })).stdout);
    assert.match(stdout, /"Does b\."/);
  });
});
