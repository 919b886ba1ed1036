/** The bounds of files, lines and pages. docs/reference/limits.md has their reasons. */

/** The size of a page, in bytes. A parsed page needs about 30 times its size. */
export const maxPageBytes = 100_000_000;

/** The size of a line of NDJSON, in bytes. JSON may need several times the size of its text in memory. */
export const maxLineBytes = 50_000_000;

/** The `<webmcp-tool>` elements of a page. */
export const maxToolElements = 5000;

/** The size of the result of a page as JSON, in characters. A line of `merge` has room for it. */
export const maxResultLength = 16_000_000;

/** The time for a page in a thread, in milliseconds. */
export const defaultPageTimeoutMs = 30_000;

/** The number of lines of NDJSON that are skipped because they are unreadable. More indicate another format. */
export const maxUnreadableLines = 100;

/** The size of a manifest, in bytes. The text of a larger one does not fit into a string. */
export const maxManifestBytes = 400_000_000;

/** The size of a configuration, and of package.json, in bytes. */
export const maxConfigBytes = 5_000_000;

/** The number of pages that `merge` sorts. Their paths are in memory. */
export const maxMergedPages = 5_000_000;

/** The length of a schema in a manifest as JSON, in characters. */
export const maxSchemaLength = 5_000_000;

/** The length of the declarations of `types`, in characters. */
export const maxTypesLength = 100_000_000;
