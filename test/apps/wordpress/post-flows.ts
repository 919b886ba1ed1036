import assert from 'node:assert/strict';
import { both, reads, saves, type Flow } from '../flows.js';
import { overHttp, withLineFeeds, type Blog } from './application.js';

const lastPost = (blog: Blog) => async (): Promise<unknown> => {
  const [row] = await blog.query(`SELECT post_title title, post_content content, post_status status FROM wp_posts
    WHERE post_type = 'post' AND post_status <> 'auto-draft' ORDER BY ID DESC LIMIT 1`);
  return { ...row, content: withLineFeeds(row?.content) };
};

const countDrafts = (blog: Blog, title: string): Promise<unknown> =>
  blog.value(`SELECT COUNT(*) FROM wp_posts WHERE post_title = '${title}' AND post_status = 'draft'`);

const body = 'First paragraph\n\nSecond <strong>paragraph</strong> in Zürich';

/** Records whether the page asks "Leave site?". Its own listeners run before this one. */
const watchLeaving: Flow['meanwhile'] = async ({ tab }) => {
  await tab?.evaluate(() => {
    addEventListener('beforeunload', (event) => sessionStorage.setItem('asked', String(event.defaultPrevented)));
  }, null);
};

const leavesUnasked: Flow['check'] = async (_, { tab }) => {
  if (tab) assert.equal(await tab.evaluate(() => sessionStorage.getItem('asked'), null), 'false');
};

export const posts = (blog: Blog): readonly Flow[] => [
  {
    name: 'The classic editor saves the title and the text as a draft',
    paths: overHttp,
    as: 'ada',
    page: 'wp-admin/post-new.php',
    tool: 'write_post',
    meanwhile: watchLeaving,
    input: (path) => ({ post_title: `Draft by ${path}`, content: body }),
    check: both(
      saves(lastPost(blog), (path) => ({ title: `Draft by ${path}`, content: body, status: 'draft' })),
      leavesUnasked,
    ),
  },
  {
    name: 'The button Publish publishes the post',
    as: 'ada',
    page: 'wp-admin/post-new.php',
    tool: 'write_post',
    input: (path) => ({ post_title: `Published by ${path}`, content: body, submitter: 'publish=Publish' }),
    check: saves(lastPost(blog), (path) => ({ title: `Published by ${path}`, content: body, status: 'publish' })),
  },
  {
    name: 'The tab Text of the classic editor saves the text unchanged',
    paths: ['chromium'],
    as: 'ada',
    page: 'wp-admin/post-new.php',
    tool: 'write_post',
    async meanwhile({ tab }) {
      await tab?.evaluate(() => document.querySelector<HTMLElement>('#content-html')?.click(), null);
    },
    input: () => ({ post_title: 'Text', content: '<div>a &amp; b</div>\n<!--more-->' }),
    check: saves(lastPost(blog), () => ({
      title: 'Text',
      content: '<div>a &amp; b</div>\n<!--more-->',
      status: 'draft',
    })),
  },
  {
    name: 'A quick draft is saved, and the agent reads the text that the page then shows',
    paths: overHttp,
    as: 'ada',
    page: 'wp-admin/',
    tool: 'quick_draft',
    input: (path) => ({ post_title: `Quick ${path}`, content: 'One line' }),
    check: both(
      saves(
        (path) => countDrafts(blog, `Quick ${path}`),
        () => '1',
      ),
      (told, { path }) => reads(new RegExp(`Quick ${path}`))(told, { path } as never),
    ),
  },
  {
    name: 'A quick draft after the end of the session is not saved, and the agent reads the login that the page shows',
    paths: ['chromium'],
    as: 'ada',
    page: 'wp-admin/',
    tool: 'quick_draft',
    meanwhile: () => blog.endSessions('ada'),
    input: (path) => ({ post_title: `Logged out ${path}`, content: 'One line' }),
    check: both(reads(/Username or Email Address/), async (_, { path }) => {
      assert.equal(await countDrafts(blog, `Logged out ${path}`), '0');
    }),
  },
  {
    name: 'A quick draft with an expired nonce is refused with the reason of the page',
    paths: ['chromium', 'firefox'],
    as: 'ada',
    page: 'wp-admin/',
    tool: 'quick_draft',
    meanwhile: () => blog.expireNonces(),
    input: (path) => ({ post_title: `Expired ${path}`, content: 'One line' }),
    check: both(reads(/Unable to submit this form, please refresh and try again/), async (_, { path }) => {
      assert.equal(await countDrafts(blog, `Expired ${path}`), '0');
    }),
  },
];
