import assert from 'node:assert/strict';
import {
  both,
  fails,
  isLive,
  reads,
  reportsError,
  saves,
  savesNothing,
  type Flow,
  type FlowContext,
  type Path,
} from '../flows.js';
import { textOf, type Told } from '../told.js';
import { issueOf, type Redmine } from './redmine.js';

export const usualPaths: readonly Path[] = ['chromium', 'webtools', 'mcp-http'];
export const gatewayPaths: readonly Path[] = ['webtools', 'mcp-http'];

/** Renames the members of an input for a path. Names of controls have brackets in a page, and dots in the gateway. */
export const named = (path: Path, input: Readonly<Record<string, unknown>>): object =>
  isLive(path)
    ? input
    : Object.fromEntries(
        Object.entries(input).map(([name, value]) => [name.replace(/\[([^\]]+)\]/g, '.$1').replace('[]', ''), value]),
      );

/** The name of a tool: the gateway adds the page if several pages have a tool of the name. */
export const toolOf =
  (name: string, page: string): ((path: Path) => string) =>
  (path) =>
    isLive(path) ? name : `${name}-${page}`;

const text = (name: string, content: string): object => ({
  name,
  mediaType: 'text/plain',
  content: Buffer.from(content).toString('base64'),
});

const timetable = issueOf('The timetable is wrong');
const contested = issueOf('Contested');
const watched = issueOf('To watch and resolve');

export const ofPath = (subject: string) => (path: Path) => issueOf(`${subject} by ${path}`);
export const pageOf = (id: (path: Path) => number) => (path: Path) => `issues/${id(path)}`;
export const toolOfIssue =
  (name: string, id: (path: Path) => number): ((path: Path) => string) =>
  (path) =>
    toolOf(name, `issues-${id(path)}`)(path);

const editWatched = toolOf('edit_issue', `issues-${watched}`);
const newIssue = toolOf('create_issue', 'projects-trains-issues-new');
const editTimetable = toolOf('edit_issue', `issues-${timetable}`);

/** The values of a form, as its companion returns them. */
const valuesOf = (told: Told): Readonly<Record<string, unknown>> =>
  (told.value as { readonly values?: Readonly<Record<string, unknown>> }).values ?? {};

