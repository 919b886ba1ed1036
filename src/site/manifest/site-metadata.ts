import { relative } from 'node:path';
import { isRecord } from '../../json.js';
import { maxConfigBytes } from '../limits.js';
import { parseJson } from '../pages/read-records.js';
import { findFileUp, readTextFile } from '../pages/read-text.js';
import { UsageError } from '../usage-error.js';
import type { Manifest } from './manifest.js';

type SiteMetadata = Pick<Manifest, 'name' | 'description' | 'version'>;

/**
 * Completes the name and version from the nearest package.json in the folder or above. Its description is not used,
 * because it often describes a program rather than the site.
 *
 * @throws {UsageError} if package.json is invalid: a manifest with a default version would look like a release
 */
export async function readSiteMetadata(
  folder: string,
  cwd: string,
  given: { readonly [Name in keyof SiteMetadata]?: string | undefined },
): Promise<SiteMetadata> {
  const names = ['name', 'version'] as const;
  const file = names.some((name) => given[name] === undefined) ? findFileUp('package.json', folder) : undefined;
  const found = file === undefined ? {} : await readPackage(file, relative(cwd, file));
  const defaults = { name: 'site', version: '0.0.0' };
  const valueOf = (name: (typeof names)[number]): string => {
    const value = given[name] ?? found[name];
    return typeof value === 'string' ? value : defaults[name];
  };
  return { name: valueOf('name'), description: given.description ?? '', version: valueOf('version') };
}

async function readPackage(path: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  const advice = 'Correct it, or set --name and --manifest-version.';
  const invalid = (): UsageError => new UsageError(`Cannot read ${file}: it is not a JSON object. ${advice}`);
  const parsed = parseJson(await readTextFile(path, file, maxConfigBytes), invalid);
  if (isRecord(parsed)) return parsed;
  throw invalid();
}
