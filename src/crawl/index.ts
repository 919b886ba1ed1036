import type { ManifestUrlOptions, ServedManifest } from './manifest-url.js';
import type { ReadSiteOptions, ServedSite } from './read-site.js';

export type { ServedPage } from './crawl.js';
export type { ServedManifest } from './manifest-url.js';
export type { SiteLogin } from './login.js';
export type { PageProblem, ProblemKind } from './problem.js';
export type { ReadSiteOptions, ServedSite } from './read-site.js';

/**
 * Reads pages of a site over HTTP: the pages of the given URLs and, depending on the options, the pages in its sitemaps and
 * links. The client is loaded on demand.
 *
 * @param urls - URLs of one origin
 * @throws {UsageError} if no page can be read. If only some of the given URLs cannot be read, `problems` contains them
 * @throws the reason of the signal if it is aborted
 * @example
 * const { pages } = await readSite(['http://localhost:8000/'], { depth: 1 });
 * const compiled = await Promise.all(pages.map(async ({ path, read }) => compileHtml(await read(), { path })));
 */
export async function readSite(urls: readonly string[], options: ReadSiteOptions = {}): Promise<ServedSite> {
  return (await import('./read-site.js')).readSite(urls, options);
}

/**
 * Like `readSite`, but only returns the problems if no named page can be read. Errors before the first page, such as of
 * robots.txt, are still thrown.
 */
export async function readPages(urls: readonly string[], options: ReadSiteOptions = {}): Promise<ServedSite> {
  return (await import('./read-site.js')).readPages(urls, options);
}

export async function readManifestUrls(
  urls: readonly string[],
  options: ManifestUrlOptions,
): Promise<readonly ServedManifest[]> {
  return (await import('./manifest-url.js')).readManifestUrls(urls, options);
}
