import assert from 'node:assert/strict';
import { both, isLive, reads, saves, type Flow, type Path } from '../flows.js';
import { overHttp, type Blog } from './application.js';
import { password } from './wordpress.js';

const withPassword = (path: Path, input: object, pwd: string): object => (isLive(path) ? { ...input, pwd } : input);

export const logins: readonly Flow[] = [
  {
    name: 'The right password logs in',
    paths: overHttp,
    page: 'wp-login.php',
    tool: 'log_in',
    input: (path) => withPassword(path, { log: 'ada' }, password),
    check: reads(/wp-admin\//, /Dashboard/, /At a Glance/),
  },
  {
    name: 'A wrong name or password is refused with the reason of the page',
    paths: ['chromium', 'webtools', 'mcp-http'],
    page: 'wp-login.php',
    tool: 'log_in',
    input: (path) => withPassword(path, { log: isLive(path) ? 'ada' : 'nobody' }, 'wrong'),
    check: reads(/password you entered for the username ada is incorrect|username nobody is not registered/),
  },
];

const lastComment = (blog: Blog) => async (): Promise<unknown> =>
  (
    await blog.query(`SELECT comment_author author, comment_author_email email, comment_content content
      FROM wp_comments ORDER BY comment_ID DESC LIMIT 1`)
  )[0];

const countComments = (blog: Blog, content: string): Promise<unknown> =>
  blog.value(`SELECT COUNT(*) FROM wp_comments WHERE comment_content = '${content}'`);

export const comments = (blog: Blog): readonly Flow[] => [
  {
    name: 'A visitor comments with a name and an address',
    paths: ['chromium', 'firefox', 'webtools', 'mcp-http'],
    page: '?p=1',
    tool: 'comment',
    input: (path) => ({ author: 'Zoë 鉄', email: 'zoe@example.com', comment: `A comment by ${path}: 1 < 2 & "so"` }),
    check: both(
      saves(lastComment(blog), (path) => ({
        author: 'Zoë 鉄',
        email: 'zoe@example.com',
        content: `A comment by ${path}: 1 &lt; 2 &amp; &quot;so&quot;`,
      })),
      reads(/awaiting moderation/),
    ),
  },
  {
    name: 'A user comments without the name and the address, which the form lacks then',
    paths: ['chromium', 'webtools', 'mcp-http'],
    as: 'ada',
    page: '?p=1',
    tool: 'comment',
    input: (path) => ({ comment: `A comment of a user by ${path}` }),
    check: saves(lastComment(blog), (path) => ({
      author: 'ada',
      email: 'ada@example.com',
      content: `A comment of a user by ${path}`,
    })),
  },
  {
    name: 'A user who gives a name receives an error, because the form has no field for it',
    as: 'ada',
    page: '?p=1',
    tool: 'comment',
    input: (path) => ({ author: 'Somebody else', comment: `Not sent by ${path}` }),
    check: both(reads(/\bauthor\b/), async (told, { path }) => {
      assert.ok(told.error);
      assert.equal(await countComments(blog, `Not sent by ${path}`), '0');
    }),
  },
  {
    name: 'A comment that was sent before is refused with the reason of the page',
    page: '?p=1',
    tool: 'comment',
    input: (path) => ({ author: 'Zoë', email: 'zoe@example.com', comment: `Twice by ${path}` }),
    async meanwhile({ visitor, path }) {
      const form = { author: 'Zoë', email: 'zoe@example.com', comment: `Twice by ${path}`, comment_post_ID: '1' };
      await visitor.submit('wp-comments-post.php', form);
    },
    check: both(reads(/Duplicate comment detected/), async (_, { path }) => {
      assert.equal(await countComments(blog, `Twice by ${path}`), '1');
    }),
  },
  {
    name: 'A comment on a post that was closed in the meantime is not sent',
    page: '?p=1',
    tool: 'comment',
    input: (path) => ({ author: 'Zoë', email: 'zoe@example.com', comment: `Too late by ${path}` }),
    async meanwhile() {
      await blog.query("UPDATE wp_posts SET comment_status = 'closed' WHERE ID = 1");
    },
    check: both(
      async (_, { path }) => {
        await blog.query("UPDATE wp_posts SET comment_status = 'open' WHERE ID = 1");
        assert.equal(await countComments(blog, `Too late by ${path}`), '0');
      },
      reads(/comments are closed|the page has no form|not on the page|has no form/i),
    ),
  },
];
