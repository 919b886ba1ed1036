import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { makeFolder, runInProcess, toolForm, type Outcome } from '../support/cli/running.js';

/** A folder with a page and its manifest. */
async function committed(): Promise<string> {
  const cwd = await makeFolder({ 'site/index.html': toolForm('a') });
  await runInProcess(['compile', '--out', 'webmcp.json', 'site'], { cwd });
  return cwd;
}

const check = (cwd: string, ...argv: readonly string[]): Promise<Outcome> =>
  runInProcess(['compile', '--check', '--out', 'webmcp.json', ...argv, 'site'], { cwd });

async function edit(cwd: string, change: (text: string) => string): Promise<void> {
  const file = join(cwd, 'webmcp.json');
  await writeFile(file, change(await readFile(file, 'utf8')));
}

describe('webmcp-forms compile --check', () => {
  it('exits with 0 and writes nothing if the file is up to date', async () => {
    const cwd = await committed();
    const { code, stdout, stderr } = await check(cwd);
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(
      stderr,
      /^webmcp-forms: webmcp\.json is up to date \(1 tool on 1 of 1 page, 0 errors, 0 warnings\)\n$/,
    );
    assert.deepEqual((await readdir(cwd)).sort(), ['site', 'webmcp.json']);
  });

  it('ignores white space and the version of the package that created the file', async () => {
    const cwd = await committed();
    await edit(cwd, (text) =>
      `${JSON.stringify(JSON.parse(text))}\r\n`.replace(/"generator":"[^"]*"/, '"generator":"webmcp-forms 0.0.1"'),
    );
    assert.equal((await check(cwd)).code, 0);
  });

  it('exits with 1, reports the differences and does not change the file if it is stale', async () => {
    const cwd = await committed();
    const before = await readFile(join(cwd, 'webmcp.json'), 'utf8');
    await writeFile(join(cwd, 'site/index.html'), toolForm('a', '<label>Words <input name="q" required></label>'));
    const { code, stdout, stderr } = await check(cwd);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^index\.html a\n {2}breaking {2}requires "q" now\n/);
    assert.match(
      stderr,
      /webmcp\.json is stale: 2 breaking changes\. Run the same command without --check and commit webmcp\.json\.\n/,
    );
    assert.equal(await readFile(join(cwd, 'webmcp.json'), 'utf8'), before);
  });

  it('compares locations in pages, the metadata of the site and the profile', async () => {
    const cwd = await committed();
    await writeFile(join(cwd, 'site/index.html'), `\n${toolForm('a')}`);
    const moved = await check(cwd);
    assert.equal(moved.code, 1);
    assert.match(
      moved.stderr,
      /is stale: only locations in pages, diagnostics or other details of forms changed\. Run /,
    );
    await writeFile(join(cwd, 'site/index.html'), toolForm('a'));
    assert.match((await check(cwd, '--name', 'other')).stderr, /is stale: name changed\. Run /);
    assert.match(
      (await check(cwd, '--profile', 'portable')).stderr,
      /is stale: its profile is precise, not portable\. Run /,
    );
  });

  it('shows at most as many changes as fit on a screen', async () => {
    const cwd = await committed();
    await writeFile(join(cwd, 'site/index.html'), Array.from({ length: 100 }, (_, n) => toolForm(`b${n}`)).join(''));
    const { stderr } = await check(cwd);
    assert.ok(stderr.split('\n').length < 50);
    assert.match(stderr, /\n {2}and \d+ more lines\n/);
  });

  it('exits with 1 and prints advice if the file is missing', async () => {
    const cwd = await makeFolder({ 'site/index.html': toolForm('a') });
    const { code, stderr } = await check(cwd);
    assert.equal(code, 1);
    assert.match(stderr, /webmcp\.json is missing\. Run the same command without --check/);
    assert.deepEqual(await readdir(cwd), ['site']);
  });

  it('exits with 1 for an error with --strict even if the file is up to date', async () => {
    const cwd = await makeFolder({ 'site/index.html': `${toolForm('a')}<form toolname="b"></form>` });
    await runInProcess(['compile', '--out', 'webmcp.json', 'site'], { cwd });
    assert.deepEqual([(await check(cwd)).code, (await check(cwd, '--strict')).code], [0, 1]);
  });

  it('exits with 1 and reports the reason if the file is not a manifest', async () => {
    for (const text of ['{}', '', '<<<<<<< ours\n', '\u0000', Buffer.from([0xff])]) {
      const cwd = await committed();
      await writeFile(join(cwd, 'webmcp.json'), text);
      const { code, stdout, stderr } = await check(cwd);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^webmcp-forms: webmcp\.json is stale: it is not (?:a tool manifest: [^\n]+|valid UTF-8)\. Run the same command without --check and commit webmcp\.json\.$/m,
      );
    }
  });

  it('exits with 2 without --out, with --ndjson, and if the file cannot be read', async () => {
    const cwd = await committed();
    const none = await runInProcess(['compile', '--check', 'site'], { cwd });
    assert.equal(none.code, 2);
    assert.match(none.stderr, /--check needs --out/);
    const ndjson = await runInProcess(['compile', '--check', '--ndjson', '--out', 'x', '-'], { cwd });
    assert.deepEqual([ndjson.code, ndjson.stdout], [2, '']);
    const folder = await runInProcess(['compile', '--check', '--out', '.', 'site'], { cwd });
    assert.equal(folder.code, 2);
    assert.match(folder.stderr, /Cannot read \.: /);
  });
});
