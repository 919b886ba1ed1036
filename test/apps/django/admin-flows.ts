import assert from 'node:assert/strict';
import { allPaths, both, isLive, reads, saves, type Flow, type Path } from '../flows.js';
import { textOf } from '../told.js';
import { password, type Library } from './library.js';

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const file = (name: string, mediaType: string, content: string): object => ({ name, mediaType, content });

// Each browser changes another book. The manifest has the page of the second book.
const bookIds: Partial<Record<Path, number>> = { chromium: 1, webmcp: 3, firefox: 4 };
const bookOf = (path: Path): number => bookIds[path] ?? 2;
const changePage = (path: Path): string => `admin/library/book/${bookOf(path)}/change/`;

const browsers: readonly Path[] = ['chromium', 'webmcp', 'firefox'];

const chaptersSql = 'select number, title from library_chapter where book_id = ? order by number';
const tagsSql = 'select tag_id from library_book_tags where book_id = ? order by tag_id';

const addAuthor = (library: Library): Flow => ({
  name: 'adds an author',
  paths: allPaths,
  as: 'ada',
  page: 'admin/library/author/add/',
  tool: 'add_author',
  input: (path) => ({ name: `Author by ${path}` }),
  check: both(
    saves(
      (path) => library.query('select name from library_author where name = ?', `Author by ${path}`),
      (path) => [{ name: `Author by ${path}` }],
    ),
    reads(/was added successfully/),
  ),
});

const saveAndContinue = (library: Library): Flow => ({
  name: 'chooses the button that saves an author and shows it again',
  paths: ['chromium', 'firefox', 'webtools'],
  as: 'ada',
  page: 'admin/library/author/add/',
  tool: 'add_author',
  input: (path) => ({ name: `Shown to ${path}`, submitter: '_continue' }),
  check: both(
    saves(
      (path) => library.query('select name from library_author where name = ?', `Shown to ${path}`),
      (path) => [{ name: `Shown to ${path}` }],
    ),
    reads(/was added successfully\. You may edit it again below/),
  ),
});

const addBookSql = `select title, author_id, published, price, in_print, summary, cover <> '' as has_cover,
  (select group_concat(number || ' ' || title) from library_chapter where book_id = library_book.id) as chapters
  from library_book where title = ?`;

const addBook = (library: Library): Flow => ({
  name: 'adds a book with a searched author, a picture, a date and a chapter',
  paths: ['chromium', 'firefox', 'webtools', 'mcp-http'],
  as: 'ada',
  page: 'admin/library/book/add/',
  tool: 'add_book',
  input: (path) => ({
    title: `Book by ${path}`,
    author: isLive(path) ? 'Stanisław Lem' : '2',
    published: '2026-05-04',
    price: 12.5,
    summary: 'One & two < three\n\n“Quoted”.',
    cover: file('cover.png', 'image/png', pixel),
    'chapter_set-0-number': 1,
    'chapter_set-0-title': 'Beginnings',
  }),
  check: saves(
    (path) => library.query(addBookSql, `Book by ${path}`),
    (path) => [
      {
        title: `Book by ${path}`,
        author_id: 2,
        published: '2026-05-04',
        price: 12.5,
        in_print: 1,
        summary: 'One & two < three\r\n\r\n“Quoted”.',
        has_cover: 1,
        chapters: '1 Beginnings',
      },
    ],
  ),
});

const addRow = (library: Library, number: number, paths: readonly Path[]): Flow => ({
  name: `adds chapter ${number} in the empty row of a book that has ${number - 1}`,
  paths,
  as: 'ada',
  page: changePage,
  tool: 'change_book',
  input: () => ({
    [`chapter_set-${number - 1}-number`]: number,
    [`chapter_set-${number - 1}-title`]: `Chapter ${number}`,
  }),
  check: both(
    saves(
      (path) => library.query(`${chaptersSql} limit 1 offset ${number - 1}`, bookOf(path)),
      () => [{ number, title: `Chapter ${number}` }],
    ),
    reads(/was changed successfully/),
  ),
});

