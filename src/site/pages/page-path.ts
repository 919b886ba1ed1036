/**
 * The path of a page that is a file. A page path is the path and the query of a URL, so a `?` in a file name is encoded,
 * and a `%` that would look like an encoded character. So are the characters that `pathProblem` refuses.
 */
export const pathOfFile = (file: string): string =>
  file
    .replace(/[?\\\p{Cc}]|%(?=[\da-f]{2})/giu, encodeURIComponent)
    .replace(/^ +| +$/g, encodeURIComponent)
    .replace(/^[a-z][a-z\d+.-]*:/i, (scheme) => scheme.replace(':', '%3A'));

/** Decodes percent-encoded characters. Invalid text is returned unchanged. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Parses a URL; undefined if invalid. In Node.js 20, `URL.canParse` is false for hosts with Latin-1 letters once it was called
 * often.
 */
export function urlOf(text: string, base?: URL | string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** The length of a page path, in characters. Servers rarely accept longer request lines. */
export const maxPathLength = 8192;

/**
 * The reason why a page path is invalid; undefined for a valid one. A valid path has no segment that leaves a folder, so the
 * URL that it resolves to is below the base URL, or on its origin if the path begins with `/`.
 */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > maxPathLength) return `has more than ${maxPathLength} characters. Shorten it`;
  if (/\p{Cc}|^\s|\s$/u.test(path)) return 'has a control character, or white space at an end. Encode it';
  if (/^(?:[a-z][a-z\d+.-]*:)?[/\\]{2}/i.test(path))
    return 'is an absolute URL. Use its path and query, such as "/page?id=1"';
  const [file = '', ...query] = path.split('?');
  return query.some((part) => part.includes('#'))
    ? 'has a fragment. Remove it, beginning with "#"'
    : segmentProblem(file);
}

/** URL parsers also treat encoded dots as dots, and some servers decode encoded slashes. */
function segmentProblem(path: string): string | undefined {
  if (path.includes('\\')) return 'has a backslash. Encode it as %5C';
  if (/^[a-z][a-z\d+.-]*:/i.test(path)) return 'begins with a scheme. Encode the colon as %3A';
  if (path.includes('//')) return 'has an empty segment. Remove one of the two slashes';
  const decoded = path.replace(/%2e/gi, '.').replace(/%(?:2f|5c)/gi, '/');
  return /(?:^|[/;])\.\.?(?:$|[/;])/.test(decoded)
    ? 'has a "." or ".." segment. Use the path without it, as a browser shows it'
    : undefined;
}
