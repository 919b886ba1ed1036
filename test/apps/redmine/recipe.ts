import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { commandsOf } from '../../support/crawl/guide.js';
import { startGateway } from '../gateway.js';
import { temporaryFolder } from '../server.js';
import { printsNo, runProgram, toolsOf } from '../served/from-nothing.js';
import { textOf } from '../told.js';
import { password, type Redmine } from './redmine.js';

/** Runs the commands of the recipe, and adds the tests of their manifest. */
export async function prepareRecipe(redmine: Redmine): Promise<() => void> {
  const { site, query } = redmine;
  const folder = temporaryFolder('guide');
  for (const name of ['compile', 'lint'])
    for (const args of commandsOf('redmine', name, site))
      printsNo(password, await runProgram(folder, args, { username: 'grace', password }));
  const manifest = join(folder, 'pages.json');

  return () => {
    describe('the guide for Redmine', () => {
      it('has a manifest of the pages behind the login, whose forms have no IDs', () => {
        assert.deepEqual(toolsOf(manifest), {
          '/issues/1': ['watch_issue', 'delete_issue', 'edit_issue'],
          '/issues/imports/new?project_id=trains': ['import_issues'],
          '/login': ['log_in'],
          '/my/account': ['change_preferences'],
          '/projects/trains/issues/new': ['create_issue'],
          '/projects/trains/wiki/Timetable/edit': ['edit_wiki_page'],
        });
      });

      it('has tools that agents call after the login of the manifest, and that store one of several files', async () => {
        const fresh = { edit_wiki_page: ['content[version]'], edit_issue: ['was_default_status'] };
        const config = { values: { log_in: { password } }, fresh };
        const gateway = await startGateway({ manifest, site, config });
        const session = await gateway.open('webtools');
        await redmine.signInSession(session, 'grace');
        const files = ['a', 'b'].map((name) => ({
          name: `guide-${name}.txt`,
          mediaType: 'text/plain',
          content: 'QQ==',
        }));
        const told = await session.call('create_issue', { 'issue.subject': 'Guide', 'attachments.dummy.file': files });
        assert.match(textOf(told), /Issue #\d+ created/);
        const saved = await query("select filename from attachments where filename like 'guide-%'");
        assert.deepEqual(saved, [{ filename: 'guide-b.txt' }]);
        await session.close();
      });
    });
  };
}
