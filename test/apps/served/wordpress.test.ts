import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import { startGateway } from '../gateway.js';
import { openBrowser } from '../live.js';
import { temporaryFolder } from '../server.js';
import { textOf } from '../told.js';
import { commandsOf } from '../../support/crawl/guide.js';
import { Visitor } from '../visitor.js';
import { startBlog, type Blog } from '../wordpress/application.js';
import { password } from '../wordpress/wordpress.js';
import { callAndPress, printsNo, runProgram, toolsOf } from './from-nothing.js';

/** Annotates files of WordPress whose forms are written as tags. The must-use plugin adds the script, and no tools. */
const annotate = async (files: string): Promise<void> => {
  writeFileSync(join(files, 'wp-content/mu-plugins/webmcp/tools.html'), '');
  for (const args of commandsOf('wordpress', 'annotate')) await runProgram(files, args);
  // One form of the dashboard is written by code.
  await assert.rejects(runProgram(files, ['annotate', '--write', 'wp-admin/includes/dashboard.php']), {
    code: 1,
    stderr: /dashboard\.php:\d+:\d+ not annotated: .*\n.*1 of 1 files? written.* 1 not annotated\n$/,
  });
};

interface Prepared {
  readonly blog: Blog;
  readonly manifest: string;
}

/** Annotates the files of a copy, starts it, and compiles what it serves to an administrator. */
async function prepare(): Promise<Prepared> {
  const folder = temporaryFolder('from-nothing');
  const blog = await startBlog(annotate);
  const values = { log: 'ada', pwd: password };
  for (const args of commandsOf('wordpress', 'compile', blog.site))
    printsNo(password, await runProgram(folder, args, values));
  return { blog, manifest: join(folder, 'webmcp.json') };
}

function addTests({ blog, manifest }: Prepared): void {
  const { site } = blog;
  const tools = toolsOf(manifest);
  const draft = tools['/wp-admin/']?.find((name) => /post|draft/.test(name)) ?? '';
  const saved = (title: string): Promise<string | null | undefined> =>
    blog.value(`SELECT post_content FROM wp_posts WHERE post_title = '${title}' AND post_status = 'draft'`);

  it('has a manifest of the login and of the pages behind it', () => {
    assert.deepEqual(Object.keys(tools), ['/wp-admin/', '/wp-admin/options-writing.php', '/wp-login.php']);
    assert.deepEqual([draft !== '', tools['/wp-login.php']?.includes('log_in')], [true, true]);
  });

  it('reports that a page needs a login', async () => {
    const compiling = runProgram('.', ['compile', `${site}wp-admin/`]);
    await assert.rejects(
      compiling,
      /wp-admin\/: it redirects to \/wp-login\.php, which is a login\. Use --login or --cookie/,
    );
  });

  it('has tools that agents call through the gateway', async () => {
    const gateway = await startGateway({ manifest, site, config: { values: { log_in: { pwd: password } } } });
    const session = await gateway.open('webtools');
    const loggedIn = await session.call('log_in', { log: 'ada' });
    assert.equal(loggedIn.error, undefined, textOf(loggedIn));
    const told = await session.call(draft, { post_title: 'By gateway', content: 'A train.' });
    assert.equal(told.error, undefined, textOf(told));
    assert.match((await saved('By gateway')) ?? '', /A train\./);
    await session.close();
  });

  it('has tools that agents call in the page', { skip: skipWithout('chromium') }, async () => {
    const browser = await openBrowser('chromium');
    try {
      const visitor = new Visitor(site);
      await blog.signIn(visitor, 'ada');
      const tab = await browser.open(site, visitor.cookies);
      await tab.goto(`${site}wp-admin/`);
      await callAndPress(tab, draft, { post_title: 'By page', content: 'A train.' }, 'By page');
    } finally {
      await browser.close();
    }
    assert.match((await saved('By page')) ?? '', /A train\./);
  });
}

const skip = skipWithout('wordpress');
if (skip) it('the guide for WordPress', { skip }, () => undefined);
else {
  const prepared = await prepare();
  describe('the guide for WordPress', () => addTests(prepared));
}
