import ipaddr from 'ipaddr.js';
import { GatewayError } from '../gateway-error.js';

/** Whether an IP address is one of the public internet: neither private, loopback, link-local nor reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // an IPv4 address in an IPv6 one counts as itself
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() !== 'ipv6' || !isTunnel(parsed as ipaddr.IPv6);
}

/** Prefixes that lead to IPv4 addresses by way of translators, and site-local ones, which are deprecated. */
const tunnels = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32', 'fec0::/10', '::/96'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);
const isTunnel = (address: ipaddr.IPv6): boolean => tunnels.some((range) => address.match(range));

const localNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|intranet)\.?$/i;

/**
 * Whether a host can be known as private without asking a name server: as an address, as a name that is never public, or
 * as one without a domain.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) return !isPublicAddress(host);
  return localNames.test(host) || !host.replace(/\.$/, '').includes('.');
}

/** Whether a name or an address is this machine itself, for nobody else to reach. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'loopback';
  return /(?:^|\.)localhost$/i.test(host);
}

export const privateAddressError = (): GatewayError =>
  new GatewayError(
    'upstream-refused-address',
    'The site is at a private or loopback address, and the gateway may not reach one (allowPrivateAddresses).',
  );
