import { isLoopback } from '../upstream/addresses.js';

/** The name or address that a header `Host` says, or a URL, without its port; undefined for what is none. */
export function hostnameIn(host: string): string | undefined {
  const url = `http://${host}`;
  if (!/^[^\s/?#@\\]+$/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.$/, '');
}

/**
 * Which hosts a request may name. A page of any site can have its own name lead to a loopback address; its requests come
 * with that name. https://owasp.org/www-community/attacks/DNS_rebinding
 *
 * @param address - what is listened on
 * @param allowed - what is allowed beside loopback names; with one, or on a loopback address, others are not
 */
export function hostGuard(address: string, allowed: readonly string[]): (host: string) => boolean {
  if (!isLoopback(address) && allowed.length === 0) return () => true;
  const names = new Set(allowed.map((name) => hostnameIn(name)));
  return (host) => {
    const hostname = hostnameIn(host);
    return hostname !== undefined && (isLoopback(hostname) || names.has(hostname));
  };
}
