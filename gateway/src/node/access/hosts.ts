import { isIP } from 'node:net';
import { isLoopback } from 'webmcp-forms/headless';

/** The host name or address in a `Host` header, without its port; undefined if it is invalid. */
export function hostnameIn(host: string): string | undefined {
  const url = `http://${host}`;
  if (!/^[^\s/?#@\\]+$/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.$/, '');
}

/**
 * Protects against DNS rebinding: a page of any site can resolve its own name to a loopback address, and its requests have
 * that name. https://owasp.org/www-community/attacks/DNS_rebinding
 *
 * @param address - the listening address
 * @param allowed - names beside loopback names; without any, an address other than loopback allows all addresses, which are
 * not resolved
 */
export function hostGuard(address: string, allowed: readonly string[]): (host: string) => boolean {
  const allowsAddresses = !isLoopback(address) && allowed.length === 0;
  const names = new Set(allowed.map((name) => hostnameIn(name)));
  return (host) => {
    const hostname = hostnameIn(host);
    if (hostname === undefined) return false;
    return names.has(hostname) || isLoopback(hostname) || (allowsAddresses && isAddress(hostname));
  };
}

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
