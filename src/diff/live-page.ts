import type { Manifest } from '../site/manifest/manifest.js';
import { percentDecode } from '../site/pages/page-path.js';
import { oneLine } from '../site/printable.js';
import { UsageError } from '../site/usage-error.js';
import { parseUrl } from '../site/url.js';

/**
 * Finds the manifest path of a live page. A `file:` URL is matched by the end of its path.
 *
 * @param page - the path from `--page`
 */
export function livePagePath({ pages }: Manifest, url: string, page: string | undefined): string {
  const paths = pages.map(({ path }) => path);
  const candidates = page === undefined ? candidatesOf(parseUrl(url)) : [page];
  const path = candidates.find((each) => paths.includes(each));
  if (path !== undefined) return path;
  const [list, more] = [paths.slice(0, 5).join(', '), paths.length > 5 ? ', ...' : ''];
  const advice = paths.length === 0 ? 'It has no pages.' : `Set --page to one of its pages: ${list}${more}.`;
  throw new UsageError(oneLine(`The manifest has no page "${candidates[0]}". ${advice}`));
}

function candidatesOf({ protocol, pathname }: URL): readonly string[] {
  const path = percentDecode(pathname.slice(1));
  if (protocol !== 'file:') return pathsOf(path);
  const parts = path.split('/');
  return parts.flatMap((_, index) => pathsOf(parts.slice(index).join('/')));
}

/** The files that servers respond with for a path: `a/` is `a/index.html`; `a` is `a`, `a.html` or `a/index.html`. */
const pathsOf = (path: string): readonly string[] =>
  path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`];
