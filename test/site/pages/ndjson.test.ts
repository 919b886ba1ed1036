import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, it } from 'vitest';
import { run } from '../../../src/cli/cli.js';
import { compileHtml, type ManifestPage } from '../../../src/build.js';
import { Collector, makeFolder, runInProcess, toolForm, type RunOptions } from '../../support/cli/running.js';

const record = (path: string, html = toolForm('a')): string => `${JSON.stringify({ path, html })}\n`;
const pagesOf = (ndjson: string): readonly ManifestPage[] =>
  ndjson
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ManifestPage);
const pathsOf = (ndjson: string): readonly string[] => pagesOf(ndjson).map(({ path }) => path);
const ndjson = (stdin: NonNullable<RunOptions['stdin']>, ...argv: string[]) =>
  runInProcess(['compile', '--ndjson', ...argv], { cwd: '/', stdin });

describe('webmcp-forms compile --ndjson', () => {
  it('writes one output line for each input line, in order, including pages without tools and equal paths', async () => {
    const { code, stdout, stderr } = await ndjson([record('b'), record('a', '<p>'), record('b', toolForm('z'))]);
    assert.equal(code, 0);
    assert.equal(stdout.at(-1), '\n');
    assert.deepEqual(pagesOf(stdout), [
      JSON.parse(JSON.stringify(compileHtml(toolForm('a'), { path: 'b' }))),
      { path: 'a', tools: [], diagnostics: [] },
      JSON.parse(JSON.stringify(compileHtml(toolForm('z'), { path: 'b' }))),
    ]);
    assert.equal(stderr, 'webmcp-forms: 2 tools on 2 of 3 pages, 0 errors, 0 warnings\n');
  });

  it('reads lines in chunks of any size, with CRLF, empty lines or no final line feed', async () => {
    const text = `\ufeff\n\r\n${record('é\u2028😀').replace('\n', '\r\n')}  \n${record('b').trimEnd()}`;
    const bytes = Buffer.from(text);
    for (const size of [1, 7, bytes.length]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      assert.deepEqual(pathsOf((await ndjson(pieces)).stdout), ['é\u2028😀', 'b']);
    }
    assert.deepEqual(await ndjson([]), {
      code: 0,
      stdout: '',
      stderr: 'webmcp-forms: 0 tools on 0 of 0 pages, 0 errors, 0 warnings\n',
    });
  });

  it('reads files in the order of the paths', async () => {
    const cwd = await makeFolder({ 'z.ndjson': record('3') + record('1'), a: record('2') });
    const { stdout } = await runInProcess(['compile', 'z.ndjson', '-', 'a', '--ndjson'], { cwd, stdin: [record('0')] });
    assert.deepEqual(pathsOf(stdout), ['3', '1', '0', '2']);
  });

  it('applies --profile, --sensitive and --strict', async () => {
    const password = record('p', toolForm('a', '<label>P <input type=password name=p></label>'));
    const { stdout } = await ndjson([password], '--profile=portable', '--sensitive=include');
    assert.ok(pagesOf(stdout)[0]?.tools[0]?.inputSchema.properties?.p);
    const strict = await ndjson([record('x/y', '<form toolname=a></form>')], '--strict');
    assert.equal(strict.code, 1);
    assert.match(strict.stderr, /^x\/y:1:1 error missing-tool-description /);
  });

  const invalidLines: readonly (readonly [what: string, line: string | Uint8Array, message: RegExp])[] = [
    ['is not JSON', '{"path":"x",\n', /<stdin>:3: it is not valid JSON\. Write a page on each line/],
    ['is not an object', '"x"\n', /<stdin>:3: it is not a JSON object\. /],
    ['is null', 'null\n', /<stdin>:3: it is not a JSON object\. /],
    ['has no path', '{"html":""}\n', /<stdin>:3: "path" is missing\. /],
    ['has an empty path', record(''), /<stdin>:3: "path" is empty\. /],
    ['has no html', '{"path":"x","__proto__":{"html":""}}\n', /<stdin>:3: "html" is missing\. /],
    ['has a path of another type', '{"path":1,"html":""}\n', /<stdin>:3: "path" is not a string\. /],
    ['has html of another type', '{"path":"x","html":null}\n', /<stdin>:3: "html" is not a string\. /],
    ['has an absolute URL', record('https://a.example/x'), /<stdin>:3: "path" is an absolute URL\. Use its path/],
    ['has a URL without a scheme', record('//a.example/x'), /<stdin>:3: "path" is an absolute URL\. Use its path/],
    ['has a fragment', record('doku.php?id=a#top'), /<stdin>:3: "path" has a fragment\. Remove it/],
    ['leaves the base folder', record('a/../../x'), /<stdin>:3: "path" has a "\." or "\.\." segment\. /],
    [
      'leaves the base folder with encoded dots',
      record('a/%2e%2E/x'),
      /<stdin>:3: "path" has a "\." or "\.\." segment\. /,
    ],
    ['has a backslash', record('a\\..\\x'), /<stdin>:3: "path" has a backslash\. /],
    ['has a control character', record('/\t/a.example'), /<stdin>:3: "path" has a control character/],
    ['has a status of another type', '{"path":"x","html":"","status":"404"}\n', /"status" is not a number\. /],
    ['is not UTF-8', Buffer.from(record('é'), 'latin1'), /<stdin>:3: it is not valid UTF-8/],
  ];
  for (const [what, line, message] of invalidLines) {
    it(`reports and skips a line that ${what}`, async () => {
      const { code, stdout, stderr } = await ndjson([record('a'), '\n', line, record('b')]);
      assert.deepEqual([code, pathsOf(stdout)], [1, ['a', 'b']]);
      assert.match(stderr, message);
      assert.match(stderr, /^webmcp-forms: Cannot read [^\n]+\n/m);
    });
  }

  it('rejects a missing file and a folder before it writes anything', async () => {
    const cwd = await makeFolder({ a: record('a') });
    for (const path of ['missing', '.']) {
      const { code, stdout, stderr } = await runInProcess(['compile', '--ndjson', 'a', path], { cwd });
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^webmcp-forms: Cannot read [^\n]+\n$/);
    }
  });

  it('reads pages whose paths have queries, and merge keeps the queries', async () => {
    const paths = ['doku.php?id=start&do=edit', 'doku.php?id=start', '/wp-admin/post.php?post=1'];
    const { stdout } = await ndjson(paths.map((path) => record(path)));
    assert.deepEqual(pathsOf(stdout), paths);
    const merged = await runInProcess(['merge', '--name=n'], { cwd: '/', stdin: [stdout] });
    const { pages } = JSON.parse(merged.stdout) as { readonly pages: readonly ManifestPage[] };
    assert.deepEqual(
      pages.map(({ path }) => path),
      [...paths].sort(),
    );
  });

  it('skips a page that was fetched with a status other than success, with a warning', async () => {
    const lines = [200, 404, 204].map(
      (status) => `${JSON.stringify({ path: `p${status}`, status, html: toolForm('a') })}\n`,
    );
    const { code, stdout, stderr } = await ndjson(lines);
    assert.deepEqual(
      pagesOf(stdout).map(({ tools }) => tools.length),
      [1, 0, 1],
    );
    assert.equal(code, 0);
    assert.match(stderr, /^webmcp-forms: Skipped <stdin>:2: the site responded to "p404" with the status 404\. Fetch /);
  });

  it('warns once of all pages without tools that have a password input, unless it is in excluded content', async () => {
    const login = '<form method=post><input name=u><input type="password" name=p></form>';
    const { stderr } = await ndjson([
      record('a', login),
      record('b'),
      record('e', `<div DATA-webmcp-ignore>${login}</div>`),
      record('c', login),
      record('d', `${toolForm('a')}${login}`),
    ]);
    assert.match(
      stderr,
      /^webmcp-forms: "a", and 1 more pages have no tools, but a password input\. If [^\n]+\nwebmcp-forms: 2 tools/,
    );
  });

  it('writes the file of --out at the end', async () => {
    const cwd = await makeFolder();
    const stdin = [record('a'), record('b')];
    const { code, stdout } = await runInProcess(['compile', '--ndjson', '--out', 'new/x.ndjson'], { cwd, stdin });
    assert.deepEqual([code, stdout], [0, '']);
    assert.deepEqual(pathsOf(await readFile(join(cwd, 'new/x.ndjson'), 'utf8')), ['a', 'b']);
  });

  it('does not change the file of --out if too many lines are invalid', async () => {
    const cwd = await makeFolder({ 'out/x.ndjson': 'before' });
    const stdin = [
      ...Array.from({ length: 200 }, (_, n) => record(`${n}`)),
      ...Array.from({ length: 101 }, () => 'invalid\n'),
    ];
    const { code, stderr } = await runInProcess(['compile', '--ndjson', '--out', 'out/x.ndjson'], { cwd, stdin });
    assert.equal(code, 2);
    assert.match(stderr, /^webmcp-forms: Cannot read <stdin>:201: it is not valid JSON\. [^\n]+\n/);
    assert.match(stderr, /: More than 100 lines are unreadable\. /);
    assert.equal(await readFile(join(cwd, 'out/x.ndjson'), 'utf8'), 'before');
    assert.deepEqual(await readdir(join(cwd, 'out')), ['x.ndjson']);
  });

  it('reads only as much input as the reader of its output consumes', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) yield await Promise.resolve(record(String(++read)));
    }
    let written = 0;
    const slow = new Writable({
      write(_chunk, _encoding, done) {
        written++;
        if (written === 3) done(Object.assign(new Error('closed'), { code: 'EPIPE' }));
        else setImmediate(done);
      },
    });
    slow.on('error', () => undefined);
    const stderr = new Collector();
    const stdin = Readable.from(endless(), { objectMode: false, highWaterMark: 1 });
    const code = await run(['compile', '--ndjson'], { stdin, stdout: slow, stderr, cwd: '/' });
    assert.deepEqual([code, stderr.text, written], [0, '', 3]);
    assert.ok(read < 10, `${read} records read`);
    assert.ok(stdin.destroyed);
  });
});
