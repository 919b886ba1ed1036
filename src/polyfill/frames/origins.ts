import { matches } from '../../platform/collections.js';

const { URL } = globalThis; // captured: a page may patch it

const parse = (url: string, base?: string): URL | null => {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
};

/** The serialized origin of a URL: null if the URL is invalid, "null" if the origin is opaque. */
export const originOf = (url: string, base?: string): string | null => parse(url, base)?.origin ?? null;

const isLoopback = (host: string): boolean => matches(/^(?:(?:.*\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/, host);

/**
 * The serialized origin of a URL, or null if it is not potentially trustworthy.
 * https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy
 */
export function trustworthyOrigin(url: string): string | null {
  const origin = originOf(url);
  const { protocol = '', hostname = '' } = origin && origin !== 'null' ? (parse(origin) ?? {}) : {};
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return isSecure || (hostname !== '' && isLoopback(hostname)) ? origin : null;
}
