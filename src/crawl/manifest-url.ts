import { readBody } from '../http/body.js';
import { maxManifestBytes } from '../site/limits.js';
import type { Manifest } from '../site/manifest/manifest.js';
import { parseManifest } from '../site/manifest/read-manifest.js';
import { decodeUtf8 } from '../site/pages/read-text.js';
import { UsageError } from '../site/usage-error.js';
import { SiteClient } from './client/site-client.js';
import { problemOf, readError, RequestError, requestErrors } from './problem.js';
import { checkHeaders, checkOrigins, parseNamed, type ReadSiteOptions } from './read-site.js';
import { RunSecrets } from './secrets.js';

export type ManifestUrlOptions = Pick<ReadSiteOptions, 'headers' | 'insecure'>;

/** A manifest of a served site. */
export interface ServedManifest {
  readonly url: string;
  readonly origin: string;
  readonly manifest: Manifest;
}

/**
 * Reads manifests of one site over HTTP. Size limits are the same as for files; rules for addresses and redirects are the same
 * as for pages.
 *
 * @throws {UsageError} if a URL cannot be read, is not a manifest, or belongs to another site
 */
export async function readManifestUrls(
  urls: readonly string[],
  { headers, insecure }: ManifestUrlOptions,
): Promise<readonly ServedManifest[]> {
  const named = urls.map(parseNamed);
  const base = checkOrigins(named);
  checkHeaders(headers);
  const secrets = new RunSecrets();
  const client = new SiteClient({ base, secrets, headers, insecure });
  const manifests: ServedManifest[] = [];
  try {
    for (const url of named) manifests.push(await readOne(client, url, secrets));
  } finally {
    client.close();
  }
  return manifests;
}

async function readOne(client: SiteClient, url: URL, secrets: RunSecrets): Promise<ServedManifest> {
  try {
    const fetched = await client.get(url);
    if (fetched.status < 200 || fetched.status > 299) {
      fetched.discard();
      throw new RequestError('status', `the status is ${fetched.status}`);
    }
    const text = decodeUtf8(await readBody(fetched, errors, maxManifestBytes), url.href);
    return { url: url.href, origin: url.origin, manifest: parseManifest(text, url.href) };
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(secrets.hide(error.message)); // may quote the response
    if (!(error instanceof RequestError)) throw error;
    const problem = problemOf(url.href, error);
    throw readError(url.href, { ...problem, reason: secrets.hide(problem.reason) }, error);
  }
}

const errors: typeof requestErrors = {
  ...requestErrors,
  tooLarge: (maxBytes) => new RequestError('invalid', `it has more than ${maxBytes / 1e6} MB`, 'Split it.'),
};
