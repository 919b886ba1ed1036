import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished, test } from 'vitest';

const program = resolve(import.meta.dirname, '../../tools/told-and-stored.mjs');

const run = (...args: readonly string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

function report(...lines: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'report.ndjson');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

test('the table has a row for each call, with the answer to the agent and the stored values', () => {
  const flow = { application: 'Shop', flow: 'orders', path: 'firefox' };
  const { stdout, status } = run(
    report(
      { ...flow, told: { value: { status: 200, messages: ['Saved | done'], text: 'x' } }, stored: [{ id: 1 }] },
      { ...flow, told: { error: { code: 'invalid-input', message: 'Too\nlong' } } },
      { ...flow, told: { value: null, page: { url: 'http://localhost/orders/', text: 'Your orders' } }, stored: [] },
    ),
  );
  assert.equal(status, 0);
  assert.deepEqual(stdout.split('\n').slice(2, 5), [
    String.raw`| Shop | orders | firefox | ["Saved \| done"] | [{"id":1}] |`,
    '| Shop | orders | firefox | invalid-input: Too long | not read |',
    '| Shop | orders | firefox | page /orders/: Your orders | [] |',
  ]);
});

test('a missing report is an error with the way to write one', () => {
  const { stderr, status } = run();
  assert.equal(status, 2);
  assert.match(stderr, /APPS_REPORT=FILE npm run test:apps/);
});
