import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { makeFolder, runInProcess, toolForm } from '../support/cli/running.js';

/** Pages of which every third has a tool, every sixth a mistake, and two share a toolname. */
const siteFiles = (pages: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: pages }, (_, n) => [`site/${n % 7}/p${n}.html`, pageOf(n)]));

function pageOf(n: number): string {
  const name = n === 3 || n === 45 ? 'twin' : `tool-${n}`;
  const tool = n % 3 === 0 ? toolForm(name, `<label>Words <input name="q${n}"></label>`) : '';
  return `<p>Text é</p>${'\n'.repeat(n % 5)}${tool}${others[n % 6]}`;
}

const others = [
  '<form toolname="a b" tooldescription="Sends words."><label>Words <input name=q></label><button>Go</button></form>',
  '<!-- webmcp-forms-disable tool-name-too-long -->',
  '<form tool-name=x><input name=q></form>',
  '<form><label>Words <input name=q></label><button>Go</button></form>',
  '',
  '<form toolname=" spaces " tooldescription="Sends words."><label>Words <input name=q></label><button>Go</button></form>',
];

const argvs: readonly (readonly string[])[] = [
  [],
  ['--format', 'json'],
  ['--format', 'sarif'],
  ['--quiet'],
  ['--rule', 'form-without-tool:warning'],
  ['--profile', 'chromium', '--max-warnings', '1'],
];

describe('webmcp-forms lint --jobs', () => {
  for (const argv of argvs) {
    it(`lint ${argv.join(' ') || 'without flags'} writes the same bytes for every number of threads`, async () => {
      const cwd = await makeFolder(siteFiles(60));
      const one = await runInProcess(['lint', 'site', '--jobs', '1', ...argv], { cwd });
      assert.equal(one.code, 1);
      for (const code of [
        'invalid-tool-name',
        ...(argv[0] === '--quiet' ? [] : ['conflicting-tool-name', 'unused-disable']),
      ])
        assert.ok(one.stdout.includes(code), code);
      for (const jobs of ['2', '3'])
        assert.deepEqual(await runInProcess(['lint', 'site', '--jobs', jobs, ...argv], { cwd }), one);
    });
  }

  it('lint --fix writes the same files and messages for every number of threads', async () => {
    const [one, many] = [await makeFolder(siteFiles(60)), await makeFolder(siteFiles(60))];
    const alone = await runInProcess(['lint', 'site', '--fix', '--jobs', '1'], { cwd: one });
    assert.match(alone.stderr, /p5\.html:1:\d+ fixed invalid-tool-name /);
    assert.deepEqual(await runInProcess(['lint', 'site', '--fix', '--jobs', '3'], { cwd: many }), alone);
    for (const file of Object.keys(siteFiles(60)))
      assert.equal(await readFile(join(many, file), 'utf8'), await readFile(join(one, file), 'utf8'), file);
  });

  it('lint without --jobs writes the same for many pages as with one thread', async () => {
    const cwd = await makeFolder(siteFiles(300));
    const byItself = await runInProcess(['lint', 'site'], { cwd });
    assert.deepEqual(byItself, await runInProcess(['lint', 'site', '--jobs', '1'], { cwd }));
    assert.equal(byItself.code, 1);
  });

  it('lint reports unreadable pages, and lints and fixes the others, for every number of threads', async () => {
    const bytes = Buffer.from(toolForm('é'), 'utf16le');
    const fixable = toolForm('tool').replace('toolname', 'data-toolname="tool" toolname');
    const expected =
      /^site\/3\/a\.html error unreadable-page The page has null characters, as in UTF-16 without a byte order mark\. Save it as UTF-8\.\nsite\/3\/p/m;
    for (const jobs of ['1', '3']) {
      const cwd = await makeFolder({ ...siteFiles(40), 'site/3/a.html': bytes, 'site/6/b.html': fixable });
      const { code, stdout } = await runInProcess(['lint', 'site', '--fix', '--jobs', jobs], { cwd });
      assert.equal(code, 1);
      assert.match(stdout, expected);
      assert.equal(await readFile(join(cwd, 'site/6/b.html'), 'utf8'), toolForm('tool'));
    }
  });

  it('lint reports a page that does not fit in memory, in the main thread and in a worker, and lints the others', async () => {
    const cwd = await makeFolder({
      'site/a.html': toolForm('b '),
      'site/b.html': toolForm('b', '<b>'.repeat(9_000_000)),
      'site/c.html': toolForm('c '),
    });
    for (const jobs of ['1', '2']) {
      const { code, stdout } = await runInProcess(['lint', 'site', '--jobs', jobs], { cwd });
      assert.equal(code, 1);
      assert.match(
        stdout,
        /^site\/b\.html error unreadable-page The page has 9\d{6} tags, which need about \d+ GB of memory\. Split it, /m,
      );
      assert.equal(stdout.match(/error invalid-tool-name/g)?.length, 2);
    }
  });

  it('lint rejects --jobs 0', async () => {
    const { code, stderr } = await runInProcess(['lint', '.', '--jobs', '0'], { cwd: '/' });
    assert.equal(code, 2);
    assert.match(stderr, /--jobs[^\n]*integer from 1 to 999/);
  });
});
