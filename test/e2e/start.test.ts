import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { skipWithout } from '../../tools/programs.mjs';
import { atEnd } from '../support/at-end.js';
import { openChromium } from '../support/e2e/open.js';
import { endWithTest } from '../support/processes.js';
import { until } from '../support/until.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Started {
  /** The printed addresses by their labels. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly output: () => string;
}

/** Runs `npm start` with a temporary database until it has printed its addresses. */
async function start(): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const child = endWithTest(
    spawn(process.execPath, ['tools/start.mjs', '--port', '0'], {
      cwd: root,
      env: { ...process.env, OSTERIA_DB: join(folder, 'osteria.sqlite') },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  await until(() => {
    assert.equal(child.exitCode, null, output);
    return /^ {2}Documentation .*\n/m.test(output);
  });
  const lines = output.matchAll(/^ {2}(\S.*?) {2,}(http\S+)$/gm);
  const addresses = new Map([...lines].map(([, label = '', url = '']) => [label, url]));
  return { addresses, output: () => output };
}

test(
  'npm start prints the addresses of pages that open as soon as they are ready',
  { skip: skipWithout('chromium') },
  async () => {
    const { addresses, output } = await start();
    assert.doesNotMatch(output().split(/^ {2}Documentation /m)[0] ?? '', /ready after/, 'the addresses come first');
    const browser = await openChromium(false);
    atEnd(() => browser.close());
    const headings = {
      'Home page': 'HTML forms as tools for agents',
      'The demo': 'Slow food by lantern light',
      'Watch an agent': 'Watch an agent',
      Playground: 'Playground',
      Documentation: '',
    };
    assert.deepEqual([...addresses.keys()], Object.keys(headings));
    const pages = Object.entries(headings).map(async ([label, heading]) => {
      const page = await browser.newPage();
      const response = await page.goto(addresses.get(label) ?? '');
      assert.equal(response?.status(), 200, label);
      await page
        .locator('h1', { hasNotText: 'is starting' })
        .filter({ hasText: heading })
        .first()
        .waitFor({ state: 'attached' });
    });
    await Promise.all(pages);
    await until(() => /^All pages are ready after/m.test(output()));
  },
);
