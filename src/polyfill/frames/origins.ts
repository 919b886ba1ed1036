import { matches } from '../../platform/collections.js';

const { URL } = globalThis; // captured: a page may replace it

const parse = (url: string, base?: string): URL | null => {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
};

/** The origin of a URL, serialised: null if it does not parse, "null" if it is opaque. */
export const originOf = (url: string, base?: string): string | null => parse(url, base)?.origin ?? null;

const isLoopback = (host: string): boolean => matches(/^(?:(?:.*\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/, host);

/**
 * The origin of a URL, serialised, if it is one that may be named; else null.
 * https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy
 */
export function trustworthyOrigin(url: string): string | null {
  const origin = originOf(url);
  const { protocol = '', hostname = '' } = origin && origin !== 'null' ? (parse(origin) ?? {}) : {};
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return isSecure || (hostname !== '' && isLoopback(hostname)) ? origin : null;
}
