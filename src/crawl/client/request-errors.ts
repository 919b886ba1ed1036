import type { HttpErrors } from '../../http/client.js';
import { RequestError } from '../problem.js';

/** The errors of requests to a site, with the way out. */
export const requestErrors: HttpErrors = {
  refusedAddress: ({ hostname }) =>
    new RequestError(
      'invalid',
      `${hostname} has a private or loopback address`,
      'Use --allow-private if the site is in your own network.',
    ),
  unreachable: connectionError,
  broken: connectionError,
  tooLarge: (maxBytes) =>
    new RequestError('invalid', `it has more than ${maxBytes / 1e6} MB`, 'Exclude it with --exclude.'),
  tooManyRedirects: (maxRedirects) =>
    new RequestError('redirect', `it redirects more than ${maxRedirects} times`, 'Check it in a browser.'),
  repeatedSubmission: () => new RequestError('redirect', 'it redirects a submission to an earlier URL'),
  invalidRedirect: () => new RequestError('redirect', 'it redirects to an invalid URL'),
  forbiddenRedirect: (place) =>
    new RequestError(
      'redirect',
      `it redirects to another origin, ${place}`,
      'Name URLs of that origin if it is the site.',
    ),
};

/** The reason of the failure of a connection, or of a body. */
function connectionError(cause: unknown, url: URL): RequestError {
  const { code, message } = originOf(cause);
  if (message === 'bad upgrade') return new RequestError('status', 'the status is 101, which was not asked for');
  if (message === 'bad port') {
    const reason = `browsers and fetch do not connect to the port ${url.port}`;
    return new RequestError('unreachable', reason, 'Let the site listen at another port.');
  }
  const known = knownFailure(code, url);
  if (known) return new RequestError(known.kind, known.reason, known.advice, { cause });
  const suffix = code === '' ? '' : ` (${code})`;
  return new RequestError('unreachable', `the connection failed${suffix}`, 'Try again later.', { cause });
}

/** The code and the message of the error that the others wrap. */
function originOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: '', message: '' };
  if (error.cause instanceof Error) return originOf(error.cause);
  const code = 'code' in error ? String(error.code) : '';
  return { code: code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : code, message: error.message };
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
  if (/^(?:HPE_|ERR_HTTP|UND_ERR_HEADERS_OVERFLOW)/.test(code)) {
    const advice = protocol === 'http:' ? 'Check whether it is https://.' : 'Check the server.';
    return { kind: 'invalid', reason: `the response of ${host} is not valid HTTP (${code})`, advice };
  }
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(code)) {
    return { kind: 'invalid', reason: `the compressed body is invalid (${code})`, advice: 'Check the server.' };
  }
  return undefined;
}
