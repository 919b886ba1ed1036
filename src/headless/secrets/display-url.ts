import { percentDecode } from '../../site/pages/page-path.js';
import { truncate } from '../../visible-text.js';
import { secretsIn } from './random-values.js';
import { mark } from './secret-search.js';

const maxLength = 300;

/**
 * A URL for messages and logs, without credentials, fragment, path parameters (they can be session IDs), and secrets in the
 * path and the query. Dots replace omitted parts, so that `SecretSearch` finds the beginning of a secret before them.
 */
export function displayUrl(url: string | URL, { query = true } = {}): string {
  const { origin, pathname, search, hash } = new URL(url);
  const path = pathname
    .replace(/;[^/]*/g, ';...')
    .split('/')
    .map(hideInPath)
    .join('/');
  const pairs = search.slice(1).split('&').map(hideInQuery).join('&');
  const shownQuery = pairs === '' ? '' : `?${query ? pairs : '...'}`;
  return truncate(`${origin}${path}${shownQuery}${hash === '' ? '' : '#...'}`, maxLength);
}

/** Identifiers are not hidden, because they name pages. */
const hideInPath = (part: string): string =>
  secretsIn('id', percentDecode(part.replace(/;\.{3}$/, ''))).length > 0 ? mark : part;

function hideInQuery(pair: string): string {
  const [[name, value] = ['', '']] = new URLSearchParams(pair);
  if (secretsIn('', name).length > 0) return mark;
  return hasSecret(name, value) ? `${pair.replace(/=.*/s, '')}=${mark}` : pair;
}

const maxNesting = 4;

/** Whether a parameter contains a secret. A value can be a URL with a query, such as the page to return to after a login. */
function hasSecret(name: string, value: string, nesting = 0): boolean {
  if ([secretsIn(name, value), secretsIn('', name)].some(({ length }) => length > 0)) return true;
  const query = nesting < maxNesting && value.includes('?') ? value.replace(/^.*?\?/s, '') : '';
  return [...new URLSearchParams(query)].some((pair) => hasSecret(...pair, nesting + 1));
}
