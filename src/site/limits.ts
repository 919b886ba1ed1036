/** The limits of files, lines and pages. docs/reference/limits.md explains them. */

/** The maximum size of a page, in bytes. A parsed page needs about 30 times its size. */
export const maxPageBytes = 100_000_000;

/** The maximum size of a line of NDJSON, in bytes. Parsed JSON may need several times the memory of its source. */
export const maxLineBytes = 50_000_000;

/** The maximum number of `<webmcp-tool>` elements of a page. */
export const maxToolElements = 5000;

/** The maximum length of the result of a page as JSON, in characters. It fits into a line that `merge` reads. */
export const maxResultLength = 16_000_000;

/** The default timeout of a page, in milliseconds. */
export const defaultPageTimeoutMs = 30_000;

/** The maximum number of skipped unreadable lines of NDJSON. A file with more is probably not NDJSON. */
export const maxUnreadableLines = 100;

/** The maximum size of a manifest, in bytes. A larger manifest does not fit into a string. */
export const maxManifestBytes = 400_000_000;

/** The maximum size of a configuration or of package.json, in bytes. */
export const maxConfigBytes = 5_000_000;

/** The maximum number of pages that `merge` sorts. Their paths are in memory. */
export const maxMergedPages = 5_000_000;

/** The maximum length of a schema in a manifest as JSON, in characters. */
export const maxSchemaLength = 5_000_000;

/** The maximum length of the declarations of `types`, in characters. */
export const maxTypesLength = 100_000_000;
