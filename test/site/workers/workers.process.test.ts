import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import type { Manifest, ManifestPage } from '../../../src/build.js';
import { compilePages, type UncompiledPage } from '../../../src/site/workers/compile-pages.js';
import { mapInOrder } from '../../../src/site/workers/map-in-order.js';
import { mayContainTools } from '../../../src/site/pages/undecoded-page.js';
import type { PageTask } from '../../../src/site/pages/process-page.js';
import { createPool } from '../../../src/site/workers/pool.js';
import { makeFolder, runInProcess, toolForm } from '../../support/cli/running.js';
import { builtPath, endWithTest } from '../../support/processes.js';

/** Every third page has a tool, and every sixth an error. */
const siteFiles = (pages: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: pages }, (_, n) => [`site/${n % 7}/p${n}.html`, pageOf(n)]));
const pageOf = (n: number): string => {
  const mistake = n % 6 === 0 ? '<form toolname=x></form>' : '';
  return `<p>${'Text. '.repeat((n % 10) * 100)}</p>${n % 3 === 0 ? toolForm(`tool-${n}`) : ''}${mistake}`;
};
const record = (n: number): string => `${JSON.stringify({ path: `p${n}`, html: pageOf(n) })}\n`;

describe('webmcp-forms compile --jobs', () => {
  it('writes the same result and diagnostics for every number of threads', async () => {
    const cwd = await makeFolder(siteFiles(60));
    const one = await runInProcess(['compile', 'site', '--jobs', '1'], { cwd });
    assert.equal(one.code, 0);
    assert.match(one.stdout, /"tool-57"/);
    assert.match(one.stderr, /p54\.html:1:\d+ error missing-tool-description /);
    for (const jobs of ['2', '5'])
      assert.deepEqual(await runInProcess(['compile', 'site', '--jobs', jobs], { cwd }), one);
    const { stderr } = await runInProcess(['compile', 'site', '--jobs', '3', '--out', 'out.json'], { cwd });
    assert.equal(await readFile(join(cwd, 'out.json'), 'utf8'), one.stdout);
    assert.equal(stderr.trimEnd(), `${one.stderr.trimEnd()}, written to out.json`);
  });

  it('writes the lines of a stream in their order', async () => {
    const stdin = Array.from({ length: 60 }, (_, n) => record(n));
    const one = await runInProcess(['compile', '--ndjson'], { cwd: '/', stdin });
    assert.equal(one.stdout.split('\n').length, 61);
    assert.deepEqual(await runInProcess(['compile', '--ndjson', '--jobs', '3'], { cwd: '/', stdin }), one);
  });

  it('uses threads for many pages by default, with the same result', async () => {
    const cwd = await makeFolder(siteFiles(300));
    const byDefault = await runInProcess(['compile', 'site'], { cwd });
    assert.deepEqual(byDefault, await runInProcess(['compile', 'site', '--jobs', '1'], { cwd }));
    assert.equal(byDefault.code, 0);
  });

  it('reports the pages that are unreadable, and writes the others, for every number of threads', async () => {
    const invalid = Buffer.from(toolForm('é'), 'utf16le');
    const files = siteFiles(40);
    const cwd = await makeFolder({ ...files, 'site/3/a.html': invalid, 'site/5/a.html': invalid });
    const one = await runInProcess(['compile', 'site', '--jobs', '1'], { cwd });
    assert.equal(one.code, 1);
    assert.match(
      one.stderr,
      /^site\/3\/a\.html error unreadable-page The page has null characters, as in UTF-16 without a byte order mark\. Save it as UTF-8\.\n/m,
    );
    const { pages } = JSON.parse(one.stdout) as Manifest;
    assert.equal(pages.flatMap(({ tools }) => tools).length, 14);
    assert.deepEqual(
      pages.filter(({ diagnostics: [first] }) => first?.code === 'unreadable-page').map(({ path }) => path),
      ['3/a.html', '5/a.html'],
    );
    assert.deepEqual(await runInProcess(['compile', 'site', '--jobs', '3'], { cwd }), one);
  });

  it('reports invalid lines in input order, and compiles the valid lines', async () => {
    const stdin = [
      record(1),
      record(2),
      'invalid\n',
      record(3),
      '{"path":"../x","html":""}\n',
      Buffer.from([0xff, 10]),
      record(6),
    ];
    const one = await runInProcess(['compile', '--ndjson'], { cwd: '/', stdin });
    assert.deepEqual([one.code, one.stdout.match(/"path":"p\d/g)], [1, [1, 2, 3, 6].map((n) => `"path":"p${n}`)]);
    const errors = one.stderr.match(/Cannot read <stdin>:\d: [^.]+/g);
    assert.deepEqual(errors, [
      'Cannot read <stdin>:3: it is not valid JSON',
      'Cannot read <stdin>:5: "path" has a "',
      'Cannot read <stdin>:6: it is not valid UTF-8',
    ]);
    assert.deepEqual(await runInProcess(['compile', '--ndjson', '--jobs', '2'], { cwd: '/', stdin }), one);
  });

  it('stops after 100 lines that are not pages', async () => {
    const stdin = [record(1), ...Array.from({ length: 200 }, () => '<p>\n')];
    const { code, stdout, stderr } = await runInProcess(['compile', '--ndjson'], { cwd: '/', stdin });
    assert.deepEqual([code, stdout.split('\n').length, stderr.split('\n').length], [2, 2, 102]);
    assert.match(stderr, /: More than 100 lines are unreadable\. Name a file of NDJSON\.\n$/);
  });

  it('skips a line that never ends, with bounded memory, and compiles the next one', async () => {
    const megabyte = Buffer.alloc(1_000_000, 'x');
    function* stdin(): Generator<Buffer> {
      yield Buffer.from(record(3));
      yield Buffer.from('{"path":"huge","html":"');
      for (let n = 0; n < 60; n++) yield megabyte;
      yield Buffer.from(`"}\n${record(6)}`);
    }
    const { code, stdout, stderr } = await runInProcess(['compile', '--ndjson'], { cwd: '/', stdin: stdin() });
    assert.deepEqual([code, stdout.match(/"path":"p\d/g)], [1, ['"path":"p3', '"path":"p6']]);
    assert.match(stderr, /Cannot read <stdin>:2: the line has more than 50 MB\. Split the page\.\n/);
  });

  it('reports a page that exceeds the time limit as a diagnostic, with threads and without', async () => {
    const slow = toolForm('slow', 'a&amp;'.repeat(8_000_000));
    const lines = [record(3), JSON.stringify({ path: 'slow', html: slow })];
    const stdin = [`${lines.join('\n')}\n${record(6)}`];
    for (const jobs of ['1', '2']) {
      const argv = ['compile', '--ndjson', '--jobs', jobs, '--page-timeout', '1'];
      const { code, stdout, stderr } = await runInProcess(argv, { cwd: '/', stdin });
      const pages = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as ManifestPage);
      assert.equal(code, 1);
      assert.deepEqual(pages[1], {
        path: 'slow',
        tools: [],
        diagnostics: [
          {
            code: 'unreadable-page',
            severity: 'error',
            message: 'The page takes more than 1 second to compile. Split it, or increase --page-timeout.',
          },
        ],
      });
      assert.deepEqual(
        pages.filter(({ path }) => /^p/.test(path)).map(({ tools }) => tools.length),
        [1, 1],
      );
      assert.match(stderr, /^slow error unreadable-page The page takes more than 1 second/m);
    }
  });

  it('looks for the password input of a page without tools within the time limit too', async () => {
    const excluded = '<div data-webmcp-ignore><input type=password></div>';
    const contents = [excluded, `${excluded}<input type=password>`, excluded + 'a&amp;'.repeat(12_000_000)];
    async function* pages(): AsyncGenerator<UncompiledPage> {
      for (const content of contents) yield await Promise.resolve({ path: 'p', file: 'p', where: 'p', content });
    }
    const options = { jobs: 1, timeoutMs: 1000, cache: undefined, options: { profile: 'precise' } } as const;
    const found: unknown[] = [];
    for await (const page of compilePages(pages(), options)) found.push('isLogin' in page && page.isLogin);
    assert.deepEqual(found, [false, true, true]);
  });

  for (const jobs of ['0', '-1', '1.5', 'two', '', '1000']) {
    it(`rejects "${jobs}" as the number of threads`, async () => {
      const { code, stderr } = await runInProcess(['compile', '.', `--jobs=${jobs}`], { cwd: '/' });
      assert.equal(code, 2);
      assert.match(stderr, /--jobs[^\n]*Expected an integer from 1 to 999\. See webmcp-forms compile --help\.\n$/);
    });
  }
});

describe('createPool', () => {
  const poolOf = (name: string) =>
    createPool<PageTask, unknown>({
      jobs: 2,
      filename: fileURLToPath(new URL('../../fixtures/scale/dying-worker.mjs', import.meta.url)),
      name,
      verb: 'compile',
      timeoutMs: 1500,
      megabytes: 20,
    });
  const contents = ['a', 'hostile', 'b', 'hostile', 'hostile', 'c', 'd', 'e'];
  const runAll = async (name: string): Promise<readonly unknown[]> => {
    const pool = poolOf(name);
    const outcomes = await Promise.all(contents.map((content) => pool.run({ content })));
    await pool.end();
    return outcomes;
  };
  const outcomesWith = (problem: string): readonly unknown[] =>
    contents.map((content) => (content === 'hostile' ? { problem } : { result: content }));

  it('replaces a thread that exceeded the memory, and reports only its page', async () => {
    const problem =
      'The page needs more memory than a thread has. Split it, or set NODE_OPTIONS=--max-old-space-size=8000.';
    assert.deepEqual(await runAll('takeAllIf'), outcomesWith(problem));
  });

  it('replaces a thread that is in a busy loop, and reports only its page', async () => {
    const problem = 'The page takes more than 1.5 seconds to compile. Split it, or increase --page-timeout.';
    assert.deepEqual(await runAll('loop'), outcomesWith(problem));
  });

  it('reports an error that the worker throws', async () => {
    const pool = poolOf('fail');
    assert.deepEqual(await pool.run({ content: '' }), {
      problem: 'Cannot compile the page: odd page. This is a bug in webmcp-forms. Please report it with the page.',
    });
    await pool.end();
  });
});

describe('mapInOrder', () => {
  it('starts at most as many items as allowed, and yields the results in order', async () => {
    let started = 0;
    let consumed = 0;
    let max = 0;
    async function* items(): AsyncGenerator<number> {
      for (let n = 0; n < 20; n++) yield await Promise.resolve(n);
    }
    const work = async (n: number): Promise<number> => {
      max = Math.max(max, ++started - consumed);
      await setTimeout(n % 3);
      return n;
    };
    const results: number[] = [];
    for await (const n of mapInOrder(items(), 4, work)) {
      consumed++;
      results.push(n);
    }
    assert.deepEqual(
      results,
      Array.from({ length: 20 }, (_, n) => n),
    );
    assert.equal(max, 4);
  });

  it('starts fewer items if they are large, and at least one', async () => {
    const sizes = [1, 1, 7e6, 8e6, 9e6, 50e6, 1, 1, 1, 1, 1, 1];
    const started: number[] = [];
    const done: number[] = [];
    async function* items(): AsyncGenerator<number> {
      for (const n of sizes.keys()) yield await Promise.resolve(n);
    }
    const inProgress: number[] = [];
    const work = async (n: number): Promise<number> => {
      started.push(n);
      inProgress.push(started.length - done.length);
      return setTimeout(1, n);
    };
    for await (const n of mapInOrder(items(), 4, work, (item) => sizes[item] as number)) done.push(n);
    assert.deepEqual(done, [...sizes.keys()]);
    assert.deepEqual(inProgress, [1, 2, 3, 4, 1, 1, 1, 2, 3, 4, 4, 4]);
  });

  it('yields the results before the first failure, then throws it', async () => {
    const results: number[] = [];
    async function* items(): AsyncGenerator<number> {
      for (let n = 0; n < 9; n++) yield await Promise.resolve(n);
    }
    const work = (n: number): Promise<number> =>
      n >= 3 ? Promise.reject(new Error(`item ${n} failed`)) : setTimeout(5, n);
    await assert.rejects(
      async () => {
        for await (const n of mapInOrder(items(), 6, work)) results.push(n);
      },
      { message: 'item 3 failed' },
    );
    assert.deepEqual(results, [0, 1, 2]);
  });
});

describe('mayContainTools with bytes', () => {
  it('returns the same as for text, wherever the name is', () => {
    const names = [
      'toolname',
      'ToolName',
      'TOOLDESCRIPTION',
      'tooldescription',
      'tooldescriptio',
      'tooltitle',
      'toolnam',
    ];
    for (const name of names) {
      for (let before = 0; before < 20; before++) {
        const text = `${'toole dnc'.slice(0, before % 10)}${'x'.repeat(before)}${name}${'é'.repeat(before % 3)}`;
        assert.equal(mayContainTools(Buffer.from(text)), mayContainTools(text), text);
      }
    }
    assert.ok(!mayContainTools(new Uint8Array()));
  });

  it('finds annotations in other encodings', () => {
    const html = '<p>é<form toolname=a>';
    for (const encoding of ['latin1', 'utf16le'] as const) {
      assert.ok(mayContainTools(Buffer.from(`\u00ff${html}`, encoding)));
      assert.ok(!mayContainTools(Buffer.from('<p>éÿ', encoding)));
    }
  });
});

describe('webmcp-forms compile, interrupted,', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends on ${signal} with its threads, and leaves no output or temporary files`, async () => {
      const cwd = await makeFolder({ 'out/x.ndjson': 'old' });
      const argv = ['compile', '--ndjson', '--jobs', '2', '--cache', 'cache', '--out', 'out/x.ndjson'];
      const child = endWithTest(
        spawn(process.execPath, [builtPath('cli/bin'), ...argv], { cwd, stdio: ['pipe', 'ignore', 'ignore'] }),
      );
      child.stdin.on('error', () => undefined);
      const ended = once(child, 'exit');
      for (let n = 0; n < 60; n++) child.stdin.write(record(n));
      while ((await readdir(join(cwd, 'out'))).length < 2) {
        assert.equal(child.exitCode, null);
        await setTimeout(10);
      }
      child.kill(signal);
      assert.deepEqual(await ended, [null, signal]);
      assert.deepEqual(await readdir(join(cwd, 'out')), ['x.ndjson']);
      assert.equal(await readFile(join(cwd, 'out/x.ndjson'), 'utf8'), 'old');
    });
  }
});
