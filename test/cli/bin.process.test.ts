import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'vitest';
import type { Manifest } from '../../src/build.js';
import { builtPath, endWithTest } from '../support/processes.js';
import { makeFolder, toolForm, withoutProgress, type Outcome } from '../support/cli/running.js';

const bin = builtPath('cli/bin');

const start = (argv: readonly string[], cwd: string, flags: readonly string[] = []): ChildProcess =>
  endWithTest(spawn(process.execPath, [...flags, bin, ...argv], { cwd, stdio: 'pipe' }));

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  const [code] = (await ended) as [number];
  return { code, stdout, stderr: withoutProgress(stderr) };
}

describe('the process of webmcp-forms', () => {
  it('reads standard input and sets the exit code', async () => {
    const cwd = await makeFolder();
    const child = start(['compile', '--strict', '-'], cwd);
    child.stdin!.end(`${toolForm('a')}<form toolname=b></form>`);
    const { code, stdout, stderr } = await outcomeOf(child);
    assert.equal(code, 1);
    assert.equal((JSON.parse(stdout) as Manifest).pages[0]?.path, 'index.html');
    assert.match(stderr, /^<stdin>:1:\d+ error missing-tool-description /);
  });

  it('reports an unreadable file in one line', async () => {
    const { code, stdout, stderr } = await outcomeOf(start(['compile', 'missing.html'], await makeFolder()));
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^webmcp-forms: Cannot read missing\.html: [^\n]+\n$/);
  });

  it('exits without a message when the reader closes standard output', async () => {
    const child = start(['compile', '--ndjson'], await makeFolder());
    child.stdin!.on('error', () => undefined);
    const line = `${JSON.stringify({ path: 'a', html: toolForm('a').repeat(50) })}\n`;
    child.stdin!.write(line.repeat(200));
    child.stdout!.once('data', () => child.stdout!.destroy());
    const ended = once(child, 'close');
    const stderr = await text(child.stderr!);
    assert.deepEqual([(await ended)[0], stderr.replace(/^.*duplicate-tool-name.*\n/gm, '')], [0, '']);
  });

  it('releases the memory of pages that were compiled', async () => {
    const cwd = await makeFolder({
      'plain.html': `<p>${'No tool is here. '.repeat(60_000)}`,
      'site/a.html': toolForm('a'),
    });
    for (let n = 0; n < 200; n++) await symlink('../plain.html', join(cwd, `site/${n}.html`));
    const { code, stderr } = await outcomeOf(start(['compile', 'site'], cwd, ['--max-old-space-size=80']));
    assert.deepEqual([code, stderr], [0, 'webmcp-forms: 1 tool on 1 of 201 pages, 0 errors, 0 warnings\n']);
  });

  it('compiles a page of 50 MB', async () => {
    const cwd = await makeFolder();
    const image = `<img alt="" src="data:image/png;base64,${'ABCDEFGH'.repeat(2000)}">\n`;
    const page = openSync(join(cwd, 'large.html'), 'w');
    for (let bytes = 0; bytes < 50e6; bytes += image.length) writeSync(page, image);
    writeSync(page, toolForm('last'));
    closeSync(page);
    const { code, stderr } = await outcomeOf(
      start(['compile', '.', '--page-timeout', '600', '--out', 'tools.json'], cwd),
    );
    assert.deepEqual(
      [code, stderr],
      [0, 'webmcp-forms: 1 tool on 1 of 1 page, 0 errors, 0 warnings, written to tools.json\n'],
    );
    const { pages } = JSON.parse(await readFile(join(cwd, 'tools.json'), 'utf8')) as Manifest;
    assert.equal(pages[0]?.tools[0]?.name, 'last');
  });
});
