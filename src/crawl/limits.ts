/** The bounds of reading a served site. docs/reference/limits.md has their reasons. */

/** The default number of pages that are requested. */
export const defaultMaxPages = 1000;

/** The size of a page, in bytes, decompressed. */
export const maxServedPageBytes = 20_000_000;

/** The size of all pages of a run, in bytes, compressed. */
export const maxStoredBytes = 1_000_000_000;

/** The skipped URLs of a run that are listed. */
export const maxProblems = 10_000;

/** The values of one cookie that are hidden, the latest. Some sites send a new one with each response. */
export const maxCookieValues = 20;

/** The characters of the hidden values of one cookie. */
export const maxCookieCharacters = 2000;

/** The redirects of one request. */
export const maxRedirects = 10;

/** The size of robots.txt. https://www.rfc-editor.org/rfc/rfc9309#section-2.5 */
export const maxRobotsBytes = 512_000;

/** The characters of all rules of robots.txt with wildcards. Each is compared with each character of a URL. */
export const maxWildcardCharacters = 50_000;

/** The size of one sitemap, in bytes, decompressed. https://www.sitemaps.org/protocol.html */
export const maxSitemapBytes = 52_428_800;

/** The levels of elements of a sitemap. */
export const maxSitemapDepth = 100;

/** The number of sitemaps, with those that an index names. */
export const maxSitemapFiles = 1000;

/** The URLs in all sitemaps. Those beyond `maxPages` are only counted. */
export const maxSitemapUrls = 1_000_000;

/** The links of a page. */
export const maxLinks = 10_000;

/** The URLs with different queries of one path that links lead to, such as the months of a calendar. */
export const maxQueriesPerPath = 100;

/** The repetitions of a request after the status 429 or 503, or after a closed connection. */
export const maxRetries = 2;

/** The longest time that `Retry-After` may ask for, in milliseconds. */
export const maxRetryAfterMs = 60_000;

/** The longest time between two requests that robots.txt may ask for, in milliseconds. */
export const maxCrawlDelayMs = 30_000;

/** The time for one request with its response, in milliseconds. */
export const defaultRequestTimeoutMs = 30_000;

export const defaultConcurrency = 4;
