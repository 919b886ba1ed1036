import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'vitest';
import { run } from '../../src/cli/cli.js';
import { createProgress } from '../../src/cli/output.js';
import { Collector, makeFolder, toolForm } from '../support/cli/running.js';

const terminal = (): Collector => Object.assign(new Collector(), { isTTY: true });

/** Reports one more page every 50 ms, until the time is over. */
function showFor(milliseconds: number, stderr: Collector, env = {}, total?: number): ReturnType<typeof createProgress> {
  let now = 0;
  const progress = createProgress({ stderr, env }, total, () => now);
  for (let pages = 1; now < milliseconds; pages++, now += 50) progress.show(pages);
  return progress;
}

describe('createProgress', () => {
  it('shows nothing for a short run', () => {
    const stderr = terminal();
    showFor(900, stderr).clear();
    assert.equal(stderr.text, '');
  });

  it('redraws one line at an interval, and clears it', () => {
    const stderr = terminal();
    const progress = showFor(1200, stderr, {}, 400);
    assert.deepEqual(stderr.text.split('\r\x1b[K'), [
      '',
      '21 of 400 pages (5 %), 21 per second, 19 s left',
      '23 of 400 pages (5 %), 21 per second, 19 s left',
    ]);
    progress.clear();
    progress.clear();
    assert.ok(stderr.text.endsWith(' s left\r\x1b[K'));
    assert.doesNotMatch(stderr.text, /\n/);
  });

  it('omits an unknown total', () => {
    const stderr = terminal();
    showFor(1050, stderr);
    assert.equal(stderr.text, '\r\x1b[K21 pages, 21 per second');
  });

  it('shows minutes, and the first decimal of a slow rate', () => {
    const stderr = terminal();
    let now = 0;
    const progress = createProgress({ stderr, env: {} }, 500, () => now);
    now = 8000;
    progress.show(20);
    assert.equal(stderr.text, '\r\x1b[K20 of 500 pages (4 %), 2.5 per second, 3 min 12 s left');
  });

  it('writes a line every 10 seconds without an interactive terminal', () => {
    for (const [make, env] of [
      [terminal, { CI: 'true' }],
      [terminal, { TERM: 'dumb' }],
      [() => new Collector(), {}],
    ] as const) {
      const stderr = make();
      showFor(9000, stderr, env, 1000).clear();
      assert.equal(stderr.text, '');
      showFor(20_500, stderr, env, 1000).clear();
      assert.equal(
        stderr.text,
        'webmcp-forms: 201 of 1000 pages (20 %), 20 per second, 40 s left\n' +
          'webmcp-forms: 401 of 1000 pages (40 %), 20 per second, 30 s left\n',
      );
    }
  });

  it('clears the line before diagnostics and at the end of a run', { tags: 'long' }, async () => {
    const cwd = await makeFolder({ 'a.html': `${toolForm('a')}<form toolname=b></form>` });
    async function* slow(): AsyncGenerator<string> {
      for (const path of ['1', '2', '3']) {
        if (path !== '1') await new Promise((resolve) => setTimeout(resolve, 1100));
        yield `${JSON.stringify({ path, html: '<form toolname=b></form>' })}\n`;
      }
    }
    const stderr = terminal();
    const stdin = Readable.from(slow(), { objectMode: false });
    const code = await run(['compile', '--ndjson'], { stdin, stdout: new Collector(), stderr, cwd, env: {} });
    assert.equal(code, 0);
    assert.match(stderr.text, /pages, \d[\d.]* per second/);
    const lines = stderr.text.split('\n').map((line) => line.slice(line.lastIndexOf('\x1b[K') + 1).replace('[K', ''));
    assert.deepEqual(
      lines.filter((line) => /a second/.test(line)),
      [],
    );
    for (const line of stderr.text.split('\n'))
      assert.match(line, /^(?:\r\x1b\[K[^\r]*\r\x1b\[K)*(?:[123]:1:1 |webmcp-forms: |$)/);
  });
});
