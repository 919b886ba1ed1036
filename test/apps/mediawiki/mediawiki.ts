import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { phpPath } from '../../../tools/programs.mjs';
import { isLive, type Application, type Path } from '../flows.js';
import { temporaryFolder } from '../server.js';
import { Visitor } from '../visitor.js';
import { servePhp } from '../wordpress/php.js';

const run = promisify(execFile);
const program = '/usr/share/mediawiki';
const dist = resolve(import.meta.dirname, '../../../dist');
const site = join(import.meta.dirname, 'site');

export const password = 'correct horse';

/** The users besides Ada, who is the administrator of the installation. */
const users = ['Grace', 'Leaver'];

const texts: Readonly<Record<string, string>> = {
  Board: 'Visitors write here.',
  About: 'This wiki is about trains.',
  Timetable: 'The railway runs every hour.',
  Plan: 'A new line to the coast.',
  Contested: 'The text that both have opened.',
  'Talk:Timetable': '== Sundays ==\nWhat about Sundays?',
};

export interface Revision {
  readonly id: number;
  readonly timestamp: string;
  readonly user: string;
  readonly comment: string;
  readonly text: string;
}

export interface MediaWikiOptions {
  /** Lines of LocalSettings.php. */
  readonly settings?: string;
  /** Whether the operator has excluded what visitors write. @default true */
  readonly excludesVisitors?: boolean;
}

export interface MediaWiki extends Application {
  /** The revisions of a page, the latest one first, as MediaWiki's API returns them. */
  history(title: string): Promise<readonly Revision[]>;
  /** The stored text of a page. Undefined if the page does not exist. */
  text(title: string): Promise<string | undefined>;
  /** Saves a page through MediaWiki's API, as Grace. */
  save(title: string, text: string): Promise<void>;
  /** The titles that a visitor watches. */
  watchlist(visitor: Visitor): Promise<readonly string[]>;
  /** The size of an uploaded file. Undefined if it does not exist. */
  fileSize(name: string): Promise<number | undefined>;
  /** The user of a visitor and all preferences, as MediaWiki's API returns them. */
  user(visitor: Visitor): Promise<{ readonly name: string; readonly options: Readonly<Record<string, unknown>> }>;
}

/** Installs MediaWiki into a folder: its database, its settings, and links to the files of the package. */
async function install(folder: string, { settings = '', excludesVisitors = true }: MediaWikiOptions): Promise<void> {
  const [files, data] = [join(folder, 'site'), join(folder, 'data')];
  mkdirSync(files);
  mkdirSync(data);
  mkdirSync(join(folder, 'uploads'));
  const isOwn = (name: string): boolean => !/^(?:LocalSettings\.php|images|config|mw-config|maintenance)$/.test(name);
  for (const name of readdirSync(program).filter(isOwn)) symlinkSync(join(program, name), join(files, name));
  symlinkSync(dist, join(files, 'webmcp'));
  const database = ['--dbtype', 'sqlite', '--dbpath', data, '--dbname', 'wiki'];
  const urls = ['--server', 'http://127.0.0.1', '--scriptpath', ''];
  await maintain(folder, 'install', [...database, ...urls, '--pass', password, '--confpath', folder, 'Wiki', 'Ada']);
  const included = ['settings', 'webmcp', ...(excludesVisitors ? ['visitors'] : [])];
  const lines = included.map((name) => `require '${join(site, name)}.php';\n`).join('');
  const uploads = `$wgUploadDirectory = '${join(folder, 'uploads')}';\n`;
  appendFileSync(settingsOf(folder), `\n${lines}${uploads}${settings}\n`);
  for (const user of users) await maintain(folder, 'createAndPromote', [user, password]);
}

const settingsOf = (folder: string): string => join(folder, 'LocalSettings.php');

const maintain = (folder: string, script: string, args: readonly string[]): Promise<unknown> =>
  run(phpPath() ?? '', [join(program, 'maintenance', `${script}.php`), ...args], {
    env: { ...process.env, MW_CONFIG_FILE: settingsOf(folder) },
  });

async function query<Answer>(visitor: Visitor, parameters: Readonly<Record<string, string>>): Promise<Answer> {
  const all = { action: 'query', format: 'json', formatversion: '2', ...parameters };
  return JSON.parse(await visitor.read(`api.php?${String(new URLSearchParams(all))}`)) as Answer;
}

async function signIn(visitor: Visitor, account: string): Promise<void> {
  const page = await visitor.read('index.php?title=Special:UserLogin');
  const wpLoginToken = /name="wpLoginToken"[^>]* value="([^"]*)"/.exec(page)?.[1] ?? '';
  const form = { wpName: account, wpPassword: password, authAction: 'login', wpLoginToken, wpEditToken: '+\\' };
  const text = await (await visitor.submit('index.php?title=Special:UserLogin', form)).text();
  if (!text.includes(`"wgUserName":"${account}"`)) throw new Error(`${account} could not log in: ${text}`);
}

