import { relative } from 'node:path';
import * as nearestPackage from 'empathic/package';
import { readTextFile } from '../pages/read-text.js';
import { UsageError } from '../usage-error.js';

/** What a manifest says of the whole site. */
export interface SiteWords {
  readonly name: string;
  readonly description: string;
  readonly version: string;
}

/**
 * What the caller gave; for what is missing, the package.json that is nearest to the folder, upwards.
 *
 * A package.json that cannot be read is an error: a manifest with a made-up version would look like a release.
 */
export async function siteWords(folder: string, cwd: string, given: Partial<SiteWords>): Promise<SiteWords> {
  const { name, description, version } = given;
  if (name !== undefined && description !== undefined && version !== undefined) return { name, description, version };
  const file = nearestPackage.up({ cwd: folder });
  const found = file === undefined ? {} : await readPackage(file, relative(cwd, file));
  return { name: 'site', description: '', version: '0.0.0', ...textsOf(found), ...given };
}

const textsOf = ({ name, description, version }: Readonly<Record<string, unknown>>): Partial<SiteWords> => ({
  ...(typeof name === 'string' && { name }),
  ...(typeof description === 'string' && { description }),
  ...(typeof version === 'string' && { version }),
});

async function readPackage(at: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  const parsed = parseJson(await readTextFile(at, file));
  if (typeof parsed === 'object' && parsed !== null) return parsed as Readonly<Record<string, unknown>>;
  const advice = 'correct it, or give --name, --description and --manifest-version';
  throw new UsageError(`cannot read ${file}: it is not a JSON object: ${advice}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
