import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import { commandsOf } from '../../support/crawl/guide.js';
import { startGateway } from '../gateway.js';
import { callLive, openBrowser } from '../live.js';
import { password, startMediaWiki, type MediaWiki } from '../mediawiki/mediawiki.js';
import { temporaryFolder } from '../server.js';
import { textOf } from '../told.js';
import { printsNo, runProgram, toolsOf } from './from-nothing.js';

/** Starts a wiki, whose hooks add the tools, and compiles what it serves to a user. */
async function prepare(): Promise<{ readonly wiki: MediaWiki; readonly folder: string }> {
  const folder = temporaryFolder('guide');
  const wiki = await startMediaWiki();
  for (const name of ['compile', 'lint'])
    for (const args of commandsOf('mediawiki', name, wiki.site))
      printsNo(password, await runProgram(folder, args, { wpName: 'Ada', wpPassword: password }));
  return { wiki, folder };
}

/** The configuration of the guide. */
const config = {
  values: { log_in: { wpPassword: password } },
  fresh: { change_preferences: ['wpServerTime'] },
};

function addTests({ wiki, folder }: Awaited<ReturnType<typeof prepare>>): void {
  const { site } = wiki;
  const manifest = join(folder, 'webmcp.json');
  const edit = 'edit_page-index-title-Plan-action-edit';

  it('has a manifest whose paths keep their queries', () => {
    assert.deepEqual(toolsOf(manifest), {
      '/index.php?title=Plan&action=edit': ['search', 'edit_page'],
      '/index.php?title=Special:Preferences': ['search', 'change_preferences'],
      '/index.php?title=Special:UserLogin': ['log_in', 'search'],
      '/index.php?title=Talk:Timetable&action=edit&section=new': ['search', 'edit_page'],
    });
  });

  it('has tools that agents call through the gateway', async () => {
    const gateway = await startGateway({ manifest, site, config });
    const session = await gateway.open('webtools');
    const loggedIn = await session.call('log_in', { wpName: 'Ada' });
    assert.equal(loggedIn.error, undefined, textOf(loggedIn));
    const told = await session.call(edit, { wpTextbox1: 'By gateway.' });
    assert.equal(told.error, undefined, textOf(told));
    assert.equal(await wiki.text('Plan'), 'By gateway.');
    await session.close();
  });

  it('has a tool that reports an edit conflict if the page was saved after the revision of the client', async () => {
    const gateway = await startGateway({ manifest, site, config });
    const session = await gateway.open('webtools');
    await session.call('log_in', { wpName: 'Ada' });
    const read = (await wiki.history('Plan')).at(-1);
    await wiki.save('Plan', 'The text of Grace.');
    const wpEdittime = read?.timestamp.replace(/\D/g, '');
    const values = { [edit]: { editRevId: String(read?.id), wpEdittime } };
    const told = await session.call(edit, { wpTextbox1: 'The text of the agent.' }, { values });
    assert.match(textOf(told), /Edit conflict: Plan/);
    assert.equal(await wiki.text('Plan'), 'The text of Grace.');
    await session.close();
  });

  it('has tools that agents call in the page', { skip: skipWithout('chromium') }, async () => {
    const browser = await openBrowser('chromium');
    try {
      const tab = await browser.open(site, []);
      await tab.goto(`${site}index.php?title=Timetable`);
      assert.match(textOf(await callLive(tab, 'search', { search: 'railway' })), /The railway runs every hour/);
    } finally {
      await browser.close();
    }
  });
}

const skip = skipWithout('mediawiki');
if (skip) it('the guide for MediaWiki', { skip }, () => undefined);
else {
  const prepared = await prepare();
  describe('the guide for MediaWiki', () => addTests(prepared));
}
