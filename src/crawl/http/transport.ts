import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import { isPrivateHost, isPublicAddress } from '../../site/pages/addresses.js';
import { RequestError } from '../problem.js';

export interface TransportOptions {
  /** Whether a name that looks public may have a private address. */
  readonly allowPrivateAddresses: boolean;
  /** Whether certificates that are not trusted are accepted. */
  readonly insecure: boolean;
  /** Resolves host names. @default `lookup` of node:dns */
  readonly lookup?: Lookup;
}

export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly family: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const nodeLookup: Lookup = (hostname, options, callback) => {
  dnsLookup(hostname, options, callback);
};

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, decompressed. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly discard: () => void;
}

export interface Transport {
  /** @throws {RequestError} */
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
  readonly close: () => void;
}

/** Sends requests without redirects and cookies. Proxies in the environment are not used. */
export function createTransport(options: TransportOptions): Transport {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true, rejectUnauthorized: !options.insecure }),
  };
  return {
    send: (request) => send(request, agents[request.url.protocol as 'http:' | 'https:'], options),
    close: () => Object.values(agents).forEach((agent) => agent.destroy()),
  };
}

function send(request: HttpRequest, agent: http.Agent, options: TransportOptions): Promise<HttpResponse> {
  const { url, method, body, signal } = request;
  const { request: open } = url.protocol === 'https:' ? https : http;
  const headers = { ...request.headers, 'accept-encoding': 'gzip, br', ...(body && { 'content-length': body.length }) };
  return new Promise((resolve, reject) => {
    const outgoing = open(url, { method, headers, agent, signal, lookup: checkedLookup(url.hostname, options) });
    outgoing.once('error', (cause) => reject(connectionError(cause, url, signal)));
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new RequestError('status', 'the status is 101, which was not asked for'));
    });
    outgoing.once('response', (incoming: IncomingMessage) => {
      const { statusCode: status = 0, headers } = incoming;
      const discard = (): void => void incoming.destroy();
      incoming.on('error', () => undefined); // the reader of the body has it
      resolve({ status, headers, body: bodyOf(incoming, url, signal), discard });
    });
    outgoing.end(body);
  });
}

/**
 * A named host that is private by its name or address may have any address, because the user has named it. Other names must
 * have public addresses at each connection, as in the gateway, so that a name server cannot lead to another network.
 */
function checkedLookup(
  named: string,
  { allowPrivateAddresses, lookup = nodeLookup }: TransportOptions,
): LookupFunction {
  const allows = allowPrivateAddresses || isPrivateHost(named) ? () => true : isPublicAddress;
  return (hostname, { all, family }, callback) => {
    lookup(hostname, { all: true, family: family === 4 || family === 6 ? family : 0 }, (error, addresses) => {
      const [first] = (addresses as readonly (LookupAddress | undefined)[] | undefined) ?? [];
      if (error) callback(error, '');
      else if (!first || !addresses.every(({ address }) => allows(address))) callback(privateAddressError(named), '');
      else if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const privateAddressError = (host: string): RequestError =>
  new RequestError(
    'invalid',
    `${host} has a private or loopback address`,
    'Use --allow-private if the site is in your own network.',
  );

const decoders = {
  gzip: () => createUnzip({ finishFlush: constants.Z_SYNC_FLUSH }), // a truncated body is not an error in browsers
  'x-gzip': () => createUnzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createUnzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
} as const;

/** Yields the decompressed chunks. Leaving the loop early closes the connection. */
async function* bodyOf(incoming: IncomingMessage, url: URL, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const encoding = (incoming.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding as keyof typeof decoders]() : undefined;
  try {
    if (!decoder && encoding !== 'identity' && encoding !== '') {
      throw new RequestError('invalid', `the response has the content encoding ${encoding.slice(0, 50)}`);
    }
    yield* (decoder ? pipe(incoming, decoder) : incoming) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw connectionError(cause, url, signal);
  } finally {
    incoming.destroy();
    decoder?.destroy();
  }
}

function pipe(incoming: IncomingMessage, decoder: ReturnType<(typeof decoders)['gzip' | 'br']>): Readable {
  incoming.once('error', (error) => decoder.destroy(error));
  incoming.once('aborted', () => decoder.destroy(new Error('aborted')));
  return incoming.pipe(decoder);
}

/** The reason of the failure of a connection, or of a body. */
function connectionError(cause: unknown, url: URL, signal: AbortSignal): RequestError {
  for (let each = cause; each instanceof Error; each = each.cause) if (each instanceof RequestError) return each;
  if (signal.aborted && signal.reason instanceof RequestError) return signal.reason;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known = knownFailure(code, url);
  if (known) return new RequestError(known.kind, known.reason, known.advice, { cause });
  const suffix = code === '' ? '' : ` (${code})`;
  return new RequestError('unreachable', `the connection failed${suffix}`, 'Try again later.', { cause });
}

interface Failure {
  readonly kind: 'invalid' | 'unreachable';
  readonly reason: string;
  readonly advice: string;
}

function knownFailure(code: string, { host, hostname, protocol }: URL): Failure | undefined {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { kind: 'unreachable', reason: `the host ${hostname} was not found`, advice: 'Check its name.' };
  }
  if (code === 'ECONNREFUSED') {
    return { kind: 'unreachable', reason: `no server listens at ${host}`, advice: 'Start it, or check the port.' };
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/.test(code)) {
    const advice = 'Name the file of its authority in NODE_EXTRA_CA_CERTS, or use --insecure for a test server.';
    return { kind: 'unreachable', reason: `the certificate of ${host} is not trusted (${code})`, advice };
  }
  if (/^(?:ERR_SSL|EPROTO)/.test(code)) {
    return {
      kind: 'unreachable',
      reason: `${host} has no working TLS (${code})`,
      advice: 'Check whether it is http://.',
    };
  }
  if (/^(?:HPE_|ERR_HTTP)/.test(code)) {
    const advice = protocol === 'http:' ? 'Check whether it is https://.' : 'Check the server.';
    return { kind: 'invalid', reason: `the response of ${host} is not valid HTTP (${code})`, advice };
  }
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(code)) {
    return { kind: 'invalid', reason: `the compressed body is invalid (${code})`, advice: 'Check the server.' };
  }
  return undefined;
}

/** Reads a body within a limit of its decompressed size. */
export async function readBody({ body }: HttpResponse, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes)
      throw new RequestError('invalid', `it has more than ${maxBytes / 1e6} MB`, 'Exclude it with --exclude.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
