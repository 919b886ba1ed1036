import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { phpPath } from '../../../tools/programs.mjs';
import { isLive, type Application, type Path } from '../flows.js';
import { temporaryFolder } from '../server.js';
import { servePhp } from '../wordpress/php.js';

const run = promisify(execFile);
const site = join(import.meta.dirname, 'site');
const dist = resolve(import.meta.dirname, '../../../dist');

export const password = 'correct horse';
/** The hash of the password, as PHP's password_hash writes it. */
const hash = '$2y$04$XzzuNiI7tli9NrNgPVL7uuP8xgXxqOjuDXTHoobEA0Wc0KLoSiPNm';

const names: Readonly<Record<string, string>> = { ada: 'Ada Lovelace', leaver: 'Lee Ver' };

/** A user in the format of users.auth.php. */
const userLine = (login: string): string =>
  `${login}:${hash}:${names[login] ?? login}:${login}@example.com:admin,user\n`;

const later = (): Date => new Date(Date.now() + 60_000);

const configuration = (language: string): string => `<?php
$conf['title'] = 'Wiki';
$conf['lang'] = '${language}';
$conf['savedir'] = './data';
$conf['useacl'] = 1;
$conf['superuser'] = '@admin';
$conf['autopasswd'] = 0;
$conf['updatecheck'] = 0;
$conf['mailfrom'] = 'wiki@example.com';
`;

/** Everybody edits, except in the namespace "staff". */
const permissions = `# <?php exit()?>
*	@ALL	8
staff:*	@ALL	0
staff:*	@user	8
`;

const texts = {
  start: '====== Welcome ======\n\nThis wiki is about trains.\n',
  timetable: '====== Timetable ======\n\nThe railway runs every hour.\n',
  shared: 'The text that both have opened.\n',
  'staff:plan': '====== Plan ======\n\nA new line to the coast.\n',
};

const folders = ['attic', 'cache', 'index', 'locks', 'log', 'media', 'media_attic', 'media_meta', 'meta', 'tmp'];

export interface DokuWiki extends Application {
  /** The stored text of a page. Undefined if the page does not exist. */
  page(id: string): string | undefined;
  /** A user as it is stored: login, hash, name, e-mail address and groups. */
  user(login: string): readonly string[] | undefined;
  /** Deletes a user, and ends the sessions as the user manager does. */
  deleteUser(login: string): void;
  addUser(login: string): void;
  /** Changes a page a minute later than all others. */
  changePage(id: string, text: string): void;
  /** Removes the locks of the pages that somebody edits. */
  unlock(): void;
}

/** Copies the files of the package. Its own configuration stores pages outside of the folder. */
function copyFiles(files: string): void {
  const options = { recursive: true, dereference: true };
  const isCode = (path: string): boolean => !/\/(preload\.php|\.htaccess|plugins\/testing)$/.test(path);
  cpSync('/usr/share/dokuwiki', files, { ...options, filter: isCode });
  const isShared = (path: string): boolean => !/\/(local\.php|(acl|users)\.auth\.php)$/.test(path);
  cpSync('/etc/dokuwiki', join(files, 'conf'), { ...options, filter: isShared });
  symlinkSync(dist, join(files, 'webmcp'));
  for (const name of ['meta.html', 'footer.html']) cpSync(join(site, name), join(files, 'lib/tpl/dokuwiki', name));
}

function writeContent(files: string, language: string): void {
  for (const folder of folders) mkdirSync(join(files, 'data', folder), { recursive: true });
  const write = (path: string, text: string): void => writeFileSync(join(files, path), text);
  write('conf/local.php', configuration(language));
  write('conf/acl.auth.php', permissions);
  write('conf/users.auth.php', `# <?php exit()?>\n${userLine('ada')}${userLine('leaver')}`);
  mkdirSync(join(files, 'data/pages/staff'), { recursive: true });
  for (const [id, text] of Object.entries(texts)) write(`data/pages/${id.replace(':', '/')}.txt`, text);
}

const pages = [
  { path: 'doku.php?id=start' },
  { path: 'doku.php?id=staff:plan&do=login' },
  { path: 'doku.php?id=start&do=register' },
  { path: 'doku.php?id=new&do=edit' },
  { path: 'doku.php?id=staff:plan&do=edit', as: 'ada' },
];

/** Passwords are never parameters in the gateway: the operator configures them. */
const config = { values: { log_in: { p: password }, register: { pass: password, passchk: password } } };

/** Starts DokuWiki with some pages and users. */
export async function startDokuWiki(language = 'en'): Promise<DokuWiki> {
  const files = join(temporaryFolder('dokuwiki'), 'site');
  copyFiles(files);
  writeContent(files, language);
  await run(phpPath() ?? '', [join(files, 'bin/indexer.php'), '--quiet']);
  const url = await servePhp(files);
  const pathOf = (id: string): string => join(files, 'data/pages', `${id.replaceAll(':', '/')}.txt`);
  const usersFile = join(files, 'conf/users.auth.php');
  const lines = (): readonly string[] => readFileSync(usersFile, 'utf8').split('\n');
  return {
    name: 'DokuWiki',
    site: url,
    pages,
    config,
    async signIn(visitor, account) {
      const form = { do: 'login', id: 'staff:plan', u: account, p: password };
      const text = await (await visitor.submit('doku.php?id=staff:plan', form)).text();
      if (!text.includes('A new line to the coast')) throw new Error(`${account} could not log in: ${text}`);
    },
    async signInSession(session, account) {
      const { error } = await session.call('log_in', { u: account });
      if (error) throw new Error(error.message);
    },
    page: (id) => (existsSync(pathOf(id)) ? readFileSync(pathOf(id), 'utf8') : undefined),
    user: (login) =>
      lines()
        .map((line) => line.split(':'))
        .find(([name]) => name === login),
    unlock: () => {
      // The indexer's lock is a directory, which DokuWiki itself removes; the locks of pages are files.
      for (const lock of readdirSync(join(files, 'data/locks'), { withFileTypes: true })) {
        if (lock.isFile()) rmSync(join(files, 'data/locks', lock.name), { force: true });
      }
    },
    deleteUser(login) {
      writeFileSync(
        usersFile,
        lines()
          .filter((line) => !line.startsWith(`${login}:`))
          .join('\n'),
      );
      const purged = join(files, 'data/cache/sessionpurge');
      writeFileSync(purged, '');
      utimesSync(purged, later(), later());
    },
    addUser: (login) => appendFileSync(usersFile, userLine(login)),
    changePage(id, text) {
      writeFileSync(pathOf(id), text);
      utimesSync(pathOf(id), later(), later());
    },
  };
}

/** The input for a path: in a browser, it includes the password. */
export const withPassword = (path: Path, input: object, secret: object): object =>
  isLive(path) ? { ...input, ...secret } : input;