async function save(visitor: Visitor, title: string, text: string): Promise<void> {
  interface Tokens {
    readonly query: { readonly tokens: { readonly csrftoken: string } };
  }
  const { tokens } = (await query<Tokens>(visitor, { meta: 'tokens' })).query;
  const form = { action: 'edit', format: 'json', title, text, token: tokens.csrftoken };
  const answer = await (await visitor.submit('api.php', form)).text();
  if (!answer.includes('"result":"Success"')) throw new Error(`${title} was not saved: ${answer}`);
}

async function readWatchlist(visitor: Visitor): Promise<readonly string[]> {
  interface Answer {
    readonly watchlistraw: readonly { readonly title: string }[];
  }
  const { watchlistraw } = await query<Answer>(visitor, { list: 'watchlistraw', wrlimit: '50' });
  return watchlistraw.map(({ title }) => title);
}

async function readFileSize(visitor: Visitor, name: string): Promise<number | undefined> {
  interface Answer {
    readonly query: { readonly pages: readonly [{ readonly imageinfo?: readonly [{ readonly size: number }] }] };
  }
  const parameters = { titles: `File:${name}`, prop: 'imageinfo', iiprop: 'size' };
  return (await query<Answer>(visitor, parameters)).query.pages[0].imageinfo?.[0].size;
}

async function readHistory(visitor: Visitor, title: string): Promise<readonly Revision[]> {
  interface Page {
    readonly revisions?: readonly (Omit<Revision, 'id' | 'text'> & {
      readonly revid: number;
      readonly slots: { readonly main: { readonly content: string } };
    })[];
  }
  const parameters = {
    prop: 'revisions',
    titles: title,
    rvslots: 'main',
    rvlimit: '50',
    rvprop: 'ids|timestamp|content|user|comment',
  };
  const { pages } = (await query<{ readonly query: { readonly pages: readonly [Page] } }>(visitor, parameters)).query;
  const revisions = pages[0].revisions ?? [];
  return revisions.map(({ revid, timestamp, user, comment, slots }) => ({
    id: revid,
    timestamp,
    user,
    comment,
    text: slots.main.content,
  }));
}

/** Passwords are never parameters in the gateway: the operator configures them. */
const config = {
  values: { log_in: { wpPassword: password }, register: { wpPassword: password, retype: password } },
  fresh: { change_preferences: ['wpServerTime'] },
};

const pages = [
  { path: 'index.php?title=Timetable' },
  { path: 'index.php?title=Special:UserLogin&returnto=Special:Watchlist' },
  { path: 'index.php?title=Special:CreateAccount' },
  { path: 'index.php?title=Sandbox&action=edit' },
  { path: 'index.php?title=Contested&action=edit' },
  { path: 'index.php?title=Talk:Timetable&action=edit&section=new' },
  { path: 'index.php?title=Plan&action=edit', as: 'Ada' },
  { path: 'index.php?title=Special:Preferences', as: 'Grace' },
  { path: 'index.php?title=Special:UserLogout', as: 'Ada' },
];

/** Installs and starts MediaWiki with some pages and users. */
export async function startMediaWiki(options: MediaWikiOptions = {}): Promise<MediaWiki> {
  const folder = temporaryFolder('mediawiki');
  await install(folder, options);
  const url = await servePhp(join(folder, 'site'), {}, { MW_CONFIG_FILE: settingsOf(folder) });
  const grace = new Visitor(url);
  await signIn(grace, 'Grace');
  for (const [title, text] of Object.entries(texts)) await save(grace, title, text);
  return {
    name: 'MediaWiki',
    site: url,
    pages,
    config,
    signIn,
    async signInSession(session, account) {
      const { error } = await session.call('log_in', { wpName: account });
      if (error) throw new Error(error.message);
    },
    history: (title) => readHistory(grace, title),
    text: async (title) => (await readHistory(grace, title))[0]?.text,
    save: (title, text) => save(grace, title, text),
    watchlist: readWatchlist,
    fileSize: (name) => readFileSize(grace, name),
    async user(visitor) {
      const parameters = { meta: 'userinfo', uiprop: 'options|realname' };
      interface Info {
        readonly query: { readonly userinfo: Awaited<ReturnType<MediaWiki['user']>> };
      }
      return (await query<Info>(visitor, parameters)).query.userinfo;
    },
  };
}

/** The input for a path: in a browser, it includes the password. */
export const withPassword = (path: Path, input: object, secret: object): object =>
  isLive(path) ? { ...input, ...secret } : input;
