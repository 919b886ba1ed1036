import { parseUrl } from '../../platform/urls.js';
import type { Context } from '../state.js';
import { domException } from './context.js';

/** The serialized origin of a URL: null if the URL is invalid, "null" if the origin is opaque. */
export const originOf = (url: string, base?: string): string | null => parseUrl(url, base)?.origin ?? null;

/** https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy */
const trustworthy = /^(?:https|wss):|^[a-z]+:\/\/(?:(?:.*\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/** The origins of URLs. Throws a SecurityError if one is not potentially trustworthy. */
export function originsOf(context: Context, urls: readonly string[], member: string): readonly string[] {
  return urls.map((url) => {
    const origin = originOf(url);
    if (origin !== null && trustworthy.test(origin)) return origin;
    throw domException(context, 'SecurityError', `Only secure origins are allowed in the ${member} list: "${url}".`);
  });
}
