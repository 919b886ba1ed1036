import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPaths, type Application } from '../flows.js';
import { Visitor } from '../visitor.js';
import type { Row } from './mariadb.js';
import { installWordPress, password, startWordPress, type Prepare } from './wordpress.js';

/** The paths of most flows. Over standard input and output, each flow starts a gateway. */
export const overHttp = allPaths.filter((path) => path !== 'mcp-stdio');

export const themeFile = 'wp-content/themes/twentytwentythree/style.css';

const admin = 'ada';
const pages = [
  { path: '?p=1' },
  { path: '?s=train' },
  { path: 'wp-login.php' },
  { path: 'wp-admin/', as: admin },
  { path: 'wp-admin/media-new.php?browser-uploader', as: admin },
  { path: 'wp-admin/options-general.php', as: admin },
  { path: 'wp-admin/post-new.php', as: admin },
  { path: 'wp-admin/profile.php', as: admin },
  { path: 'wp-admin/theme-editor.php?file=style.css&theme=twentytwentythree', as: admin },
];

/** Passwords are never parameters in the gateway: the operator configures them. */
const config = { values: { log_in: { pwd: password } } };

export interface Blog extends Application {
  readonly query: (sql: string) => Promise<readonly Row[]>;
  /** The first value of the first row. */
  value(sql: string): Promise<string | null | undefined>;
  /** The text of a file of the site. */
  read(path: string): string;
  /** Ends all sessions of a user, as "Log Out Everywhere Else" does. */
  endSessions(login: string): Promise<void>;
  /** Makes all nonces invalid, as a day does. */
  expireNonces(): Promise<void>;
}

/** Browsers send line breaks as CR LF, and WordPress stores them. */
export const withLineFeeds = (text: string | null | undefined): string => (text ?? '').replaceAll('\r\n', '\n');

const userId = (login: string): string => `(SELECT ID FROM wp_users WHERE user_login = '${login}')`;

/** A user who may only read, with the password of the administrator. */
const subscriber = [
  `INSERT INTO wp_users (user_login, user_pass, user_nicename, user_email, display_name, user_registered)
    SELECT 'bob', user_pass, 'bob', 'bob@example.com', 'Bob', NOW() FROM wp_users WHERE user_login = '${admin}'`,
  `INSERT INTO wp_usermeta (user_id, meta_key, meta_value)
    VALUES (${userId('bob')}, 'wp_capabilities', 'a:1:{s:10:"subscriber";b:1;}')`,
];

async function logIn(visitor: Visitor, account: string): Promise<void> {
  await visitor.read('wp-login.php'); // sets the cookie that tests whether cookies work
  const form = { log: account, pwd: password, testcookie: '1', redirect_to: 'wp-admin/profile.php' };
  const text = await (await visitor.submit('wp-login.php', form)).text();
  if (!text.includes('wp-admin-bar-logout')) throw new Error(`${account} could not log in: ${text}`);
}

/** Starts an installed WordPress with an administrator and a subscriber. */
export async function startBlog(prepare?: Prepare): Promise<Blog> {
  const wordpress = await startWordPress(prepare);
  const { site, files, database } = wordpress;
  await installWordPress(wordpress, new Visitor(site));
  for (const sql of subscriber) await database.query(sql);
  const { query } = database;
  return {
    name: 'WordPress',
    site,
    pages,
    config,
    signIn: logIn,
    async signInSession(session, account) {
      const { error } = await session.call('log_in', { log: account });
      if (error) throw new Error(error.message);
    },
    query,
    value: async (sql) => Object.values((await query(sql))[0] ?? {})[0],
    read: (path) => readFileSync(join(files, path), 'utf8'),
    async endSessions(login) {
      await query(`DELETE FROM wp_usermeta WHERE meta_key = 'session_tokens' AND user_id = ${userId(login)}`);
    },
    async expireNonces() {
      await query(`INSERT INTO wp_options (option_name, option_value) VALUES ('nonce_generation', '1')
        ON DUPLICATE KEY UPDATE option_value = option_value + 1`);
    },
  };
}
