import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../tools/ports.mjs';
import { rubyPath } from '../../../tools/programs.mjs';
import { allPaths, type Application, type Path } from '../flows.js';
import { responds, startServer, temporaryFolder } from '../server.js';
import { Visitor } from '../visitor.js';

const run = promisify(execFile);
const program = '/usr/share/redmine';
const dist = resolve(import.meta.dirname, '../../../dist');
const recipe = resolve(import.meta.dirname, '../../../docs/recipes/redmine.md');

export const password = 'correct horse';

/** The account that a path deletes. */
export const leaver = (path: string): string => `leaver-${path}`;

/** The paths whose calls delete and move issues, each its own. */
const paths: readonly Path[] = ['chromium', 'webtools', 'mcp-http'];

const subjects = [
  'The timetable is wrong',
  'Contested',
  'To watch and resolve',
  ...['To delete', 'To delete with hours', 'To move'].flatMap((subject) =>
    paths.map((path) => `${subject} by ${path}`),
  ),
];

/** The ID of an issue. */
export const issueOf = (subject: string): number => subjects.indexOf(subject) + 1;

export interface Redmine extends Application {
  /** Reads rows of the database. */
  readonly query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** The blocks of code of the recipe, by the path in their first line. */
function recipeFiles(): readonly (readonly [string, string])[] {
  const blocks = [...readFileSync(recipe, 'utf8').matchAll(/^```(?:ruby|erb)\n([^]*?)^```$/gm)].map(
    ([, code = '']) => code,
  );
  return blocks.map((code) => [/plugins\/\S+/.exec(code)?.[0] ?? '', code]);
}

/** Copies Redmine to a folder, with the plugin of the recipe, a database, and the path of its gems. */
function install(folder: string): void {
  cpSync(program, folder, { recursive: true, filter: (path) => !/\/(?:Gemfile\.lock|instances|help)$/.test(path) });
  const instance = join(folder, 'instances/default');
  const folders = ['tmp', ...['config', 'files', 'log', 'tmp'].map((name) => join('instances/default', name))];
  for (const name of folders) mkdirSync(join(folder, name), { recursive: true });
  const database = { adapter: 'sqlite3', database: databaseOf(folder), timeout: 20_000 };
  rmSync(join(folder, 'config/database.yml'), { force: true });
  writeFileSync(join(instance, 'config/database.yml'), JSON.stringify({ production: database }));
  writeFileSync(join(instance, 'config/secret_key.txt'), 'a key of the tests'.repeat(4));
  writeFileSync(join(folder, 'Gemfile.local'), "gem 'webrick'\n");
  const gemfile = join(folder, 'Gemfile');
  writeFileSync(gemfile, readFileSync(gemfile, 'utf8').replace(`'${program}/`, `'${folder}/`));
  const contested = readFileSync(join(import.meta.dirname, 'contested.rb'), 'utf8');
  for (const [name, code] of [...recipeFiles(), ['plugins/contested/init.rb', contested] as const]) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
  symlinkSync(dist, join(folder, 'public/webmcp'));
}

const databaseOf = (folder: string): string => join(folder, 'instances/default/redmine.sqlite');

const environment = {
  RAILS_ENV: 'production',
  REDMINE_INSTANCE: 'default',
  REDMINE_PASSWORD: password,
  REDMINE_LEAVERS: allPaths.map(leaver).join(' '),
  REDMINE_ISSUES: JSON.stringify(subjects),
};

async function signIn(visitor: Visitor, username: string): Promise<void> {
  const page = await visitor.read('login');
  const token = /<meta name="csrf-token" content="([^"]*)"/.exec(page)?.[1] ?? '';
  const text = await (await visitor.submit('login', { authenticity_token: token, username, password })).text();
  if (!text.includes(`class="user active" href="/users/`)) throw new Error(`${username} could not log in: ${text}`);
}

const pages: Application['pages'] = [
  { path: 'login' },
  { path: 'search' },
  { path: 'projects/trains/issues/new', as: 'grace' },
  { path: 'projects/secret/issues/new', as: 'ada' },
  { path: 'projects/new', as: 'ada' },
  ...subjects
    .filter((subject) => !subject.endsWith('chromium'))
    .map((subject) => ({ path: `issues/${issueOf(subject)}`, as: 'grace' })),
  { path: 'projects/trains/wiki/Timetable/edit', as: 'grace' },
  { path: 'projects/trains/wiki/Old/rename', as: 'grace' },
  { path: 'projects/trains/files/new', as: 'grace' },
  { path: 'issues/imports/new?project_id=trains', as: 'grace' },
  { path: 'my/account', as: 'grace' },
  { path: 'my/account/destroy', as: 'grace' },
];

/** The configuration of the recipe. */
const config = {
  values: { log_in: { password } },
  fresh: { edit_wiki_page: ['content[version]'], 'edit_issue-issues-3': ['was_default_status'] },
};

/** Creates the database and starts Redmine with the plugin of the recipe. */
export async function startRedmine(): Promise<Redmine> {
  const folder = temporaryFolder('redmine');
  install(folder);
  const ruby = rubyPath() ?? '';
  const options = { cwd: folder, env: { ...process.env, ...environment } };
  await run(ruby, ['bin/rails', 'runner', join(import.meta.dirname, 'seed.rb')], options);
  const port = await freePort();
  const site = `http://127.0.0.1:${port}/`;
  await startServer(ruby, ['bin/rails', 'server', '-u', 'webrick', '-b', '127.0.0.1', '-p', `${port}`], {
    cwd: folder,
    env: environment,
    isReady: () => responds(`${site}login`),
  });
  const query: Redmine['query'] = async (sql) => {
    const args = ['-json', '-cmd', '.timeout 20000', databaseOf(folder), sql];
    return JSON.parse((await run('sqlite3', args)).stdout || '[]') as Awaited<ReturnType<Redmine['query']>>;
  };
  return {
    name: 'Redmine',
    site,
    pages,
    config,
    flags: ['--read-forms', '--continue', '/imports/**', '--continue', '/issues/*'],
    query,
    signIn,
    async signInSession(session, username) {
      const { error } = await session.call('log_in', { username });
      if (error) throw new Error(`${username} is not signed in: ${error.message}`);
    },
  };
}
