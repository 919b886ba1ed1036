import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress, refusedAddressCode } from './addresses.js';
import type { Fetch } from './client.js';
import { acceptEncoding, sendOnce, type OneRequest } from './node-response.js';

export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface NodeFetchOptions {
  /** Resolves host names. @default `lookup` of node:dns */
  readonly lookup?: Lookup | undefined;
  /** Whether connections to private and loopback addresses are allowed. @default false */
  readonly allowPrivateAddresses?: boolean;
  /** Whether connections to an address are allowed. @default public addresses, or all with `allowPrivateAddresses` */
  readonly allows?: AllowsAddress;
  /** The timeout for connecting, in milliseconds. @default 10000 */
  readonly connectTimeout?: number;
  /** Whether certificates that are not trusted are accepted. @default false */
  readonly insecure?: boolean | undefined;
  /** Closes all connections when it is aborted. Unused connections are always closed after a few seconds. */
  readonly signal?: AbortSignal;
}

/**
 * Creates a fetch that connects only to allowed addresses, whether a URL has a name or an address. Each connection uses the
 * checked address, so that a name server cannot return another address for a second lookup. It ignores proxies in the
 * environment, sends each request once, and does not follow redirects. A body is a string or a Uint8Array. Only connecting has
 * a timeout, so pass a signal with each request. Node only.
 */
export function createNodeFetch({
  lookup = nodeLookup,
  allowPrivateAddresses = false,
  allows = allowPrivateAddresses ? () => true : isPublicAddress,
  connectTimeout = 10_000,
  insecure = false,
  signal,
}: NodeFetchOptions = {}): Fetch {
  const connect = buildConnector({
    lookup: checkedLookup(lookup, allows),
    timeout: connectTimeout,
    rejectUnauthorized: !insecure,
  });
  const timeouts = { headersTimeout: 0, bodyTimeout: 0 }; // the signal of a request limits its time
  const agent = new Agent({ connect: checkedConnector(connect, allows), ...timeouts });
  signal?.addEventListener('abort', () => void agent.destroy(), { once: true });
  return async (url, init) => await sendOnce(agent, toRequest(new URL(url), init), init.signal ?? undefined);
}

function toRequest(url: URL, { method = 'GET', headers, body, redirect = 'manual' }: RequestInit): OneRequest {
  const { href, origin, pathname, search, port } = url;
  const query = /^[^#]*\?(?:#|$)/.test(href) ? '?' : search; // browsers send an empty query
  if (redirect !== 'manual') throw new TypeError(`The value ${redirect} of "redirect" is not supported. Use "manual".`);
  if (body && typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('The body is not a string or a Uint8Array.');
  if (refusedPorts.has(Number(port))) throw new TypeError('fetch failed', { cause: new Error('bad port') });
  const sent = new Headers(headers);
  if (!sent.has('accept-encoding')) sent.set('accept-encoding', acceptEncoding);
  return { origin, path: pathname + query, method, headers: [...sent].flat(), body: body ?? null };
}

/** The ports of other protocols. https://fetch.spec.whatwg.org/#port-blocking */
const refusedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const nodeLookup: Lookup = (hostname, options, callback) => {
  dnsLookup(hostname, options, callback);
};

/** Checks addresses in URLs, for which `lookup` is not called, and the remote address of each connection. */
function checkedConnector(connect: buildConnector.connector, allows: AllowsAddress): buildConnector.connector {
  return (options, callback) => {
    const { hostname, socketPath } = options;
    if (socketPath || (isIP(hostname) > 0 && !allows(hostname))) {
      callback(privateAddressError(), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (allows(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(privateAddressError(), null);
    });
  };
}

const privateAddressError = (): Error =>
  Object.assign(new Error('The site has a private or loopback address.'), { code: refusedAddressCode });

type AllowsAddress = (address: string) => boolean;

function checkedLookup(lookup: Lookup, allows: AllowsAddress): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const options = family === 4 || family === 6 ? { all: true as const, family } : { all: true as const };
    lookup(hostname, options, (error, addresses) => {
      const [first] = (addresses as readonly (LookupAddress | undefined)[] | undefined) ?? [];
      if (error) callback(error, '');
      else if (!first || !addresses.every(({ address }) => allows(address))) callback(privateAddressError(), '');
      else if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
