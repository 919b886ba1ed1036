/**
 * The page path of a file. A page path is the path and query of a URL. Therefore `?`, a `%` that would look like an encoded
 * character, and the characters that `pathProblem` rejects are encoded.
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
 * Parses a URL; undefined if it is invalid. Does not use `URL.canParse`: in Node.js 20, after many calls, it returns false for
 * hosts with Latin-1 letters.
 */
export function urlOf(text: string, base?: URL | string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** The maximum length of a page path, in characters. Servers rarely accept longer request lines. */
export const maxPathLength = 8192;

/**
 * The reason why a page path is invalid; undefined for a valid path. A valid path cannot leave a folder: its URL is below the
 * base URL, or on its origin if the path begins with `/`.
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

/** Checks decoded segments, because URL parsers decode dots, and some servers decode slashes. */
function segmentProblem(path: string): string | undefined {
  if (path.includes('\\')) return 'has a backslash. Encode it as %5C';
  if (/^[a-z][a-z\d+.-]*:/i.test(path)) return 'begins with a scheme. Encode the colon as %3A';
  if (path.includes('//')) return 'has an empty segment. Remove one of the two slashes';
  const decoded = path.replace(/%2e/gi, '.').replace(/%(?:2f|5c)/gi, '/');
  return /(?:^|[/;])\.\.?(?:$|[/;])/.test(decoded)
    ? 'has a "." or ".." segment. Use the path without it, as a browser shows it'
    : undefined;
}
