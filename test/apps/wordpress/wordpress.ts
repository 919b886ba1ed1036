import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../server.js';
import type { Visitor } from '../visitor.js';
import { startMariaDb, type Database } from './mariadb.js';
import { servePhp } from './php.js';

const run = promisify(execFile);
const site = join(import.meta.dirname, 'site');
const dist = resolve(import.meta.dirname, '../../../dist');

export const password = 'correct horse';

export interface WordPress {
  /** The address of the site, with a slash at its end. */
  readonly site: string;
  /** The folder that is served. */
  readonly files: string;
  readonly database: Database;
}

/** Copies the files of the package: WordPress writes into its own folder. */
async function copyFiles(folder: string): Promise<void> {
  await run('cp', ['-rL', '/usr/share/wordpress/.', folder]);
  await rm(join(folder, 'wp-config.php')); // Debian's configuration, for sites in /etc/wordpress
  const plugins = join(folder, 'wp-content/mu-plugins');
  await mkdir(join(plugins, 'webmcp'), { recursive: true });
  await copyFile(join(site, 'webmcp.php'), join(plugins, 'webmcp.php'));
  await copyFile(join(site, 'tools.html'), join(plugins, 'webmcp/tools.html'));
  await symlink(dist, join(folder, 'webmcp'));
}

/** Changes the files of the site before they are served. */
export type Prepare = (files: string) => Promise<void>;

/** Starts WordPress with an empty database. It is not installed yet. */
export async function startWordPress(prepare: Prepare = () => Promise.resolve()): Promise<WordPress> {
  const folder = temporaryFolder('wordpress');
  const files = join(folder, 'site');
  await mkdir(files);
  const [database] = await Promise.all([startMariaDb(folder, 'wordpress'), copyFiles(files)]);
  await prepare(files);
  return { site: await servePhp(files, { auto_prepend_file: join(site, 'annotate.php') }), files, database };
}

/** The input of the tool that connects the database. */
export const connection = ({ socket }: Database): Readonly<Record<string, string>> => ({
  dbname: 'wordpress',
  uname: 'root',
  pwd: '',
  dbhost: `localhost:${socket}`,
  prefix: 'wp_',
});

/** The input of the tool that installs WordPress, without the password. */
export const firstUser = { user_name: 'ada', admin_email: 'ada@example.com' } as const;

/** Installs WordPress over HTTP, as a person. The tests of the installation do this by its tools. */
export async function installWordPress({ database }: WordPress, visitor: Visitor): Promise<void> {
  await visitor.submit('wp-admin/setup-config.php?step=2', { ...connection(database), noapi: '1', language: '' });
  const passwords = { admin_password: password, admin_password2: password, pw_weak: 'on' };
  const user = { weblog_title: 'Zug & Zeit', ...firstUser, ...passwords };
  const text = await (await visitor.submit('wp-admin/install.php?step=2', user)).text();
  if (!text.includes('WordPress has been installed')) throw new Error(text);
}
