import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address is public. Private, loopback, link-local, shared, multicast, reserved and documentation addresses are
 * not public. Neither are the addresses of tunnels, such as 6to4, because they can lead to private IPv4 addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // converts IPv4-mapped IPv6 addresses
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast);
}

/** The only range of public IPv6 addresses. https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

const localNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|intranet)\.?$/i;

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Whether a host is private without a DNS lookup: a private address, a local name, or a name without a domain. */
export function isPrivateHost(hostname: string): boolean {
  const host = withoutBrackets(hostname);
  if (ipaddr.isValid(host)) return !isPublicAddress(host);
  return localNames.test(host) || !host.replace(/\.$/, '').includes('.');
}

export function isLoopback(hostname: string): boolean {
  const host = withoutBrackets(hostname);
  if (/(?:^|\.)localhost$/i.test(host)) return true; // the most frequent name; parsing names as addresses is slow
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** The code of the error of a fetch that was not sent, because the host has a private address. */
export const refusedAddressCode = 'upstream-refused-address';
