import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import { password, project, startLibrary, type Library } from '../django/library.js';
import { startGateway } from '../gateway.js';
import { callLive, openBrowser } from '../live.js';
import { temporaryFolder } from '../server.js';
import { textOf } from '../told.js';
import { commandsOf } from '../../support/crawl/guide.js';
import { Visitor } from '../visitor.js';
import { callAndPress, printsNo, removeAnnotations, runProgram, toolsOf } from './from-nothing.js';

/** Annotates the templates of a copy, starts it, and compiles what it serves. */
async function prepare(): Promise<{ readonly folder: string; readonly library: Library }> {
  const folder = temporaryFolder('from-nothing');
  cpSync(project, folder, { recursive: true });
  removeAnnotations(join(folder, 'library/templates'));
  for (const args of commandsOf('django', 'annotate')) await runProgram(folder, args);
  const library = await startLibrary(folder);
  const values = { username: 'ada', password };
  for (const name of ['compile', 'lint'])
    for (const args of commandsOf('django', name, library.site))
      printsNo(password, await runProgram(folder, args, values));
  return { folder, library };
}

function addTests(library: Library, folder: string): void {
  const manifest = join(folder, 'webmcp.json');
  const tools = toolsOf(manifest);
  const toolOf = (path: string): string => tools[path]?.[0] ?? '';

  it('has a manifest of the running application, with the pages behind its login', () => {
    const one = ['/accounts/login/', '/en/review/', '/order/', '/search/'].map((path) => [path, 1]);
    assert.deepEqual(
      Object.entries(tools).map(([path, names]) => [path, names.length]),
      one,
    );
  });

  it('reports that a page needs a login', async () => {
    const args = ['compile', `${library.site}order/`];
    await assert.rejects(
      runProgram(folder, args),
      /order\/: it redirects to \/accounts\/login\/, which is a login\. Use --login/,
    );
  });

  it('has tools that agents call through the gateway', async () => {
    const gateway = await startGateway({ manifest, site: library.site });
    for (const by of ['webtools', 'mcp-http'] as const) {
      const session = await gateway.open(by);
      const found = await session.call(toolOf('/search/'), { q: 'darkness' });
      assert.match(textOf(found), /The Left Hand of Darkness by Ursula K\. Le Guin/);
      const review = { book: '2', name: `By ${by}`, email: 'ada@example.com', rating: '5', text: 'Good.' };
      assert.match(textOf(await session.call(toolOf('/en/review/'), review)), /Review \d+ of Solaris was saved/);
      await session.close();
    }
    const saved = await library.query("select name from library_review where text = 'Good.' order by name");
    assert.deepEqual(saved, [{ name: 'By mcp-http' }, { name: 'By webtools' }]);
  });

  it('has tools that agents call in the page', { skip: skipWithout('chromium') }, async () => {
    const browser = await openBrowser('chromium');
    try {
      const visitor = new Visitor(library.site);
      await library.signIn(visitor, 'ada');
      const tab = await browser.open(library.site, visitor.cookies);
      await tab.goto(`${library.site}search/`);
      assert.match(textOf(await callLive(tab, toolOf('/search/'), { q: 'darkness' })), /The Left Hand of Darkness/);
      await tab.goto(`${library.site}en/review/`);
      const review = { name: 'By page', book: '2', email: 'ada@example.com', rating: '5', text: 'Good.' };
      await callAndPress(tab, toolOf('/en/review/'), review, 'of Solaris was saved');
    } finally {
      await browser.close();
    }
    const saved = await library.query("select rating from library_review where name = 'By page'");
    assert.deepEqual(saved, [{ rating: 5 }]);
  });
}

const skip = skipWithout('django');
if (skip) it('the guide for Django', { skip }, () => undefined);
else {
  const { library, folder } = await prepare();
  describe('the guide for Django', () => addTests(library, folder));
}
