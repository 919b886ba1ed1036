/** The limits for reading a served site. docs/reference/limits.md explains them. */

/** The default maximum number of requested pages. */
export const defaultMaxPages = 1000;

/** The maximum size of a page, in bytes, decompressed. */
export const maxServedPageBytes = 20_000_000;

/** The maximum total size of the pages of a run, in bytes, compressed. */
export const maxStoredBytes = 1_000_000_000;

/** The maximum number of skipped URLs that a run lists. */
export const maxProblems = 10_000;

/** The maximum number of values of a cookie to hide in results. Some sites send a new value with each response. */
export const maxCookieValues = 20;

/** The maximum total length of the values of a cookie to hide in results, in characters. */
export const maxCookieCharacters = 2000;

/** The maximum total length of the cookie values that are also searched for in base64 and hexadecimal, in characters. */
export const maxEncodedCharacters = 10_000;

/** The maximum number of redirects of a request. */
export const maxRedirects = 10;

/** The maximum size of robots.txt, in bytes. https://www.rfc-editor.org/rfc/rfc9309#section-2.5 */
export const maxRobotsBytes = 512_000;

/**
 * The maximum total length of the rules of robots.txt with wildcards. Matching a URL takes time proportional to this
 * length.
 */
export const maxWildcardCharacters = 50_000;

/** The maximum size of a sitemap, in bytes, decompressed. https://www.sitemaps.org/protocol.html */
export const maxSitemapBytes = 52_428_800;

/** The maximum nesting depth of the elements of a sitemap. */
export const maxSitemapDepth = 100;

/** The maximum number of sitemaps, including those of an index. */
export const maxSitemapFiles = 1000;

/** The maximum number of URLs in all sitemaps. URLs beyond `maxPages` are only counted. */
export const maxSitemapUrls = 1_000_000;

/** The maximum number of links of a page. */
export const maxLinks = 10_000;

/** The maximum number of followed links that differ only in their query, such as the months of a calendar. */
export const maxQueriesPerPath = 100;

/** The maximum number of retries after the status 429 or 503, or after a closed connection. */
export const maxRetries = 2;

/** The maximum `Retry-After`, in milliseconds. */
export const maxRetryAfterMs = 60_000;

/** The maximum `Crawl-delay` of robots.txt, in milliseconds. */
export const maxCrawlDelayMs = 30_000;

/** The default timeout of a request, in milliseconds. It includes the response. */
export const defaultRequestTimeoutMs = 30_000;

/** The default time limit for parsing a page, in milliseconds. Parsing blocks the event loop. */
export const defaultReadingTimeoutMs = 5000;

export const defaultConcurrency = 4;
