import type { Manifest } from '../site/manifest/manifest.js';
import { oneLine } from '../site/report.js';
import { UsageError } from '../site/usage-error.js';
import { parseUrl } from '../site/url.js';

/**
 * The path of the manifest's page that is at a URL: by the path of the URL; for a file, by the end of its path.
 *
 * @param given - the path that the caller says, if any
 */
export function livePagePath({ pages }: Manifest, url: string, given: string | undefined): string {
  const paths = pages.map(({ path }) => path);
  const wanted = given === undefined ? candidates(parseUrl(url)) : [given];
  const path = wanted.find((each) => paths.includes(each));
  if (path !== undefined) return path;
  const has =
    paths.length === 0 ? 'it has none' : `it has ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ', ...' : ''}`;
  throw new UsageError(
    oneLine(
      `the manifest has no page ${given ?? wanted[0] ?? ''}: give --page with the path of one of its pages (${has})`,
    ),
  );
}

function candidates({ protocol, pathname }: URL): readonly string[] {
  const path = decode(pathname.slice(1));
  if (protocol !== 'file:') return pathsOf(path);
  const parts = path.split('/');
  return parts.flatMap((_, index) => pathsOf(parts.slice(index).join('/')));
}

/** The names that servers give to a page: `a/` is `a/index.html`, `a` is `a.html` or that. */
const pathsOf = (path: string): readonly string[] =>
  path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`];

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
