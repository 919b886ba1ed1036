import { allPaths, both, namesParameter, reads, saves, savesNothing, type Flow } from '../flows.js';
import { changer, newPassword, password, type Library } from './library.js';

const text = (content: string): string => Buffer.from(content).toString('base64');

const overHttp = allPaths.filter((path) => path !== 'mcp-stdio');

const signIn: Flow = {
  name: 'signs in',
  paths: overHttp,
  page: 'accounts/login/',
  tool: 'sign_in',
  // The gateway has the password in its configuration.
  input: (path) => ({ username: 'ada', ...(['chromium', 'webmcp', 'firefox'].includes(path) && { password }) }),
  check: reads(/Welcome, ada/),
};

const changePassword = (library: Library): Flow => ({
  name: 'changes the password',
  paths: ['chromium', 'webmcp', 'webtools'],
  as: changer,
  page: 'accounts/password_change/',
  tool: 'change_password',
  input: (path) =>
    path === 'webtools' ? {} : { old_password: password, new_password1: newPassword, new_password2: newPassword },
  async check(told, context) {
    await reads(/Your password was changed/)(told, context);
    await library.signIn(context.visitor, changer(context.path), newPassword);
  },
});

const refuseShortPassword: Flow = {
  name: 'receives an error if a password is too short',
  paths: ['chromium'],
  as: 'ada',
  page: 'accounts/password_change/',
  tool: 'change_password',
  input: () => ({ old_password: password, new_password1: 'short', new_password2: 'short' }),
  check: reads(/This password is too short\. It must contain at least 8 characters/),
};

const review = (library: Library): Flow => ({
  name: 'reviews a book',
  paths: allPaths,
  page: 'en/review/',
  tool: 'review_book',
  input: (path) => ({
    book: '2',
    name: `By ${path}`,
    email: 'ada@example.com',
    rating: '5',
    text: 'Ein Buch über die 海, mit „Zitat“ & <b>.',
  }),
  check: both(
    saves(
      (path) => library.query('select book_id, email, rating, text from library_review where name = ?', `By ${path}`),
      () => [{ book_id: 2, email: 'ada@example.com', rating: 5, text: 'Ein Buch über die 海, mit „Zitat“ & <b>.' }],
    ),
    reads(/Review \d+ of Solaris was saved/),
  ),
});

const refuseReview = (library: Library): Flow => ({
  name: 'receives the name of the parameter that the site rejects',
  paths: allPaths,
  page: 'en/review/',
  tool: 'review_book',
  input: () => ({ book: '2', name: 'Refused', email: 'ada@example.com', rating: '5', text: 'See http://x.example' }),
  check: both(
    reads(/Reviews cannot contain links/),
    // A browser with WebMCP navigates: the agent reads the next page.
    (told, context) => (context.path === 'webmcp' ? undefined : namesParameter('text')(told, context)),
    savesNothing(() => library.query("select * from library_review where name = 'Refused'")),
  ),
});

const refuseWholeReview: Flow = {
  name: 'receives the error of the whole form',
  paths: ['chromium', 'webtools'],
  page: 'en/review/',
  tool: 'review_book',
  input: () => ({ book: '2', name: 'Refused', email: 'ada@example.com', rating: '1', text: 'Bad.' }),
  check: both(reads(/One star needs a longer explanation/), namesParameter('')),
};

const order = (library: Library): Flow => ({
  name: 'orders two books by a formset',
  paths: ['chromium', 'webmcp', 'firefox', 'webtools'],
  as: 'ada',
  page: 'order/',
  tool: 'order_books',
  input: (path) => ({
    'form-0-book': '1',
    'form-0-quantity': 2,
    'form-0-note': `By ${path}`,
    'form-1-book': '2',
    'form-1-quantity': 3,
    'form-1-note': `By ${path}`,
  }),
  check: both(
    saves(
      (path) =>
        library.query('select book_id, quantity from library_orderline where note = ? order by book_id', `By ${path}`),
      () => [
        { book_id: 1, quantity: 2 },
        { book_id: 2, quantity: 3 },
      ],
    ),
    reads(/Your order has 2 lines/),
  ),
});

const refuseOrder: Flow = {
  name: 'receives the number of the line of a formset that is rejected',
  paths: ['chromium', 'webtools'],
  as: 'ada',
  page: 'order/',
  tool: 'order_books',
  input: () => ({ 'form-0-book': '1', 'form-0-quantity': 2, 'form-1-book': '2', 'form-1-quantity': 101 }),
  check: reads(/Only 100 copies are in stock/),
};

const manuscript = (library: Library): Flow => ({
  name: 'sends a file',
  paths: ['chromium', 'webmcp', 'firefox', 'webtools'],
  as: 'ada',
  page: 'manuscript/',
  tool: 'send_manuscript',
  input: (path) => ({
    title: `By ${path}`,
    file: { name: 'märchen.txt', mediaType: 'text/plain', content: text('Es war einmal') },
  }),
  check: both(
    saves(
      (path) =>
        library.query(
          "select file like 'manuscripts/m%rchen%.txt' as saved from library_manuscript where title = ?",
          `By ${path}`,
        ),
      () => [{ saved: 1 }],
    ),
    reads(/Manuscript \d+ was received/),
  ),
});

const refuseManuscript: Flow = {
  name: 'receives the reason why a file is rejected',
  paths: ['chromium', 'webmcp', 'webtools', 'mcp-http'],
  as: 'ada',
  page: 'manuscript/',
  tool: 'send_manuscript',
  input: () => ({ title: 'Refused', file: { name: 'virus.exe', content: text('MZ') } }),
  check: reads(/File extension “exe” is not allowed\. Allowed extensions are: txt, pdf/),
};

const search: Flow = {
  name: 'searches by GET',
  paths: overHttp,
  page: 'search/',
  tool: 'search_books',
  input: () => ({ q: 'darkness' }),
  check: reads(/The Left Hand of Darkness by Ursula K\. Le Guin/),
};

/** The flows on pages with the library's own templates. */
export const siteFlows = (library: Library): readonly Flow[] => [
  signIn,
  changePassword(library),
  refuseShortPassword,
  review(library),
  refuseReview(library),
  refuseWholeReview,
  order(library),
  refuseOrder,
  manuscript(library),
  refuseManuscript,
  search,
];
