import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeFolder, runHere, toolForm, type Outcome } from './running.js';

/** A folder with a page and its manifest. */
async function committed(): Promise<string> {
  const cwd = await makeFolder({ 'site/index.html': toolForm('a') });
  await runHere(['compile', '--out', 'webmcp.json', 'site'], { cwd });
  return cwd;
}

const check = (cwd: string, ...argv: readonly string[]): Promise<Outcome> =>
  runHere(['compile', '--check', '--out', 'webmcp.json', ...argv, 'site'], { cwd });

/** Changes the text of the committed manifest. */
async function edit(cwd: string, change: (text: string) => string): Promise<void> {
  const file = join(cwd, 'webmcp.json');
  await writeFile(file, change(await readFile(file, 'utf8')));
}

describe('webmcp-forms compile --check', () => {
  it('exits with 0 when the file is what would be written, and writes nothing', async () => {
    const cwd = await committed();
    const { code, stdout, stderr } = await check(cwd);
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /^webmcp-forms: 1 tool on 1 of 1 page, 0 errors, 0 warnings, and webmcp\.json says so\n$/);
    assert.deepEqual((await readdir(cwd)).sort(), ['site', 'webmcp.json']);
  });

  it('takes a file of another version of this package, or of other white space, for the same', async () => {
    const cwd = await committed();
    await edit(cwd, (text) =>
      `${JSON.stringify(JSON.parse(text))}\r\n`.replace(/"generator":"[^"]*"/, '"generator":"webmcp-forms 0.0.1"'),
    );
    assert.equal((await check(cwd)).code, 0);
  });

  it('exits with 1 and says what differs when the file is stale, and leaves it as it is', async () => {
    const cwd = await committed();
    const before = await readFile(join(cwd, 'webmcp.json'), 'utf8');
    await writeFile(join(cwd, 'site/index.html'), toolForm('a', '<label>Words <input name="q" required></label>'));
    const { code, stdout, stderr } = await check(cwd);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^index\.html a\n {2}breaking {2}"q" has to be given now\n/);
    assert.match(
      stderr,
      /webmcp\.json is stale: 2 breaking changes: run the same command without --check and commit webmcp\.json/,
    );
    assert.equal(await readFile(join(cwd, 'webmcp.json'), 'utf8'), before);
  });

  it('counts places in the pages and the words of the site too, and says so', async () => {
    const cwd = await committed();
    await writeFile(join(cwd, 'site/index.html'), `\n${toolForm('a')}`);
    const moved = await check(cwd);
    assert.equal(moved.code, 1);
    assert.match(moved.stderr, /is stale: only places in the pages, diagnostics or other details of the forms:/);
    await writeFile(join(cwd, 'site/index.html'), toolForm('a'));
    assert.match((await check(cwd, '--name', 'other')).stderr, /is stale: another name:/);
    assert.match(
      (await check(cwd, '--profile', 'portable')).stderr,
      /is stale: it is of the profile precise, not portable:/,
    );
  });

  it('shows no more changes than fit on a screen', async () => {
    const cwd = await committed();
    await writeFile(join(cwd, 'site/index.html'), Array.from({ length: 100 }, (_, n) => toolForm(`b${n}`)).join(''));
    const { stderr } = await check(cwd);
    assert.ok(stderr.split('\n').length < 50);
    assert.match(stderr, /\n {2}and \d+ more lines\n/);
  });

  it('exits with 1 when the file is missing, with the way out', async () => {
    const cwd = await makeFolder({ 'site/index.html': toolForm('a') });
    const { code, stderr } = await check(cwd);
    assert.equal(code, 1);
    assert.match(stderr, /webmcp\.json is missing: run the same command without --check/);
    assert.deepEqual(await readdir(cwd), ['site']);
  });

  it('exits with 1 for an error under --strict, stale or not', async () => {
    const cwd = await makeFolder({ 'site/index.html': `${toolForm('a')}<form toolname="b"></form>` });
    await runHere(['compile', '--out', 'webmcp.json', 'site'], { cwd });
    assert.deepEqual([(await check(cwd)).code, (await check(cwd, '--strict')).code], [0, 1]);
  });

  it('exits with 1 for a file that is no manifest, with the reason and the way out', async () => {
    for (const text of ['{}', '', '<<<<<<< ours\n', '\u0000', Buffer.from([0xff])]) {
      const cwd = await committed();
      await writeFile(join(cwd, 'webmcp.json'), text);
      const { code, stdout, stderr } = await check(cwd);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^webmcp-forms: webmcp\.json is stale: it is (?:no tool manifest: [^\n]+|not valid UTF-8): run the same command without --check and commit webmcp\.json$/m,
      );
    }
  });

  it('exits with 2 without --out, with --ndjson, and for what cannot be read', async () => {
    const cwd = await committed();
    const none = await runHere(['compile', '--check', 'site'], { cwd });
    assert.equal(none.code, 2);
    assert.match(none.stderr, /--check needs --out/);
    const ndjson = await runHere(['compile', '--check', '--ndjson', '--out', 'x', '-'], { cwd });
    assert.deepEqual([ndjson.code, ndjson.stdout], [2, '']);
    const folder = await runHere(['compile', '--check', '--out', '.', 'site'], { cwd });
    assert.equal(folder.code, 2);
    assert.match(folder.stderr, /cannot read \.: /);
  });
});
