import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inOrder } from '../../src/site/jobs/in-order.js';
import { mayHoldTools } from '../../src/site/pages/may-hold-tools.js';
import { createPool } from '../../src/site/jobs/pool.js';
import { makeFolder, runHere, toolForm } from '../cli/running.js';
import { endWithTest } from '../processes.js';

/** Pages of which every third has tools, and every sixth a mistake. */
const siteFiles = (pages: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: pages }, (_, n) => [`site/${n % 7}/p${n}.html`, pageOf(n)]));
const pageOf = (n: number): string => {
  const mistake = n % 6 === 0 ? '<form toolname=x></form>' : '';
  return `<p>${'Text. '.repeat((n % 10) * 100)}</p>${n % 3 === 0 ? toolForm(`tool-${n}`) : ''}${mistake}`;
};
const record = (n: number): string => `${JSON.stringify({ path: `p${n}`, html: pageOf(n) })}\n`;

describe('webmcp-forms compile --jobs', () => {
  it('gives the same bytes and the same diagnostics for every number of threads', async () => {
    const cwd = await makeFolder(siteFiles(60));
    const one = await runHere(['compile', 'site', '--jobs', '1'], { cwd });
    assert.equal(one.code, 0);
    assert.match(one.stdout, /"tool-57"/);
    assert.match(one.stderr, /p54\.html:1:\d+ error missing-tool-description /);
    for (const jobs of ['2', '5']) assert.deepEqual(await runHere(['compile', 'site', '--jobs', jobs], { cwd }), one);
    const { stderr } = await runHere(['compile', 'site', '--jobs', '3', '--out', 'out.json'], { cwd });
    assert.equal(await readFile(join(cwd, 'out.json'), 'utf8'), one.stdout);
    assert.equal(stderr.trimEnd(), `${one.stderr.trimEnd()}, written to out.json`);
  });

  it('gives the lines of a stream in their order', async () => {
    const stdin = Array.from({ length: 60 }, (_, n) => record(n));
    const one = await runHere(['compile', '--ndjson'], { cwd: '/', stdin });
    assert.equal(one.stdout.split('\n').length, 61);
    assert.deepEqual(await runHere(['compile', '--ndjson', '--jobs', '3'], { cwd: '/', stdin }), one);
  });

  it('uses threads by itself for many pages, with the same result', async () => {
    const cwd = await makeFolder(siteFiles(300));
    const byItself = await runHere(['compile', 'site'], { cwd });
    assert.deepEqual(byItself, await runHere(['compile', 'site', '--jobs', '1'], { cwd }));
    assert.equal(byItself.code, 0);
  });

  it('stops at the first page in order that cannot be read, and writes nothing', async () => {
    const wrong = Buffer.from(toolForm('é'), 'latin1');
    const cwd = await makeFolder({
      ...siteFiles(40),
      'site/3/a.html': wrong,
      'site/5/a.html': wrong,
      'out.json': 'old',
    });
    const { code, stderr, stdout } = await runHere(['compile', 'site', '--jobs', '3', '--out', 'out.json'], { cwd });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /\nwebmcp-forms: cannot read site\/3\/a\.html: it is not valid UTF-8: save it as UTF-8\n$/);
    assert.equal(await readFile(join(cwd, 'out.json'), 'utf8'), 'old');
    assert.deepEqual((await readdir(cwd)).sort(), ['out.json', 'site']);
  });

  it('writes the lines before a wrong one', async () => {
    const stdin = [record(1), record(2), 'wrong\n', record(3)];
    const { code, stdout, stderr } = await runHere(['compile', '--ndjson', '--jobs', '2'], { cwd: '/', stdin });
    assert.deepEqual([code, stdout.split('\n').length], [2, 3]);
    assert.match(stderr, /^webmcp-forms: cannot read <stdin>:3: it is not valid JSON/);
  });

  for (const jobs of ['0', '-1', '1.5', 'two', '', '1000']) {
    it(`refuses "${jobs}" as a number of threads`, async () => {
      const { code, stderr } = await runHere(['compile', '.', `--jobs=${jobs}`], { cwd: '/' });
      assert.equal(code, 2);
      assert.match(stderr, /--jobs[^\n]*whole number from 1 to 999[^\n]*\n$/);
    });
  }
});

