import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonPath } from '../../../tools/programs.mjs';
import { allPaths, type Application } from '../flows.js';
import type { Visitor } from '../visitor.js';
import { freePort } from '../../../tools/ports.mjs';
import { responds, startServer, temporaryFolder } from '../server.js';

const run = promisify(execFile);
/** The folder of the project. */
export const project = fileURLToPath(new URL('.', import.meta.url));
const dist = fileURLToPath(new URL('../../../dist', import.meta.url));
const python = pythonPath() ?? '';

export const password = 'correct horse';
export const newPassword = 'battery staple';

/** The account whose password a path changes. */
export const changer = (path: string): string => `changer-${path}`;

const accounts = ['ada', 'sleepy', ...allPaths.map(changer)];

export interface Library extends Application {
  /** Reads rows of the database. */
  query(sql: string, ...parameters: readonly (string | number)[]): Promise<readonly unknown[]>;
  /** Changes the database without the application. */
  execute(sql: string, ...parameters: readonly (string | number)[]): Promise<void>;
  readonly log: () => string;
  signIn(visitor: Visitor, account: string, password?: string): Promise<void>;
}

// Each row is an object. The program commits, so that it can also change the database.
const sqlite = `
import json, sqlite3, sys
path, sql, *parameters = sys.argv[1:]
with sqlite3.connect(path, timeout=20) as connection:
    connection.row_factory = sqlite3.Row
    print(json.dumps([dict(row) for row in connection.execute(sql, parameters)]))
`;

/** The operator's configuration, with the passwords of the accounts by tool. */
const config = {
  values: {
    sign_in: { password },
    change_password: { old_password: password, new_password1: newPassword, new_password2: newPassword },
  },
};

const pages = [
  { path: 'accounts/login/' },
  { path: 'accounts/password_change/', as: 'ada' },
  { path: 'admin/library/author/add/', as: 'ada' },
  { path: 'admin/library/book/add/', as: 'ada' },
  { path: 'admin/library/book/2/change/', as: 'ada' },
  { path: 'admin/library/book/?in_print__exact=1', as: 'ada' },
  ...['en', 'de', 'ar', 'ja'].map((code) => ({ path: `${code}/review/` })),
  { path: 'manuscript/', as: 'ada' },
  { path: 'order/', as: 'ada' },
  { path: 'search/' },
  { path: 'crash/' },
  { path: 'poll/1/' },
  { path: 'poll/3/' },
];

/** Creates the database and starts Django's server. @param cwd - the folder of the project, or of a copy */
export async function startLibrary(cwd = project): Promise<Library> {
  const folder = temporaryFolder('library');
  const env = { ...process.env, LIBRARY_DATA: folder, WEBMCP_FORMS_DIST: dist, PYTHONDONTWRITEBYTECODE: '1' };
  const options = { cwd, env };
  await run(python, ['manage.py', 'migrate', '--run-syncdb', '--verbosity', '0'], options);
  await run(python, ['seed.py', password, ...accounts], options);
  const port = await freePort();
  const site = `http://127.0.0.1:${port}/`;
  const { log } = await startServer(python, ['manage.py', 'runserver', '--noreload', '--insecure', `${port}`], {
    ...options,
    isReady: () => responds(site),
  });
  const query: Library['query'] = async (sql, ...parameters) => {
    const args = ['-c', sqlite, `${folder}/library.sqlite`, sql, ...parameters.map(String)];
    return JSON.parse((await run(python, args)).stdout) as readonly unknown[];
  };
  return {
    name: 'Django',
    site,
    log,
    pages,
    config,
    query,
    execute: async (sql, ...parameters) => void (await query(sql, ...parameters)),
    async signIn(visitor, username, secret = password) {
      await visitor.read('accounts/login/');
      const csrfmiddlewaretoken = visitor.cookie('csrftoken');
      const response = await visitor.submit('accounts/login/', { csrfmiddlewaretoken, username, password: secret });
      const text = await response.text();
      if (!text.includes(`Welcome, ${username}.`)) throw new Error(`${username} is not signed in: ${text}`);
    },
    async signInSession(session, username) {
      const { error } = await session.call('sign_in', { username });
      if (error) throw new Error(`${username} is not signed in: ${error.message}`);
    },
  };
}
