import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '../../support/at-end.js';
import { installNodeVersions } from '../../../tools/release/node-versions.mjs';
import { execute, page, root } from './checkout.js';

/** A temporary folder in the checkout, so that its files find the packages of the checkout. */
export function folderInCheckout(name: string): string {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', `${name}-`));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

interface Tarballs {
  readonly forms: string;
  readonly gateway: string;
}

/** Packs both packages as they would be published. */
async function pack(folder: string): Promise<Tarballs> {
  const args = ['pack', '--silent', '--pack-destination', folder, '.', './gateway'];
  const { stdout } = await execute('npm', args, { cwd: root });
  const [forms = '', gateway = ''] = stdout.trim().split('\n');
  return { forms: join(folder, forms), gateway: join(folder, gateway) };
}

const installingNode = installNodeVersions(); // while the packages are packed and installed

export const tarballs = await pack(temporaryFolder());

/** Installs tarballs as a user does, into a folder with only a page. */
async function install(...packages: readonly string[]): Promise<string> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(cwd, 'index.html'), page);
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await execute('npm', ['install', ...flags, ...packages], { cwd });
  return cwd;
}

/** A folder in which only webmcp-forms is installed, one with both packages, and the paths of versions of Node.js. */
export const [formsFolder, bothFolder, nodePaths] = await Promise.all([
  install(tarballs.forms),
  install(tarballs.forms, tarballs.gateway),
  installingNode,
]);

/** A module that fails if an entry has no exports. */
export const importsOf = (entries: readonly string[]): string =>
  entries
    .map((entry) => `if (Object.keys(await import('${entry}')).length === 0) throw new Error('${entry}');`)
    .join('\n');

/** Unpacks a tarball as `node_modules/NAME` of a folder, and returns the path. */
export async function unpack(tarball: string, folder: string, name: string): Promise<string> {
  const path = join(folder, 'node_modules', name);
  mkdirSync(path, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', path, '--strip-components=1']);
  return path;
}

/** The URL in the log of a gateway that has started. */
export async function listeningUrl(log: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of log) {
    text += String(chunk);
    const url = /http:\/\/127\.0\.0\.1:\d+\/?/.exec(text)?.[0];
    if (url && text.includes('\n')) return url;
  }
  throw new Error(`The gateway did not start: ${text}`);
}

export interface PackageFile {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly customElements?: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

export const packageFileOf = (path: string): PackageFile =>
  JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as PackageFile;

/** The paths of all files in a folder, relative to it. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
