/** The bounds of files, lines and pages. docs/limits.md has their reasons. */

/** The size of a page, in bytes. A parsed page needs about 30 times its size. */
export const maxPageBytes = 100_000_000;

/** The size of a line of NDJSON, in bytes. JSON may need several times the size of its text in memory. */
export const maxLineBytes = 50_000_000;

/** The size of the result of a page as JSON, in characters. A line of `merge` has room for it. */
export const maxResultLength = 16_000_000;

/** The time for a page in a thread, in milliseconds. */
export const defaultPageTimeoutMs = 30_000;

/** The number of lines of NDJSON that are skipped because they are unreadable. More indicate another format. */
export const maxUnreadableLines = 100;
