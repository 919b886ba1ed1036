/**
 * The path of a page that is a file. A page path is the path and the query of a URL, so a `?` in a file name is encoded,
 * and a `%` that would look like an encoded character.
 */
export const pathOfFile = (file: string): string => file.replace(/\?|%(?=[\da-f]{2})/gi, encodeURIComponent);

/** The reason why the path of a fetched page is invalid. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (/^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(path))
    return 'is an absolute URL. Use its path and query, such as "/page?id=1"';
  return /\?.*#/s.test(path) ? 'has a fragment. Remove it, beginning with "#"' : undefined;
}