/** At submit, the widget selects all options of its second list again. */
const removeTags = (library: Library): Flow => ({
  name: 'receives not-kept if a script restores the tags that the agent removed',
  paths: browsers,
  as: 'ada',
  page: 'admin/library/book/5/change/',
  tool: 'change_book',
  input: () => ({ tags: [] }),
  async check(told) {
    const tags = await library.query(tagsSql, 5);
    if (told.error) assert.match(textOf(told), /tags[^]*not-kept|not-kept[^]*tags/);
    assert.deepEqual(tags, told.error ? [{ tag_id: 3 }] : [], textOf(told));
  },
});

const changeWithMoreRows = (library: Library): Flow => ({
  name: 'changes a book after somebody else has added a chapter to it',
  paths: ['chromium', 'webtools', 'mcp-http'],
  as: 'ada',
  page: changePage,
  tool: 'change_book',
  input: (path) => ({ summary: `By ${path} with more rows` }),
  meanwhile: ({ path }) =>
    library.execute(
      'insert into library_chapter (book_id, number, title) values (?, ?, ?)',
      ...[bookOf(path), path === 'mcp-http' ? 21 : 20, 'Meanwhile'],
    ),
  check: saves(
    (path) => library.query('select summary from library_book where id = ?', bookOf(path)),
    (path) => [{ summary: `By ${path} with more rows` }],
  ),
});

/**
 * The widget moves the options of the select between two lists, and selects those of the second one at submit. A page may
 * refuse the value, but must not save another one.
 */
const chooseTags = (library: Library): Flow => ({
  name: 'saves exactly the given tags where a script moves options between two lists',
  paths: [...browsers, 'webtools'],
  as: 'ada',
  page: changePage,
  tool: 'change_book',
  input: () => ({ tags: ['1'] }),
  async check(told, { path }) {
    const tags = await library.query(tagsSql, bookOf(path));
    if (told.error && isLive(path)) assert.match(textOf(told), /not-kept|not-offered/);
    else assert.equal(told.error, undefined, textOf(told));
    assert.deepEqual(tags, [{ tag_id: told.error ? 3 : 1 }], textOf(told));
  },
});

const refusePicture: Flow = {
  name: 'receives the reason why an upload that is not an image is refused',
  paths: ['chromium', 'webtools'],
  as: 'ada',
  page: changePage,
  tool: 'change_book',
  input: () => ({ cover: file('cover.png', 'image/png', 'bm90IGEgcGljdHVyZQ==') }),
  check: reads(/Upload a valid image\. The file you uploaded was either not an image or a corrupted image/),
};

const refuseDuplicate: Flow = {
  name: 'receives the error of an author name that exists',
  paths: ['chromium', 'webtools', 'mcp-http'],
  as: 'ada',
  page: 'admin/library/author/add/',
  tool: 'add_author',
  input: () => ({ name: 'Stanisław Lem' }),
  check: reads(/Author with this Name already exists/),
};

const findBooks: Flow = {
  name: 'searches a list that its URL has filtered',
  paths: ['chromium', 'firefox', 'webtools'],
  as: 'ada',
  page: 'admin/library/book/?in_print__exact=1',
  tool: 'find_book',
  input: () => ({ q: 'Fiasco' }),
  check: reads(/1 result/, /Fiasco/, /in_print__exact=1/),
};

const signIn: Flow = {
  name: 'signs in to the admin by a form of another template',
  paths: browsers,
  page: 'admin/login/?next=/admin/library/',
  tool: 'sign_in_to_admin',
  input: () => ({ username: 'ada', password }),
  check: reads(/Welcome, ada/i, /Authors/),
};

/** The flows of Django's admin. */
export const adminFlows = (library: Library): readonly Flow[] => [
  signIn,
  addAuthor(library),
  saveAndContinue(library),
  addBook(library),
  addRow(library, 2, [...browsers, 'webtools']),
  addRow(library, 3, browsers), // the manifest has no such row
  chooseTags(library),
  removeTags(library),
  changeWithMoreRows(library),
  refusePicture,
  refuseDuplicate,
  findBooks,
];