describe('a pool', () => {
  const poolOf = (name: string) =>
    createPool<{ readonly where: string }, unknown>({
      jobs: 2,
      filename: fileURLToPath(new URL('../fixtures/scale/dying-worker.mjs', import.meta.url)),
      name,
      verb: 'compile',
      megabytes: 20,
    });

  it('names the page that took all memory', async () => {
    const pool = poolOf('takeAll');
    await assert.rejects(pool.run({ where: 'large.html' }), {
      name: 'UsageError',
      message: /^cannot compile large\.html: it needs more memory than a thread has: split it, or set NODE_OPTIONS=/,
    });
    await pool.end();
  });

  it('names the page whose thread failed', async () => {
    const pool = poolOf('fail');
    await assert.rejects(pool.run({ where: 'odd.html' }), {
      name: 'UsageError',
      message: /^cannot compile odd\.html: odd page: this is a fault of webmcp-forms: please report it with the page$/,
    });
    await pool.end();
  });
});

describe('inOrder', () => {
  it('begins no more than it may, and gives the results in order', async () => {
    let begun = 0;
    let taken = 0;
    let most = 0;
    async function* items(): AsyncGenerator<number> {
      for (let n = 0; n < 20; n++) yield await Promise.resolve(n);
    }
    const work = async (n: number): Promise<number> => {
      most = Math.max(most, ++begun - taken);
      await setTimeout(n % 3);
      return n;
    };
    const results: number[] = [];
    for await (const n of inOrder(items(), 4, work)) {
      taken++;
      results.push(n);
    }
    assert.deepEqual(
      results,
      Array.from({ length: 20 }, (_, n) => n),
    );
    assert.equal(most, 4);
  });

  it('begins fewer of what is large, and one that is larger than all may be', async () => {
    const sizes = [1, 1, 7e6, 8e6, 9e6, 50e6, 1, 1, 1, 1, 1, 1];
    const begun: number[] = [];
    const done: number[] = [];
    async function* items(): AsyncGenerator<number> {
      for (const n of sizes.keys()) yield await Promise.resolve(n);
    }
    const most: number[] = [];
    const work = async (n: number): Promise<number> => {
      begun.push(n);
      most.push(begun.length - done.length);
      return setTimeout(1, n);
    };
    for await (const n of inOrder(items(), 4, work, (item) => sizes[item] as number)) done.push(n);
    assert.deepEqual(done, [...sizes.keys()]);
    assert.deepEqual(most, [1, 2, 3, 4, 1, 1, 1, 2, 3, 4, 4, 4]);
  });

  it('fails where the first failure stands', async () => {
    const results: number[] = [];
    async function* items(): AsyncGenerator<number> {
      for (let n = 0; n < 9; n++) yield await Promise.resolve(n);
    }
    const work = (n: number): Promise<number> => (n >= 3 ? Promise.reject(new Error(`no ${n}`)) : setTimeout(5, n));
    await assert.rejects(
      async () => {
        for await (const n of inOrder(items(), 6, work)) results.push(n);
      },
      { message: 'no 3' },
    );
    assert.deepEqual(results, [0, 1, 2]);
  });
});

describe('mayHoldTools on bytes', () => {
  it('says what it says on text, wherever the name stands', () => {
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
        assert.equal(mayHoldTools(Buffer.from(text)), mayHoldTools(text), text);
      }
    }
    assert.ok(!mayHoldTools(new Uint8Array()));
  });

  it('finds annotations in other encodings', () => {
    const html = '<p>é<form toolname=a>';
    for (const encoding of ['latin1', 'utf16le'] as const) {
      assert.ok(mayHoldTools(Buffer.from(`\u00ff${html}`, encoding)));
      assert.ok(!mayHoldTools(Buffer.from('<p>éÿ', encoding)));
    }
  });
});

describe('an interrupted run', () => {
  const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends by ${signal} with its threads, without output or temporary files`, async () => {
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
