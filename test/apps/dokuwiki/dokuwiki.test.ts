import assert from 'node:assert/strict';
import { it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import { allPaths, both, fails, isLive, reads, runFlows, saves, type Flow, type Path } from '../flows.js';
import { hasPlainUrl } from '../wordpress/php.js';
import { password, startDokuWiki, withPassword, type DokuWiki } from './dokuwiki.js';

/** A text for each path, so that a flow does not pass with the text that another path has saved. */
const textBy = (path: Path): string =>
  `====== Café ${path} ======\n\n  * a < b & "c" [[start|始める]]\n\n<b>no HTML</b>`;

const usualPaths = allPaths.filter((path) => path !== 'mcp-stdio');

/** The page that a path edits: the gateway edits the page of its manifest. */
const editedBy = (path: Path): string => (isLive(path) ? `new-${path}` : 'new');

const searches: readonly Flow[] = [
  {
    name: 'A search lists the pages that contain the word',
    paths: allPaths,
    page: 'doku.php?id=start',
    tool: 'search',
    input: () => ({ q: 'railway' }),
    check: both(reads(/timetable/, /The railway runs every hour/), hasPlainUrl(/\?do=search&id=[a-z:]+&q=railway$/)),
  },
  {
    name: 'A search without results reports it',
    page: 'doku.php?id=start',
    tool: 'search',
    input: () => ({ q: 'nonexistentword' }),
    check: reads(/Nothing was found/),
  },
  {
    name: 'A page that does not exist has the search of all pages',
    page: 'doku.php?id=missing',
    tool: 'search',
    input: () => ({ q: 'railway' }),
    check: reads(/The railway runs every hour/),
  },
];

const logins: readonly Flow[] = [
  {
    name: 'A login leads to a page that only users may read',
    paths: usualPaths,
    page: 'doku.php?id=staff:plan&do=login',
    tool: 'log_in',
    input: (path) => withPassword(path, { u: 'ada' }, { p: password }),
    check: reads(/A new line to the coast/),
  },
  {
    name: 'A login with a wrong name or password is refused with the reason of the page',
    paths: ['chromium', 'webtools', 'mcp-http'],
    page: 'doku.php?id=staff:plan&do=login',
    tool: 'log_in',
    input: (path) => withPassword(path, { u: isLive(path) ? 'ada' : 'nobody' }, { p: 'wrong' }),
    check: reads(/Sorry, username or password was wrong/),
  },
];

/** The gateway has a tool for each of the two edited pages. A live page has only its own tool. */
const editTool = (page: string) => (path: Path) => (isLive(path) ? 'edit_page' : `edit_page-${page}`);
const editNew = editTool('doku-id-new-do-edit');
const editPlan = editTool('doku-id-staff-plan-do-edit');

const edits = (wiki: DokuWiki): readonly Flow[] => {
  // The manifest was compiled from a page that its visitor has locked.
  const unlocked: Flow['meanwhile'] = ({ tab }) => Promise.resolve(tab ? undefined : wiki.unlock());
  return [
    {
      name: 'An edit without a choice of the button saves the page',
      paths: allPaths,
      page: (path) => `doku.php?id=${editedBy(path)}&do=edit`,
      tool: editNew,
      meanwhile: unlocked,
      input: (path) => ({ wikitext: textBy(path), summary: `by ${path}` }),
      check: saves((path) => wiki.page(editedBy(path)), textBy),
    },
    {
      name: 'A page that another user edits is not changed, and the agent reads the reason of the page',
      paths: ['webtools', 'mcp-http'],
      page: 'doku.php?id=new&do=edit',
      tool: editNew,
      async meanwhile({ visitor }) {
        wiki.unlock();
        await visitor.read('doku.php?id=new&do=edit');
      },
      input: () => ({ wikitext: 'not saved' }),
      check: both(fails(/currently locked for editing by another user/), () => {
        assert.notEqual(wiki.page('new'), 'not saved');
      }),
    },
    {
      name: 'The button Preview shows the text and does not save it',
      page: (path) => `doku.php?id=${editedBy(path)}&do=edit`,
      tool: editNew,
      meanwhile: unlocked,
      input: (path) => ({ wikitext: `previewed by ${path}`, submitter: 'do[preview]' }),
      check: both(
        reads(/Preview/, /previewed by/),
        saves(
          (path) => wiki.page(editedBy(path))?.includes('previewed') ?? false,
          () => false,
        ),
      ),
    },
    {
      name: 'A page that was changed in the meantime is not overwritten, and the page reports it',
      paths: ['chromium', 'firefox'],
      page: 'doku.php?id=shared&do=edit',
      tool: editNew,
      async meanwhile({ path }) {
        wiki.changePage('shared', `Changed before ${path}.`);
        await Promise.resolve();
      },
      input: () => ({ wikitext: 'Not saved.' }),
      check: both(reads(/A newer version of the document you edited exists/), (_, { path }) => {
        wiki.unlock();
        assert.equal(wiki.page('shared'), `Changed before ${path}.`);
      }),
    },
    {
      name: 'A user who is deleted before the call is refused',
      as: 'leaver',
      page: 'doku.php?id=staff:plan&do=edit',
      tool: editPlan,
      async meanwhile() {
        wiki.deleteUser('leaver');
        await Promise.resolve();
      },
      input: () => ({ wikitext: 'not allowed' }),
      check: both(
        () => wiki.addUser('leaver'),
        reads(/login|Log In/, /staff:plan/),
        () => {
          wiki.unlock();
          assert.doesNotMatch(wiki.page('staff:plan') ?? '', /not allowed/);
        },
      ),
    },
    {
      name: 'An edit of a page for users only is refused without a login',
      paths: ['webtools', 'mcp-http'],
      page: 'doku.php?id=staff:plan&do=edit',
      tool: editPlan,
      input: () => ({ wikitext: 'not allowed' }),
      check: both(fails(/login/i, /staff:plan/), () => {
        assert.doesNotMatch(wiki.page('staff:plan') ?? '', /not allowed/);
      }),
    },
  ];
};

const registrations = (wiki: DokuWiki): readonly Flow[] => [
  {
    name: 'A registration creates the user',
    paths: usualPaths,
    page: 'doku.php?id=start&do=register',
    tool: 'register',
    input: (path) =>
      withPassword(
        path,
        { login: `eve-${path}`, fullname: 'Ève Ünïcode', email: `eve-${path}@example.com` },
        { pass: password, passchk: password },
      ),
    check: saves(
      (path) => wiki.user(`eve-${path}`)?.toSpliced(1, 1),
      (path) => [`eve-${path}`, 'Ève Ünïcode', `eve-${path}@example.com`, 'user'],
    ),
  },
  {
    name: 'A registration with the name of another user is refused with the reason of the page',
    page: 'doku.php?id=start&do=register',
    tool: 'register',
    input: (path) =>
      withPassword(
        path,
        { login: 'ada', fullname: 'Another Ada', email: 'another@example.com' },
        { pass: password, passchk: password },
      ),
    check: both(reads(/a user with this login already exists/), () => {
      assert.equal(wiki.user('ada')?.[2], 'Ada Lovelace');
    }),
  },
];

const skip = skipWithout('dokuwiki');
if (skip) it('DokuWiki', { skip }, () => undefined);
else {
  const wiki = await startDokuWiki();
  await runFlows(wiki, [...searches, ...logins, ...edits(wiki), ...registrations(wiki)]);
}
