import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, fetch as undiciFetch } from 'undici';
import { isPublicAddress, refusedAddress } from '../upstream/addresses.js';
import type { Fetch } from '../upstream/upstream.js';

/** Node's own look-up, as far as it is used. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface NodeFetchOptions {
  /**
   * How names become addresses.
   * @default that of node:dns
   */
  readonly lookup?: Lookup;
  /**
   * Whether private and loopback addresses may be connected to.
   * @default false
   */
  readonly allowPrivateAddresses?: boolean;
  /**
   * Which addresses may be connected to.
   * @default those of the public internet, or all with `allowPrivateAddresses`
   */
  readonly allows?: (address: string) => boolean;
  /**
   * Milliseconds for a connection.
   * @default 10000
   */
  readonly connectTimeout?: number;
}

/**
 * A fetch that connects to public addresses alone: each connection is made to the address that was checked, so that a
 * name server cannot answer differently the second time. Node only.
 */
export function createNodeFetch({
  lookup = nodeLookup,
  allowPrivateAddresses = false,
  allows = allowPrivateAddresses ? () => true : isPublicAddress,
  connectTimeout = 10_000,
}: NodeFetchOptions = {}): Fetch {
  const dispatcher = new Agent({ connect: { lookup: checkedLookup(lookup, allows), timeout: connectTimeout } });
  return (url, init) => undiciFetch(url, { ...sentOnce(init), dispatcher }) as Promise<unknown> as Promise<Response>;
}

/** After the status 421 a request is sent again if its body still is there, so it is a stream. https://fetch.spec.whatwg.org/#http-network-or-cache-fetch */
function sentOnce({ body, ...init }: RequestInit): object {
  if (!(body instanceof Uint8Array)) return { ...init, body };
  const headers = new Headers(init.headers);
  headers.set('content-length', String(body.length));
  return { ...init, headers, body: streamOf(body), duplex: 'half' };
}

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });

const nodeLookup: Lookup = (hostname, options, callback) => {
  dnsLookup(hostname, options, callback);
};

/** One private address among those of a name is enough to refuse it. */
function checkedLookup(lookup: Lookup, allows: (address: string) => boolean): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const wanted = family === 4 || family === 6 ? { family } : {};
    lookup(hostname, { all: true, ...wanted }, (error, addresses) => {
      const [first] = (addresses as readonly (LookupAddress | undefined)[] | undefined) ?? [];
      if (error) callback(error, '');
      else if (!first || !addresses.every(({ address }) => allows(address))) callback(refusedAddress(), '');
      else if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
