import assert from 'node:assert/strict';
import { both, fails, isLive, namesParameter, reads, type Flow } from '../flows.js';
import { password, type Library } from './library.js';

const wrongCredentials: Flow = {
  name: 'receives the error of wrong credentials',
  paths: ['chromium', 'webmcp', 'webtools'],
  page: 'accounts/login/',
  tool: 'sign_in',
  input: (path) => ({ username: 'nobody', ...(isLive(path) && { password }) }),
  check: reads(/Please enter a correct username and password/),
};

const sessionSql = 'delete from django_session';

/** The form has a CSRF token, so the gateway reads its page first, which redirects. */
const expiredSession = (library: Library): Flow => ({
  name: 'receives the URL of the login if the session has expired',
  paths: ['chromium', 'firefox', 'webtools', 'mcp-http'],
  as: 'sleepy',
  page: 'order/',
  tool: 'order_books',
  input: () => ({ 'form-0-book': '1', 'form-0-quantity': 1 }),
  meanwhile: () => library.execute(sessionSql),
  check: reads(/\/accounts\/login\/\?next=\/order\//, /[Ss]ign in|sign_in|log ?in/),
});

const neverSignedIn: Flow = {
  name: 'receives an error if a page requires a login',
  paths: ['webtools', 'mcp-http', 'mcp-stdio'],
  page: 'manuscript/',
  tool: 'send_manuscript',
  input: () => ({ title: 'x', file: { name: 'x.txt', content: 'eA==' } }),
  check: fails(/\/accounts\/login\/\?next=\/manuscript\//),
};

const expiredToken: Flow = {
  name: 'receives an error if the CSRF token has expired',
  paths: ['chromium', 'webmcp'],
  page: 'en/review/',
  tool: 'review_book',
  input: () => ({ book: '2', name: 'x', email: 'ada@example.com', rating: '5', text: 'x' }),
  async meanwhile({ tab }) {
    await tab?.evaluate(() => {
      document.cookie = `csrftoken=${'x'.repeat(64)}; path=/`;
    }, null);
  },
  check: reads(/CSRF verification failed\. Request aborted/, /403/),
};

/** The gateway reads a current token. */
const freshToken = (library: Library): Flow => ({
  name: 'succeeds after the CSRF token has changed',
  paths: ['webtools'],
  page: 'en/review/',
  tool: 'review_book',
  input: () => ({ book: '2', name: 'Fresh', email: 'ada@example.com', rating: '5', text: 'x' }),
  meanwhile: async ({ session }) => void (await session?.call('sign_in', { username: 'sleepy' })),
  check: async (told, context) => {
    await reads(/was saved/)(told, context);
    assert.equal((await library.query("select id from library_review where name = 'Fresh'")).length, 1);
  },
});

const serverError: Flow = {
  name: 'receives the text of a page with the status 500',
  paths: ['chromium', 'webmcp', 'firefox', 'webtools', 'mcp-http', 'mcp-stdio'],
  page: 'crash/',
  tool: 'print_book',
  input: () => ({ copies: 2 }),
  // A browser with WebMCP navigates, and the page does not show its status.
  check: (told, context) =>
    reads(/The printing press is out of order\. Please call the library/, context.path === 'webmcp' ? /./ : /500/)(
      told,
      context,
    ),
};

const poll = (library: Library, name: string, isOpen: boolean): Promise<void> =>
  library.execute('update library_poll set is_open = ? where question = ?', Number(isOpen), name);

const closedPoll = (library: Library): Flow => ({
  name: 'receives an error if the form no longer exists after the first call',
  paths: ['webtools', 'mcp-http'],
  page: 'poll/1/',
  tool: 'vote',
  input: (path) => ({ voter: `By ${path}`, answer: 'yes' }),
  async meanwhile({ path, session }) {
    await poll(library, 'Longer opening hours?', true);
    const told = await session?.call('vote', { voter: `First by ${path}`, answer: 'no' });
    assert.match(JSON.stringify(told), /Thank you for your vote/);
    await poll(library, 'Longer opening hours?', false);
  },
  check: both(fails(/poll\/1\//, /This poll is closed/), async (_told, { path }) => {
    const voters = [`By ${path}`, `First by ${path}`];
    const votes = await library.query('select answer from library_vote where voter in (?, ?)', ...voters);
    assert.deepEqual(votes, [{ answer: 'no' }]);
  }),
});

const missingPage = (library: Library): Flow => ({
  name: 'receives an error if the page of the form no longer exists',
  paths: ['webtools', 'mcp-http'],
  page: 'poll/3/',
  tool: 'vote_on_chairs',
  input: () => ({ voter: 'x', answer: 'yes' }),
  meanwhile: () => library.execute("delete from library_poll where question = 'More chairs?'"),
  check: fails(/poll\/3\//, /404/),
});

const forbiddenPage: Flow = {
  name: 'receives an error if the account may not use the page',
  paths: ['webtools', 'mcp-http'],
  as: 'guest',
  page: 'admin/library/author/add/',
  tool: 'add_author',
  input: () => ({ name: 'Forbidden' }),
  check: fails(/admin\/library\/author\/add\//, /403/),
};

/** The page is open while the poll closes: the site shows the closed poll again. */
const closedPollLive = (library: Library): Flow => ({
  name: 'receives the closed poll if it closes while the page is open',
  paths: ['chromium', 'webmcp', 'firefox'],
  page: 'poll/2/',
  tool: 'vote',
  input: (path) => ({ voter: `By ${path}`, answer: 'yes' }),
  meanwhile: () => poll(library, 'A café?', false),
  async check(told, context) {
    await reads(/This poll is closed/)(told, context);
    assert.deepEqual(await library.query('select * from library_vote where voter = ?', `By ${context.path}`), []);
    await poll(library, 'A café?', true);
  },
});

const removedForm: Flow = {
  name: 'receives an error if the page has removed the form after its tools were listed',
  paths: ['chromium', 'webmcp', 'firefox'],
  page: 'search/',
  tool: 'search_books',
  removes: 'form',
  input: () => ({ q: 'x' }),
  check: fails(/./),
};

const languages = [
  ['de', 'German', /Dieses Feld ist zwingend erforderlich/],
  ['ar', 'Arabic', /هذا الحقل مطلوب/],
  ['ja', 'Japanese', /このフィールドは必須です/],
] as const;

/** White space satisfies the browser's constraint, but not Django, which strips it. */
const inLanguages: readonly Flow[] = languages.map(([code, language, message]) => ({
  name: `receives the messages of a page in ${language}`,
  paths: ['chromium', 'webtools'],
  page: `${code}/review/`,
  tool: `review_book_${code}`,
  input: () => ({ book: '2', name: 'x', email: 'ada@example.com', rating: '5', text: '   ' }),
  check: both(reads(message), namesParameter('text')),
}));

/** Situations that agents must receive correct reports of. The last flow signs everybody out. */
export const badInputFlows = (library: Library): readonly Flow[] => [
  wrongCredentials,
  neverSignedIn,
  expiredToken,
  freshToken(library),
  serverError,
  closedPoll(library),
  closedPollLive(library),
  missingPage(library),
  forbiddenPage,
  removedForm,
  ...inLanguages,
  expiredSession(library),
];
