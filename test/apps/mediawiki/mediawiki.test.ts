import assert from 'node:assert/strict';
import { it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import {
  allPaths,
  both,
  fails,
  isLive,
  namesParameter,
  reads,
  runFlows,
  saves,
  savesNothing,
  type Flow,
  type Path,
} from '../flows.js';
import { Visitor } from '../visitor.js';
import { pageFlows, pagesOfFlows, titlesOfFlows } from './page-flows.js';
import { password, startMediaWiki, withPassword, type MediaWiki } from './mediawiki.js';

const usualPaths = allPaths.filter((path) => path !== 'mcp-stdio');

/** A text for each path, so that a flow does not pass with the text that another path has saved. */
const textBy = (path: Path): string => `== Café ${path} ==\n* a < b & "c" [[Timetable|始める]]\n<b>bold</b>`;

/** The page that a path edits: the gateway edits the page of its manifest. */
const editedBy = (path: Path): string => (isLive(path) ? `Sandbox ${path}` : 'Sandbox');

const editorOf = (title: string): string => `index.php?title=${encodeURIComponent(title)}&action=edit`;

/** The gateway has a tool for each edited page. A live page has only its own tool. */
const editTool = (page: string) => (path: Path) => (isLive(path) ? 'edit_page' : `edit_page-index-title-${page}`);

const searches: readonly Flow[] = [
  {
    name: 'A search lists the pages that contain the word',
    paths: allPaths,
    page: 'index.php?title=Timetable',
    tool: 'search',
    input: () => ({ search: 'railway' }),
    check: reads(/Search results/, /The railway runs every hour/),
  },
  {
    name: 'The button Go opens the page of the name',
    page: 'index.php?title=Timetable',
    tool: 'search',
    input: () => ({ search: 'about', submitter: 'go' }),
    check: reads(/This wiki is about trains/),
  },
];

const logins: readonly Flow[] = [
  {
    name: 'A login leads to a page that only users may read',
    paths: usualPaths,
    page: 'index.php?title=Special:UserLogin&returnto=Special:Watchlist',
    tool: 'log_in',
    input: (path) => withPassword(path, { wpName: 'Leaver' }, { wpPassword: password }),
    check: reads(/\/Special:Watchlist/, /on your watchlist/i),
  },
  {
    name: 'A login with a wrong name or password is refused with the reason of the page',
    paths: ['chromium', 'webtools', 'mcp-http'],
    page: 'index.php?title=Special:UserLogin&returnto=Special:Watchlist',
    tool: 'log_in',
    input: (path) => withPassword(path, { wpName: isLive(path) ? 'Ada' : 'Nobody' }, { wpPassword: 'wrong' }),
    check: reads(/Incorrect username or password entered/),
  },
  {
    name: 'A logout ends the session of the user',
    as: 'Leaver',
    page: 'index.php?title=Special:UserLogout',
    tool: 'log_out',
    input: () => ({}),
    check: reads(/You are now logged out/),
  },
];

const registrations: readonly Flow[] = [
  {
    name: 'A registration creates the user',
    page: 'index.php?title=Special:CreateAccount',
    tool: 'register',
    input: (path) =>
      withPassword(
        path,
        { wpName: `Ève ${path}`, email: `eve-${path}@example.com` },
        { wpPassword: password, retype: password },
      ),
    check: reads(/Welcome, Ève/),
  },
  {
    name: 'A registration with the name of another user is refused with the reason of the page',
    page: 'index.php?title=Special:CreateAccount',
    tool: 'register',
    input: (path) => withPassword(path, { wpName: 'Ada' }, { wpPassword: password, retype: password }),
    check: reads(/Username entered already in use/),
  },
];

const edits = (wiki: MediaWiki): readonly Flow[] => [
  {
    name: 'An edit of a visitor saves the page',
    paths: allPaths,
    page: (path) => editorOf(editedBy(path)),
    tool: editTool('Sandbox-action-edit'),
    input: (path) => ({ wpTextbox1: textBy(path), wpSummary: `by ${path}` }),
    check: saves((path) => wiki.text(editedBy(path)), textBy),
  },
  {
    name: 'An edit of a user is saved with the name and the summary',
    paths: ['chromium', 'webtools', 'mcp-http'],
    as: 'Ada',
    page: editorOf('Plan'),
    tool: editTool('Plan-action-edit'),
    input: (path) => ({ wpTextbox1: textBy(path), wpSummary: `by ${path}`, wpMinoredit: true }),
    check: saves(
      async () => (await wiki.history('Plan')).slice(0, 1).map(({ user, comment, text }) => ({ user, comment, text })),
      (path) => [{ user: 'Ada', comment: `by ${path}`, text: textBy(path) }],
    ),
  },
  {
    name: 'A new section is added to the text of others',
    page: 'index.php?title=Talk:Timetable&action=edit&section=new',
    tool: editTool('Talk-Timetable-action-edit-section-new'),
    async meanwhile({ path }) {
      await wiki.save('Talk:Timetable', `== Sundays ==\nChanged before ${path}.`);
    },
    input: (path) => ({ wpSummary: `Holidays ${path}`, wpTextbox1: 'What about holidays?' }),
    check: saves(
      () => wiki.text('Talk:Timetable'),
      (path) => `== Sundays ==\nChanged before ${path}.\n\n== Holidays ${path} ==\n\nWhat about holidays?`,
    ),
  },
  {
    name: 'The button Preview shows the text and does not save it',
    page: (path) => editorOf(editedBy(path)),
    tool: editTool('Sandbox-action-edit'),
    input: (path) => ({ wpTextbox1: `previewed by ${path}`, submitter: 'wpPreview' }),
    check: both(
      reads(/Remember that this is only a preview/),
      saves(
        async (path) => (await wiki.text(editedBy(path)))?.includes('previewed') ?? false,
        () => false,
      ),
    ),
  },
  {
    name: 'The field that only programs fill in is not a parameter, and a call with it is not sent',
    page: (path) => editorOf(editedBy(path)),
    tool: editTool('Sandbox-action-edit'),
    input: () => ({ wpTextbox1: 'A program was here.', wpAntispam: 'A program was here.' }),
    check: both(
      fails(/wpAntispam/),
      namesParameter('wpAntispam'),
      savesNothing(async (path) =>
        (await wiki.history(editedBy(path))).filter(({ text }) => text.includes('A program was here')),
      ),
    ),
  },
  {
    name: 'A page that somebody changes between its form and the submission is not overwritten, and the page reports it',
    paths: ['chromium', 'firefox', 'webtools', 'mcp-http'],
    page: editorOf('Contested'),
    tool: editTool('Contested-action-edit'),
    input: (path) => ({ wpTextbox1: `Not saved by ${path}.` }),
    check: both(
      reads(/Edit conflict/, /"message\\*": ?\\*"Someone else has changed this page since you started editing it/),
      async (_, { path }) => {
        const revisions = await wiki.history('Contested');
        assert.match(revisions[0]?.text ?? '', /^The text of Grace/);
        assert.deepEqual(
          revisions.filter(({ text }) => text.includes(`Not saved by ${path}`)),
          [],
        );
      },
    ),
  },
  {
    name: 'A page that was changed before the call is edited in its latest version, and its history has both texts',
    paths: ['webtools', 'mcp-http'],
    page: editorOf('Sandbox'),
    tool: editTool('Sandbox-action-edit'),
    meanwhile: ({ path }) => wiki.save('Sandbox', `Changed before ${path}.`),
    input: (path) => ({ wpTextbox1: textBy(path) }),
    check: saves(
      async () => (await wiki.history('Sandbox')).slice(0, 2).map(({ text }) => text),
      (path) => [textBy(path), `Changed before ${path}.`],
    ),
  },
];

/** The preferences of a user before a call. */
let before: Readonly<Record<string, unknown>> = {};

/** Grace, as another visitor reads her. */
async function readGrace(wiki: MediaWiki): Promise<Readonly<Record<string, unknown>>> {
  const visitor = new Visitor(wiki.site);
  await wiki.signIn(visitor, 'Grace');
  return (await wiki.user(visitor)).options;
}

const preferences = (wiki: MediaWiki): readonly Flow[] => [
  {
    name: 'Preferences are saved, and preferences that the call does not name do not change',
    paths: usualPaths,
    as: 'Grace',
    page: 'index.php?title=Special:Preferences',
    tool: 'change_preferences',
    async meanwhile() {
      before = await readGrace(wiki);
    },
    input: (path) => ({
      wpsearchlimit: 60 + allPaths.indexOf(path),
      wpgender: 'female',
      wpimagesize: '3',
      wpdiffonly: true,
    }),
    check: saves(
      () => readGrace(wiki),
      (path) => ({
        ...before,
        searchlimit: String(60 + allPaths.indexOf(path)),
        gender: 'female',
        imagesize: '3',
        diffonly: '1',
      }),
    ),
  },
  {
    name: 'A preference beyond its limit is refused, and nothing is saved',
    as: 'Grace',
    page: 'index.php?title=Special:Preferences',
    tool: 'change_preferences',
    async meanwhile() {
      before = await readGrace(wiki);
    },
    input: () => ({ wprclimit: 5000 }),
    check: both(fails(/1000/), namesParameter('wprclimit'), async () => {
      assert.deepEqual(await readGrace(wiki), before);
    }),
  },
  {
    name: 'A preference that the site refuses is not saved, and the agent reads the reason of the page',
    as: 'Grace',
    page: 'index.php?title=Special:Preferences',
    tool: 'change_preferences',
    input: () => ({ wpnickname: '<b>', wpfancysig: true }),
    check: reads(/Invalid raw signature/),
  },
  {
    name: 'Preferences without a login are not sent',
    paths: ['webtools', 'mcp-http'],
    page: 'index.php?title=Special:Preferences',
    tool: 'change_preferences',
    input: () => ({ wpdiffonly: true }),
    check: fails(/log in|login/i),
  },
];

const skip = skipWithout('mediawiki');
if (skip) it('MediaWiki', { skip }, () => undefined);
else {
  const wiki = await startMediaWiki();
  for (const title of titlesOfFlows) await wiki.save(title, 'Text.');
  const application = { ...wiki, pages: [...wiki.pages, ...pagesOfFlows()], flags: ['--read-forms'] };
  const flows = [...searches, ...logins, ...registrations, ...edits(wiki), ...preferences(wiki), ...pageFlows(wiki)];
  await runFlows(application, flows);
}
