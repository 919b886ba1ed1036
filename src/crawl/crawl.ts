import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { readBody } from '../http/body.js';
import { decodeBytes } from '../site/pages/charset.js';
import { pathProblem } from '../site/pages/page-path.js';
import { asksForPassword } from '../site/tools/asks-for-password.js';
import { isLoginPath } from '../site/tools/password-input.js';
import { mapInOrder } from '../site/workers/map-in-order.js';
import { checkPage, checkType, encodingError, hashOf, readInTime } from './check-page.js';
import { hideInPage } from './hide-in-page.js';
import { maxLinks, maxProblems, maxQueriesPerPath, maxServedPageBytes, maxStoredBytes } from './limits.js';
import { isFileLink, normalizeUrl, pagePathOf, readLinks } from './links.js';
import type { Run } from './login.js';
import { problemOf, RequestError, requestErrors, type PageProblem } from './problem.js';

/** A page of a served site. */
export interface ServedPage {
  readonly url: string;
  /** The path and query of the URL, beginning with `/`. */
  readonly path: string;
  /** Whether the user has named its URL. */
  readonly isNamed: boolean;
  /**
   * Whether the page has a password input, but its URL does not look like the URL of a login. The site may have responded with
   * a login instead of the page.
   */
  readonly mayBeLogin: boolean;
  /** The `Content-Language` of its response. */
  readonly contentLanguage?: string | undefined;
  /** The encoding of its response, unless it is UTF-8. */
  readonly encoding?: string | undefined;
  readonly read: () => Promise<string>;
}

interface CrawlOptions extends Run {
  readonly depth: number;
  readonly maxPages: number;
  readonly concurrency: number;
  readonly onPage: (count: number) => void;
}

export interface Target {
  readonly url: URL;
  readonly isNamed: boolean;
}

export interface CrawlResult {
  /** Sorted by path. */
  readonly pages: readonly ServedPage[];
  readonly problems: readonly PageProblem[];
}

/** Reads pages and, up to a depth, the pages that they link to. The result does not depend on the order of the responses. */
export async function crawl(targets: readonly Target[], options: CrawlOptions): Promise<CrawlResult> {
  const run = new Crawl(options);
  let level = await run.accept(targets);
  for (let depth = 0; level.length > 0; depth++) {
    const next: Target[] = [];
    const isFollowing = depth < options.depth;
    for await (const read of mapInOrder(level, options.concurrency, (target) => run.read(target, isFollowing))) {
      options.signal.throwIfAborted();
      if (run.add(read)) next.push(...(await run.accept(read.links.map((url) => ({ url, isNamed: false })))));
    }
    level = next;
  }
  return run.result();
}

interface StoredPage extends ServedPage {
  readonly canonical: string | undefined;
}

interface ReadPage {
  readonly target: Target;
  readonly page: StoredPage;
  readonly links: readonly URL[];
  readonly hasMoreLinks: boolean;
  /** The hash of the content without random values. */
  readonly hash: string;
  /** The compressed size, in bytes. */
  readonly size: number;
}

type ReadResult = ReadPage | (PageProblem & { readonly target: Target; readonly links: readonly [] });

/** The number of targets that are checked between two pauses for the event loop. */
const targetsPerTask = 50;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Returns a function that decompresses a page, so that only the compressed page is in memory. */
const readerOf = (content: Buffer) => async (): Promise<string> => (await decompress(content)).toString();

class Crawl {
  readonly #options: CrawlOptions;
  readonly #seen = new Set<string>();
  readonly #queries = new Map<string, number>();
  readonly #pages = new Map<string, StoredPage>();
  readonly #hashes = new Map<string, string>();
  readonly #problems: PageProblem[] = [];
  #count = 0;
  #size = 0;
  #unread = 0;
  #unlisted = 0;

  constructor(options: CrawlOptions) {
    this.#options = options;
  }

