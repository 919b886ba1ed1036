import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { parse } from 'yaml';
import { uncommittedFiles } from '../../src/init/changes.js';
import { answerQuestions, makeFolder, runInProcess } from '../support/cli/running.js';

const page =
  '<!doctype html><html><head><title>Books</title></head><body><form action="/books"><label>Title <input name="q"></label><button>Search books</button></form></body></html>';

/** A repository whose files are committed. */
async function makeRepository(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await makeFolder(files);
  const git = (...argv: readonly string[]): unknown => execFileSync('git', argv, { cwd, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false', 'commit', '-m', 'a');
  return cwd;
}

describe('webmcp-forms init in a git repository', () => {
  it('refuses to write beside uncommitted changes, unless --force is given', async () => {
    const cwd = await makeRepository({ 'index.html': page, 'a b.txt': 'a' });
    await writeFile(join(cwd, 'a b.txt'), 'b');
    await writeFile(join(cwd, 'new.txt'), 'c');
    const { code, stderr } = await runInProcess(['init', '--yes'], { cwd });
    assert.equal(code, 2);
    assert.match(
      stderr,
      /uncommitted changes: a b\.txt, new\.txt\. Nothing was changed\. Commit or stash them, or add --force\./,
    );
    assert.equal(await readFile(join(cwd, 'index.html'), 'utf8'), page);
    assert.equal((await runInProcess(['init', '--dry-run'], { cwd })).code, 0);
    assert.equal((await runInProcess(['init', '--yes', '--force'], { cwd })).code, 0);
    assert.notEqual(await readFile(join(cwd, 'index.html'), 'utf8'), page);
  });

  it('asks in a terminal, and changes nothing without a yes', async () => {
    const cwd = await makeRepository({ 'index.html': page });
    await writeFile(join(cwd, 'new.txt'), 'c');
    const enter = '\r';
    const { code, stderr } = await answerQuestions(['init'], cwd, [
      [/Kind of site/, enter],
      [/Folder for the scripts/, enter],
      [/Annotate this form/, enter],
      [/uncommitted changes: new\.txt\. Continue\? \(no\)/, enter],
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /Nothing was changed/);
    assert.equal(await readFile(join(cwd, 'index.html'), 'utf8'), page);
  });

  it('sets up a repository whose files are committed, and finds nothing to change in a second run', async () => {
    const cwd = await makeRepository({ 'index.html': page });
    assert.equal((await runInProcess(['init', '--yes'], { cwd })).code, 0);
    const { code, stdout } = await runInProcess(['init', '--yes'], { cwd });
    assert.equal(code, 0);
    assert.match(stdout, /Nothing to change/);
  });

  it('adds a workflow only to the root of a repository', async () => {
    const cwd = await makeRepository({ 'a/index.html': page });
    const { code, stdout } = await runInProcess(['init', '--yes', '--github', 'a'], { cwd });
    assert.equal(code, 0);
    assert.match(stdout, /No workflow was added, because GitHub reads those in the root of the repository\./);
    assert.ok(!existsSync(join(cwd, 'a/.github')));
  });

  it('prints a diff that git applies', async () => {
    const cwd = await makeRepository({ 'index.html': page, 'package.json': '{}' });
    const { stdout } = await runInProcess(['init', '--dry-run', '--github'], { cwd });
    const patch = stdout.slice(stdout.indexOf('--- '));
    execFileSync('git', ['apply'], { cwd, input: patch });
    assert.match(await readFile(join(cwd, 'index.html'), 'utf8'), /toolname="search_books"/);
    assert.match(await readFile(join(cwd, 'package.json'), 'utf8'), /"webmcp"/);
    assert.match(await readFile(join(cwd, '.github/workflows/webmcp.yml'), 'utf8'), /^name: WebMCP$/m);
  });
});

describe('the workflow of webmcp-forms init', () => {
  it('quotes the folder of the pages in the workflow', async () => {
    const folder = "it's #1: ${x}";
    const cwd = await makeFolder({ 'package.json': '{}', [`${folder}/index.html`]: page });
    assert.equal((await runInProcess(['init', '--yes', '--github', folder], { cwd })).code, 0);
    const { jobs } = parse(await readFile(join(cwd, '.github/workflows/webmcp.yml'), 'utf8')) as {
      readonly jobs: { readonly tools: { readonly steps: readonly { readonly run?: string }[] } };
    };
    const [check = ''] = jobs.tools.steps.flatMap(({ run }) => run ?? []);
    const [word = ''] = /'.*'/.exec(check) ?? [];
    assert.equal(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' }), folder);
  });
});

describe('uncommittedFiles', () => {
  it('names the new path of a renamed file', async () => {
    const cwd = await makeRepository({ 'a.txt': 'a' });
    execFileSync('git', ['mv', 'a.txt', 'b.txt'], { cwd });
    assert.deepEqual(await uncommittedFiles(cwd), ['b.txt']);
  });

  it('is empty outside of a repository', async () => {
    assert.deepEqual(await uncommittedFiles(await makeFolder({ 'a.txt': '' })), []);
  });
});
