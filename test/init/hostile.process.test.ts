import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { parse } from 'yaml';
import { uncommittedFiles } from '../../src/init/changes.js';
import { recordFile } from '../../src/init/record.js';
import { makeFolder, runInProcess } from '../support/cli/running.js';

const page =
  '<!doctype html><html><head><title>Books</title></head><body><form action="/books"><label>Title <input name="q"></label><button>Search books</button></form></body></html>';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A record that adds text to a file whose content its author knows. */
const addition = (file: string, content: string, added: string) => ({
  file,
  after: hashOf(content),
  before: hashOf(content + added),
  start: content.length,
  end: content.length,
  removed: Buffer.from(added).toString('base64'),
});

const writeRecord = (cwd: string, files: readonly object[], folders: readonly string[] = []): Promise<void> =>
  writeFile(join(cwd, recordFile), JSON.stringify({ version: 1, runs: [{ generator: 'a', folders, files }] }));

interface Package {
  readonly scripts: { readonly webmcp: string };
}

interface Workflow {
  readonly jobs: { readonly tools: { readonly steps: readonly { readonly run?: string }[] } };
}

describe('webmcp-forms init --undo with a record of another author', () => {
  it('does not change the configuration of git, also through a symbolic link', async () => {
    const cwd = await makeFolder({ '.git/config': '[core]\n' });
    await symlink('.git', join(cwd, 'link'));
    for (const file of ['.git/config', 'link/config']) {
      await writeRecord(cwd, [addition(file, '[core]\n', '\tfsmonitor = program\n')]);
      const { code, stderr } = await runInProcess(['init', '--undo'], { cwd });
      assert.equal(code, 2);
      assert.match(stderr, /config: it is a file of the git repository itself\. Nothing was changed\./);
      assert.equal(await readFile(join(cwd, '.git/config'), 'utf8'), '[core]\n');
    }
  });

  it('does not delete an empty folder of git, or one outside of the folder', async () => {
    const cwd = await makeFolder({ 'a.txt': 'a' });
    const outside = await makeFolder({});
    await mkdir(join(outside, 'empty'));
    await mkdir(join(cwd, '.git/refs'), { recursive: true });
    await symlink(outside, join(cwd, 'link'));
    await writeRecord(cwd, [addition('a.txt', 'a', 'b')], ['link/empty', '.git/refs']);
    assert.equal((await runInProcess(['init', '--undo'], { cwd })).code, 0);
    assert.equal(await readFile(join(cwd, 'a.txt'), 'utf8'), 'ab');
    assert.ok(existsSync(join(outside, 'empty')) && existsSync(join(cwd, '.git/refs')));
  });

  it('prints the names of files without control characters', async () => {
    const name = 'a\u001b[2Jb.txt';
    const cwd = await makeFolder({ [name]: 'a' });
    await writeRecord(cwd, [addition(name, 'a', 'b')]);
    const { stdout } = await runInProcess(['init', '--undo', '--dry-run'], { cwd });
    assert.match(stdout, /^restore {2}a \[2Jb\.txt$/m);
  });

  it('does not read a device without end', async () => {
    const cwd = await makeFolder({});
    await symlink('/dev/zero', join(cwd, recordFile));
    const { code, stderr } = await runInProcess(['init', '--undo'], { cwd });
    assert.equal(code, 2);
    assert.match(stderr, /it has more than 400 MB/);
  });
});

describe('webmcp-forms init in a folder of another author', () => {
  it('runs no command in the name of a page, in package.json or in a workflow', async () => {
    const names = ['a$(touch RUN).html', 'b`touch RUN`.html', 'c";touch RUN;".html', '${{ github.token }}.html'];
    const cwd = await makeFolder({
      'vite.config.js': 'export default {};',
      'package.json': '{}',
      ...Object.fromEntries(names.map((name) => [name, page])),
    });
    assert.equal((await runInProcess(['init', '--yes', '--github'], { cwd })).code, 0);
    const { scripts } = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8')) as Package;
    const workflow = parse(await readFile(join(cwd, '.github/workflows/webmcp.yml'), 'utf8')) as Workflow;
    const run = workflow.jobs.tools.steps[2]?.run ?? '';
    assert.match(run, /\$\{\{ '\$\{\{' \}\} github\.token \}\}\.html/);
    const evaluated = run.replaceAll("${{ '${{' }}", '${{');
    for (const command of [scripts.webmcp, evaluated]) {
      const script = command.replace(/^.*?webmcp-forms\S*/, `printf '%s\\n'`);
      const shown = execFileSync('sh', ['-c', script], { cwd, encoding: 'utf8' });
      for (const name of names) assert.ok(shown.includes(name), `${command}: ${shown}`);
      assert.ok(!existsSync(join(cwd, 'RUN')));
    }
  });

  it('prints commands in one line for a folder whose name has control characters or looks like an option', async () => {
    const names = ['-x', 'a\n\u001b[2Jb'];
    const cwd = await makeFolder(Object.fromEntries(names.map((name) => [`${name}/index.html`, page])));
    const option = await runInProcess(['init', '--yes', '--', '-x'], { cwd });
    assert.match(option.stdout, /init --undo \.\/-x \(/);
    assert.match(option.stdout, /--out \.\/-x\/webmcp\.json \.\/-x$/m);
    const control = await runInProcess(['init', '--yes', 'a\n\u001b[2Jb'], { cwd });
    assert.match(control.stdout, /init --undo 'a \[2Jb' \(/);
    assert.ok(!control.stdout.includes('\u001b'));
  });

  it('does not run a program that is configured in a committed folder that looks like a bare repository', async () => {
    const cwd = await makeFolder({ 'index.html': page, '.gitattributes': '*.html filter=a' });
    const git = (...argv: readonly string[]): unknown => execFileSync('git', argv, { cwd, stdio: 'ignore' });
    git('init', '--bare', '.');
    git('--git-dir=.', '--work-tree=.', 'add', 'index.html');
    git('--git-dir=.', 'config', 'core.bare', 'false');
    git('--git-dir=.', 'config', 'core.worktree', '.');
    git('--git-dir=.', 'config', 'filter.a.clean', 'touch RUN; cat');
    await writeFile(join(cwd, 'index.html'), page.replace('Books', 'Boats'));
    assert.deepEqual(await uncommittedFiles(cwd), []);
    assert.ok(!existsSync(join(cwd, 'RUN')));
  });
});
