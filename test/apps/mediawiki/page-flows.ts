import assert from 'node:assert/strict';
import { both, fails, isLive, reads, saves, type Flow, type FlowContext, type Path } from '../flows.js';
import { textOf, type Told } from '../told.js';
import { Visitor } from '../visitor.js';
import type { MediaWiki } from './mediawiki.js';

const gatewayPaths: readonly Path[] = ['webtools', 'mcp-http'];
const usualPaths: readonly Path[] = ['chromium', ...gatewayPaths];

/** Each path moves, watches and deletes a page of its own. */
const titleOf = (kind: string, path: Path): string => `${kind}-${path}`;

const pageOf =
  (kind: string, action: string) =>
  (path: Path): string =>
    `index.php?title=${titleOf(kind, path)}&action=${action}`;

const movePage = (path: Path): string => `index.php?title=Special:MovePage/${titleOf('Move', path)}`;

/** The pages of the gateway, which reads them once. A page that does not exist has no form. */
export const pagesOfFlows = (): MediaWiki['pages'] => [
  { path: 'index.php?title=Special:Upload', as: 'Ada' },
  { path: 'index.php?title=MediaWiki:Sidebar&action=edit', as: 'Ada' },
  ...gatewayPaths.flatMap((path) => [
    { path: pageOf('Delete', 'delete')(path), as: 'Ada' },
    { path: pageOf('Watch', 'watch')(path), as: 'Ada' },
    { path: movePage(path), as: 'Ada' },
  ]),
];

export const titlesOfFlows = usualPaths.flatMap((path) =>
  ['Delete', 'Watch', 'Move'].map((kind) => titleOf(kind, path)),
);

/** The gateway adds the page to a name that several pages have. */
const toolOf =
  (name: string, page: (path: Path) => string): ((path: Path) => string) =>
  (path) =>
    isLive(path)
      ? name
      : `${name}-${page(path)
          .replace(/[^\w-]+/g, '-')
          .replace('index-php', 'index')}`;

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const valueOf = (told: Told, name: string): unknown =>
  (told.value as { readonly values?: Readonly<Record<string, unknown>> }).values?.[name];

/** Ends the session of a visitor, who has the form open. */
async function logOut({ visitor }: FlowContext): Promise<void> {
  const answer = await visitor.read('api.php?action=query&meta=tokens&format=json');
  const { csrftoken } = (JSON.parse(answer) as { query: { tokens: { csrftoken: string } } }).query.tokens;
  await visitor.submit('api.php', { action: 'logout', format: 'json', token: csrftoken });
}

async function watchlistOfAda(wiki: MediaWiki): Promise<readonly string[]> {
  const visitor = new Visitor(wiki.site);
  await wiki.signIn(visitor, 'Ada');
  return wiki.watchlist(visitor);
}

export const pageFlows = (wiki: MediaWiki): readonly Flow[] => [
  {
    name: 'A page is not moved to the name of another one, and the agent reads the reason',
    paths: usualPaths,
    as: 'Ada',
    page: movePage,
    tool: toolOf('move_page', movePage),
    input: () => ({ wpNewTitleMain: 'Timetable' }),
    check: both(reads(/already exists/), async (told, { path }) =>
      assert.equal(await wiki.text(titleOf('Move', path)), 'Text.', textOf(told)),
    ),
  },
  {
    name: 'A page is moved, and its old name redirects',
    paths: usualPaths,
    as: 'Ada',
    page: movePage,
    tool: toolOf('move_page', movePage),
    input: (path) => ({ wpNewTitleMain: `Moved ${path}`, wpReason: `by ${path}` }),
    check: saves(
      async (path) => [await wiki.text(`Moved ${path}`), await wiki.text(titleOf('Move', path))],
      (path) => ['Text.', `#REDIRECT [[Moved ${path}]]`],
    ),
  },
  {
    name: 'A page is deleted after the confirmation',
    paths: usualPaths,
    as: 'Ada',
    page: pageOf('Delete', 'delete'),
    tool: toolOf('delete_page', pageOf('Delete', 'delete')),
    input: (path) => ({ wpReason: `by ${path}` }),
    check: saves(
      (path) => wiki.text(titleOf('Delete', path)),
      () => undefined,
    ),
  },
  {
    name: 'A page is watched',
    paths: usualPaths,
    as: 'Ada',
    page: pageOf('Watch', 'watch'),
    tool: toolOf('watch_page', pageOf('Watch', 'watch')),
    input: () => ({}),
    check: saves(
      async (path) => (await watchlistOfAda(wiki)).includes(titleOf('Watch', path)),
      () => true,
    ),
  },
  {
    name: 'A file is uploaded with its description',
    paths: usualPaths,
    as: 'Ada',
    page: 'index.php?title=Special:Upload',
    tool: 'upload_file',
    input: (path) => ({
      wpUploadFile: { name: 'dot.png', mediaType: 'image/png', content: png },
      wpDestFile: `Dot ${path}.png`,
      wpUploadDescription: `A dot by ${path}.`,
      wpIgnoreWarning: true,
    }),
    check: saves(
      async (path) => [await wiki.fileSize(`Dot ${path}.png`), await wiki.text(`File:Dot ${path}.png`)],
      (path) => [Buffer.from(png, 'base64').length, `== Summary ==\nA dot by ${path}.`],
    ),
  },
  {
    name: 'A page that a user may only read is not edited, and the agent reads the reason',
    paths: gatewayPaths,
    as: 'Grace',
    page: 'index.php?title=MediaWiki:Sidebar&action=edit',
    tool: 'edit_page-index-title-MediaWiki-Sidebar-action-edit',
    input: () => ({ wpTextbox1: 'By Grace.' }),
    check: both(fails(/permission/), async (told) =>
      assert.equal(await wiki.text('MediaWiki:Sidebar'), undefined, textOf(told)),
    ),
  },
  {
    name: 'An edit of a user whose session has ended is not saved, and the agent reads the reason',
    paths: ['chromium'],
    as: 'Leaver',
    page: 'index.php?title=Plan&action=edit',
    tool: 'edit_page',
    meanwhile: logOut,
    input: () => ({ wpTextbox1: 'After the session.' }),
    check: both(reads(/loss of session data|logged out/), async (told) =>
      assert.notEqual(await wiki.text('Plan'), 'After the session.', textOf(told)),
    ),
  },
  {
    name: 'An agent reads the text of a page and adds to it',
    paths: gatewayPaths,
    page: 'index.php?title=Sandbox&action=edit',
    tool: 'read_edit_page-index-title-Sandbox-action-edit',
    meanwhile: ({ path }) => wiki.save('Sandbox', `Kept for ${path}.`),
    input: () => ({}),
    async check(told, { path, session }) {
      const text = String(valueOf(told, 'wpTextbox1')).trimEnd();
      assert.equal(text, `Kept for ${path}.`, textOf(told));
      const saved = await session?.call('edit_page-index-title-Sandbox-action-edit', {
        wpTextbox1: `${text}\nAdded by ${path}.`,
      });
      assert.equal(saved?.error, undefined);
      assert.equal(await wiki.text('Sandbox'), `Kept for ${path}.\nAdded by ${path}.`);
    },
  },
];
