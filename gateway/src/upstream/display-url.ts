import { secretsIn } from '../secrets/random-values.js';

const maxLength = 300;

/**
 * A URL for messages and logs: without credentials, fragment and path parameters, which can be session IDs, and without
 * query values that are secrets.
 */
export function displayUrl(url: string | URL, { query = true } = {}): string {
  const { origin, pathname, search } = new URL(url);
  const pairs = search.slice(1).split('&').map(hideSecret).join('&');
  const text = `${origin}${pathname.replace(/;[^/]*/g, '')}${query && pairs !== '' ? `?${pairs}` : ''}`;
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
}

/** A value can be a URL with a query, such as the page to return to after a login. */
function hideSecret(pair: string): string {
  const [[name, value] = ['', '']] = new URLSearchParams(pair);
  const nested = value.includes('?') ? [...new URLSearchParams(value.replace(/^.*?\?/s, ''))] : [];
  const isSecret = [[name, value] as const, ...nested].some((each) => secretsIn(...each).length > 0);
  return isSecret ? `${pair.replace(/=.*/s, '')}=[hidden]` : pair;
}
