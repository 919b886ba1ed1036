import assert from 'node:assert/strict';
import { both, reads, saves, savesNothing, type Flow } from '../flows.js';
import { textOf } from '../told.js';
import { gatewayPaths, named, usualPaths } from './issue-flows.js';
import { leaver, type Redmine } from './redmine.js';

const csv = 'Subject,Description\nImported,From a file\n';

export const siteFlows = ({ query }: Redmine): readonly Flow[] => [
  {
    name: 'A search lists the issues and pages that contain the word',
    paths: usualPaths,
    page: 'search',
    tool: 'search',
    input: () => ({ q: 'railway' }),
    check: reads(/Results \(\d+\)/, /Timetable The railway|Timetable\\n.*The railway/),
  },
  {
    name: 'The text of a wiki page is saved with its comment',
    paths: usualPaths,
    as: 'grace',
    page: 'projects/trains/wiki/Timetable/edit',
    tool: 'edit_wiki_page',
    input: (path) => named(path, { 'content[text]': `The railway of ${path}.`, 'content[comments]': `by ${path}` }),
    check: saves(
      () =>
        query(`
          select c.text, c.comments, u.login from wiki_contents c
          join wiki_pages p on p.id = c.page_id join users u on u.id = c.author_id where p.title = 'Timetable'`),
      (path) => [{ text: `The railway of ${path}.`, comments: `by ${path}`, login: 'grace' }],
    ),
  },
  {
    name: 'A wiki page is renamed, and its old name redirects',
    paths: ['webtools'],
    as: 'grace',
    page: 'projects/trains/wiki/Old/rename',
    tool: 'rename_wiki_page',
    input: (path) => named(path, { 'wiki_page[title]': `New ${path}` }),
    check: saves(
      (path) =>
        query(`
          select p.title, r.redirects_to from wiki_pages p join wiki_redirects r on r.title = 'Old'
          where p.title = 'New_${path}'`),
      (path) => [{ title: `New_${path}`, redirects_to: `New_${path}` }],
    ),
  },
  {
    name: 'A file is added to the downloads of the project',
    paths: gatewayPaths,
    as: 'grace',
    page: 'projects/trains/files/new',
    tool: 'upload_files',
    input: (path) => ({
      'attachments.dummy.file': [
        { name: `by ${path}.txt`, mediaType: 'text/plain', content: Buffer.from('A file.').toString('base64') },
      ],
    }),
    check: saves(
      (path) => query(`select filename, filesize, container_type from attachments where filename like '%${path}%'`),
      (path) => [{ filename: `by ${path}.txt`, filesize: 7, container_type: 'Project' }],
    ),
  },
  {
    name: 'A project is created by an administrator',
    as: 'ada',
    page: 'projects/new',
    tool: 'create_project',
    input: (path) => named(path, { 'project[name]': `By ${path}`, 'project[identifier]': `by-${path}` }),
    check: saves(
      (path) => query(`select name, is_public from projects where identifier = 'by-${path}'`),
      (path) => [{ name: `By ${path}`, is_public: 1 }],
    ),
  },
  {
    name: 'Preferences are saved, and preferences that the call does not name do not change',
    paths: usualPaths,
    as: 'grace',
    page: 'my/account',
    tool: 'change_preferences',
    input: (path) =>
      named(path, { 'user[firstname]': `Grace ${path}`, 'pref[hide_mail]': false, 'pref[time_zone]': 'Hawaii' }),
    check: saves(
      () =>
        query(`
          select firstname, lastname, language, mail_notification, hide_mail, time_zone, others like '%no_self_notified: ''1''%' as keeps
          from users u join user_preferences p on p.user_id = u.id where login = 'grace'`),
      (path) => [
        {
          firstname: `Grace ${path}`,
          lastname: 'Tester',
          language: 'en',
          mail_notification: 'only_my_events',
          hide_mail: 0,
          time_zone: 'Hawaii',
          keeps: 1,
        },
      ],
    ),
  },
  {
    name: 'A preference that the site refuses is not saved, and the agent reads the reason of the page',
    paths: usualPaths,
    as: 'grace',
    page: 'my/account',
    tool: 'change_preferences',
    input: (path) => named(path, { 'user[mail]': 'nobody', 'user[lastname]': `Not ${path}` }),
    check: both(
      reads(/Email is invalid/),
      savesNothing((path) => query(`select id from users where lastname = 'Not ${path}'`)),
    ),
  },
  {
    name: 'An account is not deleted without its confirmation, and no success is reported to the agent',
    as: leaver,
    page: 'my/account/destroy',
    tool: 'delete_account',
    input: () => ({}),
    async check(told, { path }) {
      assert.equal((await query(`select id from users where login = '${leaver(path)}'`)).length, 1, textOf(told));
    },
  },
  {
    name: 'An account is deleted with its confirmation',
    paths: usualPaths,
    as: leaver,
    page: 'my/account/destroy',
    tool: 'delete_account',
    input: () => ({ confirm: true }),
    check: both(
      reads(/Your account has been permanently deleted/),
      savesNothing((path) => query(`select id from users where login = '${leaver(path)}'`)),
    ),
  },
  {
    // The next step has a URL that no manifest can have.
    name: 'The first step of an import stores the file, and the agent reads the question of the second step',
    paths: ['chromium'],
    as: 'grace',
    page: 'issues/imports/new?project_id=trains',
    tool: 'import_issues',
    input: () => ({
      file: { name: 'issues.csv', mediaType: 'text/csv', content: Buffer.from(csv).toString('base64') },
    }),
    check: both(reads(/\/imports\/[0-9a-f]+\/settings/, /Field separator/), async (told) => {
      const rows = await query('select type, finished from imports order by id desc limit 1');
      assert.deepEqual(rows, [{ type: 'IssueImport', finished: 0 }], textOf(told));
    }),
  },
];