const creations = ({ query }: Redmine): readonly Flow[] => [
  {
    name: 'An issue is created by the button Create, with its file and its watcher',
    paths: usualPaths,
    as: 'grace',
    page: 'projects/trains/issues/new',
    tool: newIssue,
    input: (path) =>
      named(path, {
        'issue[subject]': `Café ${path} < "a" & 始`,
        'issue[description]': `By ${path}.\n\nTwo paragraphs.`,
        'issue[priority_id]': '4',
        'issue[watcher_user_ids][]': true,
        'attachments[dummy][file]': [text('log.txt', `By ${path}.`)],
      }),
    check: saves(
      (path) =>
        query(`
          select i.description, i.priority_id, author.login as author, watcher.login as watcher, a.filename
          from issues i join users author on author.id = i.author_id
          left join watchers w on w.watchable_id = i.id and w.watchable_type = 'Issue'
          left join users watcher on watcher.id = w.user_id
          left join attachments a on a.container_id = i.id and a.container_type = 'Issue'
          where i.subject = 'Café ${path} < "a" & 始'`),
      (path) => [
        {
          description: `By ${path}.\r\n\r\nTwo paragraphs.`,
          priority_id: 4,
          author: 'grace',
          watcher: 'grace',
          filename: 'log.txt',
        },
      ],
    ),
  },
  {
    name: 'The button "Create and add another" creates an issue and leads to the next one',
    as: 'grace',
    page: 'projects/trains/issues/new',
    tool: newIssue,
    input: (path) => named(path, { 'issue[subject]': `One of two ${path}`, submitter: 'continue' }),
    check: both(reads(/\/projects\/trains\/issues\/new/, /Issue (?:.*?)#\d+(?:.*?) created/), async (told, { path }) =>
      assert.equal((await query(`select id from issues where subject = 'One of two ${path}'`)).length, 1, textOf(told)),
    ),
  },
  {
    name: 'An issue without a subject is refused with the reason of the page',
    paths: usualPaths,
    as: 'grace',
    page: 'projects/trains/issues/new',
    tool: newIssue,
    input: (path) =>
      named(path, {
        'issue[description]': `No subject ${path}`,
        'issue[start_date]': '2026-02-02',
        'issue[due_date]': '2026-01-01',
      }),
    check: both(
      reads(/Subject cannot be blank/, /Due date must be greater than start date/),
      savesNothing((path) => query(`select id from issues where description = 'No subject ${path}'`)),
    ),
  },
  {
    name: 'An issue of a project of others is not created',
    paths: gatewayPaths,
    as: 'grace',
    page: 'projects/secret/issues/new',
    tool: 'create_issue-projects-secret-issues-new',
    input: (path) => named(path, { 'issue[subject]': `Secret ${path}` }),
    check: both(
      fails(/403|not authorized/),
      savesNothing((path) => query(`select id from issues where subject = 'Secret ${path}'`)),
    ),
  },
  {
    name: 'An issue is not created without a login',
    paths: gatewayPaths,
    page: 'projects/trains/issues/new',
    tool: newIssue,
    input: (path) => named(path, { 'issue[subject]': `Anonymous ${path}` }),
    check: both(
      fails(/log in|login/i),
      savesNothing((path) => query(`select id from issues where subject = 'Anonymous ${path}'`)),
    ),
  },
  {
    name: 'An issue is not created if the session ends before the submission',
    paths: ['chromium'],
    as: 'grace',
    page: 'projects/trains/issues/new',
    tool: newIssue,
    meanwhile: endSession,
    input: (path) => named(path, { 'issue[subject]': `Too late ${path}` }),
    check: both(
      reads(/Invalid form authenticity token/),
      savesNothing((path) => query(`select id from issues where subject = 'Too late ${path}'`)),
    ),
  },
];

/** Logs the user of a tab out, in another window. */
async function endSession({ tab }: FlowContext): Promise<void> {
  await tab?.evaluate(async () => {
    const token = document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')?.content ?? '';
    const body = new URLSearchParams({ authenticity_token: token });
    await fetch('/logout', { method: 'POST', body });
  }, null);
}

const edits = ({ query }: Redmine): readonly Flow[] => [
  {
    name: 'The companion of a form returns the current values of an issue',
    paths: gatewayPaths,
    as: 'grace',
    page: `issues/${timetable}`,
    tool: toolOf('read_edit_issue', `issues-${timetable}`),
    input: () => ({}),
    async check(told) {
      const values = valuesOf(told);
      const [row] = await query(`select subject, description from issues where id = ${timetable}`);
      assert.deepEqual(
        { subject: values['issue.subject'], description: String(values['issue.description']).replace(/\r?\n/g, '\n') },
        { ...row, description: String(row?.description).replace(/\r?\n/g, '\n') },
        textOf(told),
      );
    },
  },
  {
    name: 'An edit and a note of an issue are saved, and its other values do not change',
    paths: usualPaths,
    as: 'grace',
    page: `issues/${timetable}`,
    tool: editTimetable,
    input: (path) => named(path, { 'issue[done_ratio]': ratioOf(path), 'issue[notes]': `Noted by ${path}.` }),
    check: saves(
      (path) =>
        query(`
          select i.subject, i.done_ratio, i.status_id, j.notes
          from issues i join journals j on j.journalized_id = i.id
          where i.id = ${timetable} and j.notes like '%${path}%'`),
      (path) => [
        {
          subject: 'The timetable is wrong',
          done_ratio: Number(ratioOf(path)),
          status_id: 1,
          notes: `Noted by ${path}.`,
        },
      ],
    ),
  },
  {
    name: 'An issue that somebody changes between its form and the submission is not overwritten, and the page reports it',
    paths: usualPaths,
    as: 'grace',
    page: `issues/${contested}`,
    tool: toolOf('edit_issue', `issues-${contested}`),
    input: (path) => named(path, { 'issue[subject]': `Overwritten by ${path}` }),
    check: both(
      reportsError(/updated by an other user while you were editing/),
      savesNothing((path) => query(`select id from issues where subject = 'Overwritten by ${path}'`)),
    ),
  },
  {
    name: 'An issue whose status is no longer that of the manifest can be changed',
    paths: gatewayPaths,
    as: 'grace',
    page: `issues/${watched}`,
    tool: editWatched,
    async meanwhile({ path, session }) {
      await session?.call(editWatched(path), { 'issue.status_id': '2' });
    },
    input: (path) => named(path, { 'issue[status_id]': '3', 'issue[notes]': `Resolved by ${path}.` }),
    check: saves(
      (path) =>
        query(`
          select status_id, notes from issues i join journals j on j.journalized_id = i.id
          where i.id = ${watched} and j.notes like '%${path}%'`),
      (path) => [{ status_id: 3, notes: `Resolved by ${path}.` }],
    ),
  },
  {
    name: 'An issue is moved to another project',
    paths: usualPaths,
    as: 'grace',
    page: pageOf(ofPath('To move')),
    tool: toolOfIssue('edit_issue', ofPath('To move')),
    input: (path) => named(path, { 'issue[project_id]': '2' }),
    check: saves(
      (path) => query(`select project_id from issues where subject = 'To move by ${path}'`),
      () => [{ project_id: 2 }],
    ),
  },
  {
    name: 'An issue is watched',
    paths: usualPaths,
    as: (path) => ({ webtools: 'eve', 'mcp-http': 'ada' })[path as string] ?? 'grace',
    page: `issues/${watched}`,
    tool: toolOf('watch_issue', `issues-${watched}`),
    input: () => ({}),
    check: saves(
      (path) =>
        query(`
          select login from watchers w join users u on u.id = w.user_id
          where watchable_id = ${watched} and watchable_type = 'Issue' and login = '${watcherOf(path)}'`),
      (path) => [{ login: watcherOf(path) }],
    ),
  },
  {
    name: 'An issue is deleted',
    paths: usualPaths,
    as: 'grace',
    page: pageOf(ofPath('To delete')),
    tool: toolOfIssue('delete_issue', ofPath('To delete')),
    input: () => ({}),
    check: both(
      reads(/Successful deletion/),
      savesNothing((path) => query(`select id from issues where subject = 'To delete by ${path}'`)),
    ),
  },
  {
    // The answer is another form, which no page of the manifest has.
    name: 'The deletion of an issue with hours is answered with a question, and nothing is deleted',
    paths: ['chromium'],
    as: 'grace',
    page: pageOf(ofPath('To delete with hours')),
    tool: toolOfIssue('delete_issue', ofPath('To delete with hours')),
    input: () => ({}),
    check: both(reads(/2.00 hours were reported on the issues you are about to delete/), async (told, { path }) =>
      assert.equal(
        (await query(`select id from issues where subject = 'To delete with hours by ${path}'`)).length,
        1,
        textOf(told),
      ),
    ),
  },
];

const ratioOf = (path: Path): string => `${10 * (1 + usualPaths.indexOf(path))}`;
const watcherOf = (path: Path): string => ({ webtools: 'eve', 'mcp-http': 'ada' })[path as string] ?? 'grace';

export const issueFlows = (redmine: Redmine): readonly Flow[] => [...creations(redmine), ...edits(redmine)];
