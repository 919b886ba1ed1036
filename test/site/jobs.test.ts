import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mapInOrder } from '../../src/site/jobs/map-in-order.js';
import { mayContainTools } from '../../src/site/pages/may-contain-tools.js';
import type { PageTask } from '../../src/site/pages/process-page.js';
import { createPool } from '../../src/site/jobs/pool.js';
import { makeFolder, runInProcess, toolForm } from '../cli/running.js';
import { endWithTest } from '../processes.js';

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

  it('stops at the first page in order that is unreadable, and writes nothing', async () => {
    const invalid = Buffer.from(toolForm('é'), 'latin1');
    const cwd = await makeFolder({
      ...siteFiles(40),
      'site/3/a.html': invalid,
      'site/5/a.html': invalid,
      'out.json': 'old',
    });
    const { code, stderr, stdout } = await runInProcess(['compile', 'site', '--jobs', '3', '--out', 'out.json'], {
      cwd,
    });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /\nwebmcp-forms: Cannot read site\/3\/a\.html: it is not valid UTF-8\. Save it as UTF-8\.\n$/);
    assert.equal(await readFile(join(cwd, 'out.json'), 'utf8'), 'old');
    assert.deepEqual((await readdir(cwd)).sort(), ['out.json', 'site']);
  });

  it('writes the lines before an invalid line', async () => {
    const stdin = [record(1), record(2), 'invalid\n', record(3)];
    const { code, stdout, stderr } = await runInProcess(['compile', '--ndjson', '--jobs', '2'], { cwd: '/', stdin });
    assert.deepEqual([code, stdout.split('\n').length], [2, 3]);
    assert.match(stderr, /^webmcp-forms: Cannot read <stdin>:3: it is not valid JSON\. Write a page on each line/);
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
      filename: fileURLToPath(new URL('../fixtures/scale/dying-worker.mjs', import.meta.url)),
      name,
      verb: 'compile',
      megabytes: 20,
    });

  it('names the page that exceeded the memory', async () => {
    const pool = poolOf('takeAll');
    await assert.rejects(pool.run({ where: 'large.html', content: '' }), {
      name: 'UsageError',
      message:
        /^Cannot compile large\.html: it needs more memory than a thread has\. Split the page, or set NODE_OPTIONS=/,
    });
    await pool.end();
  });

  it('names the page for which the worker threw', async () => {
    const pool = poolOf('fail');
    await assert.rejects(pool.run({ where: 'odd.html', content: '' }), {
      name: 'UsageError',
      message:
        /^Cannot compile odd\.html: odd page\. This is a bug in webmcp-forms\. Please report it with the page\.$/,
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
  const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends on ${signal} with its threads, and leaves no output or temporary files`, async () => {
      const cwd = await makeFolder({ 'out/x.ndjson': 'old' });
      const argv = ['compile', '--ndjson', '--jobs', '2', '--cache', 'cache', '--out', 'out/x.ndjson'];
      const flags = ['--import', import.meta.resolve('tsx')];
      const child = endWithTest(
        spawn(process.execPath, [...flags, bin, ...argv], { cwd, stdio: ['pipe', 'ignore', 'ignore'] }),
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
