import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

export interface Client {
  /** The IPv4 address of the client, or its IPv6 network. */
  readonly address: string;
  /** The name of its token, or its address. Limits are counted by this key. */
  readonly key: string;
  /** A digest of its token, or of the issuer and the subject of its access token. */
  readonly identity?: string;
  /** The scopes of its access token. Clients without an access token may submit. */
  readonly scopes?: readonly string[];
}

/** The clients of requests. The gateway fills this map itself, so that headers cannot forge a client. */
export type Clients = WeakMap<Request, Client>;

export function addressOf(context: Context, clientAddressHeader: string | undefined): string {
  const forwarded = clientAddressHeader === undefined ? undefined : context.req.header(clientAddressHeader);
  return clientKey(remoteAddress(context), forwarded);
}

/** The address is unknown after the connection has closed. */
function remoteAddress(context: Context): string | undefined {
  const { incoming } = context.env as Partial<HttpBindings>;
  return incoming?.socket ? getConnInfo(context).remote.address : undefined;
}

/**
 * The key of a client: its IPv4 address, or the first 64 bits of its IPv6 address, because one network has many
 * addresses.
 *
 * @param socket - the address of the connection
 * @param forwarded - the header of a proxy. Only the last address in a list was added by the proxy itself
 */
export function clientKey(socket: string | undefined, forwarded: string | undefined): string {
  const address = parseAddress(forwarded?.split(',').at(-1) ?? '') ?? parseAddress(socket ?? '');
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4);
  return network.map((part) => part.toString(16)).join(':');
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const trimmed = text.trim();
  const withoutPort = trimmed.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  const address = [trimmed, withoutPort].find((each) => isIP(each) > 0);
  return address === undefined ? undefined : ipaddr.process(address);
}
