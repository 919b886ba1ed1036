import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import { commandsOf } from '../../support/crawl/guide.js';
import { password, startDokuWiki, type DokuWiki } from '../dokuwiki/dokuwiki.js';
import { startGateway } from '../gateway.js';
import { callLive, openBrowser } from '../live.js';
import { temporaryFolder } from '../server.js';
import { textOf } from '../told.js';
import { printsNo, runProgram, toolsOf } from './from-nothing.js';

/** Starts a wiki, whose templates include the tools, and compiles what it serves to a user. */
async function prepare(): Promise<{ readonly wiki: DokuWiki; readonly folder: string }> {
  const folder = temporaryFolder('guide');
  const wiki = await startDokuWiki();
  for (const name of ['compile', 'lint'])
    for (const args of commandsOf('dokuwiki', name, wiki.site))
      printsNo(password, await runProgram(folder, args, { u: 'ada', p: password }));
  return { wiki, folder };
}

function addTests({ wiki, folder }: Awaited<ReturnType<typeof prepare>>): void {
  const { site } = wiki;
  const manifest = join(folder, 'webmcp.json');

  it('has a manifest whose paths keep their queries', () => {
    assert.deepEqual(toolsOf(manifest), {
      '/doku.php?id=staff:plan&do=edit': ['search', 'edit_page'],
      '/doku.php?id=start': ['search'],
      '/doku.php?id=start&do=login': ['search', 'log_in'],
    });
  });

  it('reports that a page may be a login', async () => {
    const { stderr } = await runProgram(folder, ['compile', `${site}doku.php?id=staff:plan`]);
    assert.match(
      stderr,
      /staff:plan has a password input\. If the site shows a login instead of the page, use --login/,
    );
  });

  it('does not follow the links of the menus, which change something', async () => {
    const { stderr } = await runProgram(folder, [
      'compile',
      '--depth',
      '2',
      '--out',
      'all.json',
      `${site}doku.php?id=start`,
    ]);
    assert.deepEqual(
      Object.keys(toolsOf(join(folder, 'all.json'))).filter((path) => /do=(?!login|register|resendpwd)/.test(path)),
      [],
      stderr,
    );
  });

  it('has tools that agents call through the gateway', async () => {
    const gateway = await startGateway({ manifest, site });
    const session = await gateway.open('webtools');
    assert.match(textOf(await session.call('search', { q: 'railway' })), /The railway runs every hour/);
    await session.close();
  });

  it('has tools that agents call through the gateway with the account of its configuration', async () => {
    const authorization = `Basic ${btoa(`ada:${password}`)}`;
    const gateway = await startGateway({ manifest, site, config: { headers: { authorization } } });
    const session = await gateway.open('webtools');
    const { value, error } = await session.call('edit_page', { wikitext: 'The staff meets on Monday.' });
    assert.match(JSON.stringify(value ?? error), /The staff meets on Monday/);
    await session.close();
  });

  it('has tools that agents call in the page', { skip: skipWithout('chromium') }, async () => {
    const browser = await openBrowser('chromium');
    try {
      const tab = await browser.open(site, []);
      await tab.goto(`${site}doku.php?id=start`);
      assert.match(textOf(await callLive(tab, 'search', { q: 'railway' })), /The railway runs every hour/);
    } finally {
      await browser.close();
    }
  });
}

const skip = skipWithout('dokuwiki');
if (skip) it('the guide for DokuWiki', { skip }, () => undefined);
else {
  const prepared = await prepare();
  describe('the guide for DokuWiki', () => addTests(prepared));
}
