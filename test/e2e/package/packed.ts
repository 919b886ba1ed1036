import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../../support/at-end.js';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const execute = promisify(execFile);

/** A temporary folder in the checkout, so that what it contains finds the packages of the checkout. */
export function folderInCheckout(name: string): string {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', `${name}-`));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export interface Tarballs {
  readonly forms: string;
  readonly gateway: string;
}

/** Packs both packages as they would be published. */
export async function pack(folder: string): Promise<Tarballs> {
  const args = ['pack', '--silent', '--pack-destination', folder, '.', './gateway'];
  const { stdout } = await execute('npm', args, { cwd: root });
  const [forms = '', gateway = ''] = stdout.trim().split('\n');
  return { forms: join(folder, forms), gateway: join(folder, gateway) };
}

/** Unpacks a tarball as `node_modules/NAME` of a folder, and returns the path. */
export async function unpack(tarball: string, folder: string, name: string): Promise<string> {
  const path = join(folder, 'node_modules', name);
  mkdirSync(path, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', path, '--strip-components=1']);
  return path;
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