  async accept(targets: readonly Target[]): Promise<readonly Target[]> {
    const accepted: Target[] = [];
    for (const [index, target] of targets.entries()) {
      if (index % targetsPerTask === targetsPerTask - 1) await setImmediate(); // lets Ctrl+C be handled
      this.#options.signal.throwIfAborted();
      if (this.#accepts(target)) accepted.push(target);
    }
    return accepted;
  }

  #accepts(target: Target): boolean {
    const { href } = target.url;
    if (this.#seen.has(href)) return false;
    if (!target.isNamed && (isFileLink(target.url) || this.#options.rules.isExcluded(target.url))) return false;
    if (this.#count >= this.#options.maxPages) {
      this.#unread++;
      return false;
    }
    const refusal = this.#refusalOf(target);
    if (refusal && this.#problems.length >= maxProblems) {
      this.#unlisted++;
      return false;
    }
    this.#seen.add(href);
    if (refusal) this.#problems.push(problemOf(href, refusal));
    else this.#count++;
    return !refusal;
  }

  #refusalOf({ url, isNamed }: Target): RequestError | undefined {
    const problem = pathProblem(pagePathOf(url));
    if (problem !== undefined) return new RequestError('invalid', `its path ${problem}`);
    return this.#options.rules.refusalOf(url, isNamed) ?? (isNamed ? undefined : this.#tooManyQueries(url));
  }

  #tooManyQueries({ pathname, search }: URL): RequestError | undefined {
    const count = (this.#queries.get(pathname) ?? 0) + Number(search !== '');
    this.#queries.set(pathname, count);
    if (count <= maxQueriesPerPath) return undefined;
    const reason = `more than ${maxQueriesPerPath} links differ only in the query`;
    return new RequestError('duplicate', reason, 'Name the URL to read it, or exclude the path with --exclude.');
  }

  async read(target: Target, isFollowing: boolean): Promise<ReadResult> {
    try {
      return await this.#read(target, isFollowing);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (!(error instanceof RequestError)) throw error;
      return { ...problemOf(target.url.href, error), target, links: [] };
    }
  }

  async #read(target: Target, isFollowing: boolean): Promise<ReadPage> {
    const { client, secrets, rules } = this.#options;
    const fetched = await client.getPage(target.url, rules.checkRedirect);
    const { contentType } = fetched;
    const url = normalizeUrl(fetched.url);
    checkType(fetched);
    const bytes = await readBody(fetched, requestErrors, maxServedPageBytes);
    const { text, encoding } = decodeBytes(bytes, contentType);
    this.#inTime(() => checkPage(fetched, text));
    if (encoding === 'utf-8' && !isUtf8(bytes)) throw encodingError();
    const html = this.#inTime(() => hideInPage(text, secrets));
    const needsLinks = isFollowing || /\bcanonical\b/i.test(text);
    const { links, isCut, canonical } = needsLinks
      ? this.#inTime(() => readLinks(text, url))
      : { links: [], isCut: false };
    const content = await compress(html);
    const mayBeLogin = this.#inTime(() => asksForPassword(html)) && !isLoginPath(pagePathOf(url));
    const page: StoredPage = {
      url: url.href,
      path: pagePathOf(url),
      isNamed: target.isNamed,
      mayBeLogin,
      contentLanguage: fetched.headers.get('content-language') ?? undefined,
      encoding: encoding === 'utf-8' ? undefined : encoding,
      canonical: canonical && pagePathOf(canonical),
      read: readerOf(content),
    };
    const found = isFollowing ? { links, hasMoreLinks: isCut } : { links: [], hasMoreLinks: false };
    return { target, page, ...found, hash: hashOf(html), size: content.length };
  }

  #inTime<Result>(read: () => Result): Result {
    return readInTime(read, this.#options.readingTimeoutMs);
  }

  /** Adds a page, or a problem if the page was not read or is a duplicate. Returns whether the page was added. */
  add(read: ReadResult): boolean {
    this.#options.onPage(this.#pages.size + this.#problems.length + 1);
    if (!('kind' in read) && this.#pages.get(read.page.path)?.url === read.target.url.href) return false; // already read
    const problem = 'kind' in read ? read : this.#duplicateOf(read);
    if (problem) this.#problems.push(problemOf(problem.url, problem));
    if (problem || 'kind' in read) return false;
    const { page, hash, size } = read;
    this.#size += size;
    if (this.#size > maxStoredBytes) {
      throw new RequestError(
        'limit',
        `the pages have more than ${maxStoredBytes / 1e9} GB in total`,
        'Read the site in parts, with --exclude.',
      );
    }
    if (read.hasMoreLinks) this.#problems.push(linksProblem(page.url));
    this.#hashes.set(hash, page.url);
    this.#pages.set(page.path, page);
    return true;
  }

  #duplicateOf({ target, page: { url, path }, hash }: ReadPage): PageProblem | undefined {
    const same = this.#pages.get(path);
    if (same)
      return { kind: 'duplicate', url: target.url.href, reason: `it redirects to ${same.url}, which is also read` };
    const equal = target.isNamed ? undefined : this.#hashes.get(hash);
    return equal === undefined ? undefined : { kind: 'duplicate', url, reason: `its content is that of ${equal}` };
  }

  result(): CrawlResult {
    const sorted = [...this.#pages.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const { path, url, canonical, isNamed } of sorted) {
      const other = canonical === path || isNamed ? undefined : this.#pages.get(canonical ?? '');
      if (!other) continue;
      this.#pages.delete(path);
      this.#problems.push({ kind: 'duplicate', url, reason: `its canonical page is ${other.url}` });
    }
    if (this.#unread > 0) this.#problems.push(this.#limitProblem());
    if (this.#unlisted > 0) this.#problems.push(unlistedProblem(this.#unlisted));
    return { pages: sorted.filter(({ path }) => this.#pages.has(path)), problems: this.#problems };
  }

  #limitProblem(): PageProblem {
    const [first = ''] = this.#seen;
    const largest = largestFolder(this.#pages.keys());
    const { maxPages } = this.#options;
    return {
      kind: 'limit',
      url: `${this.#unread} URLs of ${new URL(first).origin}`,
      reason: `${maxPages} pages were read, which is the limit; most of them are below ${largest}`,
      advice: 'Increase --max-pages, or use --exclude.',
    };
  }
}

const unlistedProblem = (count: number): PageProblem => ({
  kind: 'invalid',
  url: `${count} more links`,
  reason: `more than ${maxProblems} URLs were skipped, and these are not listed`,
});

const linksProblem = (url: string): PageProblem => ({
  kind: 'limit',
  url: `the later links of ${url}`,
  reason: `it has more than ${maxLinks} links, or more elements than are read`,
  advice: 'Use --sitemap, or name the pages.',
});

function largestFolder(paths: Iterable<string>): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const [folder = '/'] = /^\/[^/?]*/.exec(path) ?? [];
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '/';
}
