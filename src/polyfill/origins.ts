const parse = (url: string): URL | null => {
  try {
    return new URL(url);
  } catch {
    return null;
  }
};

/** The origin of a URL, serialised: null if it does not parse, "null" if it is opaque. */
export const originOf = (url: string): string | null => parse(url)?.origin ?? null;

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);

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
