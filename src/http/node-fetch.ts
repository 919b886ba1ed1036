import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch as undiciFetch, type Dispatcher } from 'undici';
import { isPublicAddress, refusedAddressCode } from './addresses.js';
import type { Fetch } from './client.js';

export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface NodeFetchOptions {
  /** Resolves host names. @default `lookup` of node:dns */
  readonly lookup?: Lookup;
  /** Whether connections to private and loopback addresses are allowed. @default false */
  readonly allowPrivateAddresses?: boolean;
  /** Whether connections to an address are allowed. @default public addresses, or all with `allowPrivateAddresses` */
  readonly allows?: AllowsAddress;
  /** The timeout of connecting, in milliseconds. @default 10000 */
  readonly connectTimeout?: number;
  /** Whether certificates that are not trusted are accepted. @default false */
  readonly insecure?: boolean;
  /** Closes all connections. @default connections are closed after they were not used for a few seconds */
  readonly signal?: AbortSignal;
}

/**
 * Creates a fetch that connects only to public addresses, whether a URL has a name or an address. Each connection uses the
 * address that was checked, so a name server cannot return another one the second time. Proxies in the environment are not
 * used. Only connecting has a timeout: pass a signal with each request. Node only.
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
  const timeouts = { headersTimeout: 0, bodyTimeout: 0 }; // the signal of a request is its limit of time
  const agent = new Agent({ connect: checkedConnector(connect, allows), ...timeouts });
  signal?.addEventListener('abort', () => void agent.destroy(), { once: true });
  const dispatcher = agent.compose(replaceStatus);
  return async (url, init) => restoreStatus(await undiciFetch(url, { ...(init as object), dispatcher }));
}

/**
 * A fetch repeats a request after a status of 421, so it receives a status instead that no server can send.
 * https://fetch.spec.whatwg.org/#http-network-or-cache-fetch
 */
const misdirected = 421;
const replacement = 1421;

const replaceStatus: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const start = handler.onResponseStart?.bind(handler);
  handler.onResponseStart = (controller, status, ...rest) =>
    start?.(controller, status === misdirected ? replacement : status, ...rest);
  return dispatch(options, handler);
};

function restoreStatus(response: unknown): Response {
  const restored = response as Response;
  if (restored.status === replacement) Object.defineProperty(restored, 'status', { value: misdirected });
  return restored;
}

const nodeLookup: Lookup = (hostname, options, callback) => {
  dnsLookup(hostname, options, callback);
};

/** Addresses in URLs are not resolved, so `lookup` does not see them. The address of the open connection is always checked. */
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
