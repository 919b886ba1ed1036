import { pathProblem, urlOf } from '../site/pages/page-path.js';
import { UsageError } from '../site/usage-error.js';
import { parseCookieFile } from './client/cookie-file.js';
import { type ReadOptions, SiteClient } from './client/site-client.js';
import { crawl, type CrawlResult, type ServedPage, type Target } from './crawl.js';
import { defaultConcurrency, defaultMaxPages, defaultReadingTimeoutMs } from './limits.js';
import { isActionLink, normalizeUrl, pagePathOf } from './links.js';
import { logIn, type Run, type SiteLogin } from './login.js';
import { isIncomplete, readError, RequestError, sentencesOf, urlStart, type PageProblem } from './problem.js';
import { excludedReason, matcherOf, RequestRules } from './request-rules.js';
import { readRobots } from './robots.js';
import { isSitemapUrl, readSitemaps } from './sitemap.js';
import { RunSecrets } from './secrets.js';

export interface ReadSiteOptions extends ReadOptions {
  /**
   * The maximum distance of a page from the named pages, in links. Only links to the same origin are followed.
   * @default 0
   */
  readonly depth?: number | undefined;
  /** Whether to read the pages in the sitemaps that robots.txt names or, if it names none, in `/sitemap.xml`. @default false */
  readonly sitemap?: boolean | undefined;
  /** Cookies in the Netscape format (cookies.txt). */
  readonly cookies?: string | undefined;
  /** A login by a tool of the site, before the pages are read. */
  readonly login?: SiteLogin | undefined;
  /** The maximum number of concurrent requests. @default 4 */
  readonly concurrency?: number | undefined;
  /** The maximum number of requested pages. @default 1000 */
  readonly maxPages?: number | undefined;
  /** Globs of paths to skip in links and sitemaps. Case and a slash at the end of a path are ignored. */
  readonly exclude?: readonly string[] | undefined;
  /** The time limit for parsing a page, in milliseconds. @default 5000 */
  readonly readingTimeoutMs?: number | undefined;
  /** @default false */
  readonly ignoreRobots?: boolean | undefined;
  /** Whether a sitemap with more URLs than `maxPages` is read in part. If false, such a sitemap is an error. @default false */
  readonly allowPartial?: boolean | undefined;
  /** Called with the `Crawl-delay` of robots.txt in milliseconds, if there is one. */
  readonly onCrawlDelay?: ((milliseconds: number) => void) | undefined;
  /** Called after each requested URL, with the number of URLs so far. */
  readonly onPage?: ((count: number) => void) | undefined;
}

/** The pages of a served site. */
export interface ServedSite extends CrawlResult {
  /** The skipped pages. `namedPath` is set if the user has named the URL of the page. */
  readonly problems: readonly PageProblem[];
  /** The page of the login, read before the login. A page read after the login can have the same path. */
  readonly loginPage?: ServedPage;
  /** False if pages are missing that may be readable the next time. */
  readonly isComplete: boolean;
}

export async function readSite(urls: readonly string[], options: ReadSiteOptions): Promise<ServedSite> {
  const site = await readPages(urls, options);
  const failed = site.pages.length === 0 ? site.problems.find(({ namedPath }) => namedPath !== undefined) : undefined;
  if (failed) throw readError(failed.url, failed);
  return site;
}

export async function readPages(urls: readonly string[], options: ReadSiteOptions): Promise<ServedSite> {
  const named = urls.map(parseNamed);
  const base = checkOrigins(named);
  checkHeaders(options.headers);
  const { signal = new AbortController().signal } = options;
  const secrets = new RunSecrets();
  const rules = new RequestRules({ secrets, isExcluded: matcherOf(options.exclude ?? []) });
  const { readingTimeoutMs = defaultReadingTimeoutMs } = options;
  const cookies = options.cookies === undefined ? [] : parseCookieFile(options.cookies, 'the cookie file');
  const client = new SiteClient({ ...options, base, cookies, secrets, signal });
  try {
    return await readWith({ client, secrets, rules, readingTimeoutMs, signal }, named, base, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    client.close();
  }
}

async function readWith(run: Run, named: readonly URL[], base: URL, options: ReadSiteOptions): Promise<ServedSite> {
  const { depth = 0, maxPages = defaultMaxPages, concurrency = defaultConcurrency, login } = options;
  const { onPage = () => undefined } = options;
  const { client, secrets, rules } = run;
  if (options.cookies !== undefined && !(await client.hasCookiesFor(base))) {
    const problem = `The cookie file has no cookie for ${base.origin}, or all have expired.`;
    throw new UsageError(`${problem} Export the cookies of that site again.`);
  }
  if (!options.ignoreRobots)
    rules.robots = await readRobots(client, base.origin, rules.checkRedirect).catch(throwFirst(base));
  const { crawlDelayMs } = rules.robots;
  client.delayMs = crawlDelayMs;
  if (crawlDelayMs > 0) options.onCrawlDelay?.(crawlDelayMs);
  const loginPage = login && (await logIn(base, login, run));
  const targets = await targetsOf(named, { ...options, maxPages, rules, secrets }, client);
  const readings = crawlDelayMs > 0 ? 1 : concurrency;
  const result = await crawl(targets, { ...run, depth, maxPages, concurrency: readings, onPage });
  return { ...finish(result, named, secrets, loginPage), ...(loginPage && { loginPage }) };
}

export function parseNamed(text: string): URL {
  const url = urlOf(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`"${text.slice(0, 300)}" is not an HTTP URL. Use a URL that begins with https:// or http://.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`The URL of ${url.host} has credentials. Remove them, and send them with --header @FILE.`);
  }
  return normalizeUrl(url);
}

/** @throws {UsageError} if a header cannot be sent. The message omits its value, which may be a secret */
export function checkHeaders(headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers({ [name]: value });
    } catch {
      const problem = `The header ${JSON.stringify(name.slice(0, 100))} has an invalid name or value.`;
      throw new UsageError(`${problem} Use ASCII characters in one line.`);
    }
  }
}

/**
 * Returns the first URL.
 *
 * @throws {UsageError} if the list of URLs is empty, or if the URLs have different origins
 */
export function checkOrigins(urls: readonly URL[]): URL {
  const [first] = urls;
  if (!first) throw new UsageError('No URL is given. Name the URL of a page.');
  const other = urls.find(({ origin }) => origin !== first.origin);
  if (!other) return first;
  throw new UsageError(`${first.origin} and ${other.origin} are different sites. Name the URLs of one site.`);
}

/** Converts the failure to read robots.txt to an error of the first page. */
const throwFirst =
  (url: URL) =>
  (error: unknown): never => {
    if (!(error instanceof RequestError)) throw error;
    throw readError(url.href, error, error);
  };

type TargetOptions = Pick<ReadSiteOptions, 'sitemap' | 'allowPartial'> & {
  readonly maxPages: number;
  readonly rules: RequestRules;
  readonly secrets: RunSecrets;
};

async function targetsOf(
  named: readonly URL[],
  options: TargetOptions,
  client: SiteClient,
): Promise<readonly Target[]> {
  const targets = named.filter((url) => !isSitemapUrl(url)).map((url) => ({ url, isNamed: true }));
  const files = named.filter(isSitemapUrl);
  const [first] = named as readonly [URL, ...URL[]];
  if (options.sitemap && files.length === 0) files.push(...sitemapsOf(options.rules, first));
  if (files.length === 0) return targets;
  try {
    return [...targets, ...(await sitemapTargets(client, files, options))];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const sentences = options.secrets.hide(sentencesOf(error));
    throw new UsageError(`Cannot read the sitemap ${sentences}`, { cause: error });
  }
}

/** The sitemaps of the site in robots.txt, or else `/sitemap.xml`. Excluded sitemaps are omitted. */
function sitemapsOf(rules: RequestRules, base: URL): readonly URL[] {
  const urls = rules.robots.sitemaps.flatMap((text) => urlOf(text, base) ?? []);
  const own = urls.filter((url) => url.origin === base.origin && !isActionLink(url));
  const files = own.length > 0 ? own : [new URL('/sitemap.xml', base)];
  const allowed = files.filter((url) => !rules.isExcluded(url));
  if (allowed.length > 0) return allowed;
  const problem = `Cannot read the sitemap ${urlStart(String(files[0]))}: ${excludedReason}.`;
  throw new UsageError(`${problem} Change --exclude, or name the URL of a sitemap.`);
}

async function sitemapTargets(
  client: SiteClient,
  files: readonly URL[],
  { maxPages, rules, allowPartial = false }: TargetOptions,
): Promise<readonly Target[]> {
  const targets: Target[] = [];
  let [count, foreign] = [0, ''];
  for await (const { file, urls } of readSitemaps(client, files, rules)) {
    for (const text of urls) {
      const url = urlOf(text, file);
      if (url?.origin !== file.origin) foreign ||= text.slice(0, 300);
      else if (++count <= maxPages + 1) targets.push({ url: normalizeUrl(url), isNamed: false });
    }
  }
  const [{ href, origin }] = files as readonly [URL, ...URL[]];
  if (count === 0) {
    const problem = foreign === '' ? 'has no URLs' : `has only URLs of other origins, such as ${foreign}`;
    throw new RequestError(
      'invalid',
      `${href}: it ${problem}`,
      `Let the site write URLs of ${origin}, or use --depth.`,
    );
  }
  if (count <= maxPages || allowPartial) return targets;
  const reason = `it has ${count} URLs, and the limit is ${maxPages} pages`;
  throw new RequestError('limit', `${href}: ${reason}`, 'Increase --max-pages, or use --allow-partial.');
}

/**
 * Hides secrets in the problems, and adds `namedPath` to the problems of named URLs that were not read.
 *
 * @throws {UsageError} if such a URL contains a secret, or its path is not valid for a page
 */
function finish(
  { pages, problems }: CrawlResult,
  named: readonly URL[],
  secrets: RunSecrets,
  loginPage: ServedPage | undefined,
): ServedSite {
  const paths = new Map(named.map((url) => [url.href, pagePathOf(url)]));
  const shown = problems.map((problem): PageProblem => {
    const { kind, reason } = problem;
    const hidden = { ...problem, url: secrets.hide(problem.url), reason: secrets.hide(reason) };
    const path = paths.get(problem.url);
    const isRead = kind === 'duplicate' || [...pages, loginPage].some((page) => page?.path === path); // through another URL
    if (path === undefined || isRead) return hidden;
    if (hidden.url !== problem.url || pathProblem(path) !== undefined) throw readError(hidden.url, hidden);
    return { ...hidden, namedPath: path };
  });
  return { pages, problems: shown, isComplete: !problems.some(isIncomplete) };
}
