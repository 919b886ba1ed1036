import { groupBy } from '../group-by.js';
import type { HttpErrors } from '../http/client.js';
import { UsageError } from '../site/usage-error.js';
import { truncate } from '../visible-text.js';

export type ProblemKind =
  | 'status'
  | 'login'
  | 'duplicate'
  | 'redirect'
  | 'type'
  | 'robots'
  | 'action'
  | 'limit'
  | 'invalid'
  | 'unavailable'
  | 'unreachable';

/** A page that was not read, or that is a duplicate of another page. */
export interface PageProblem {
  readonly kind: ProblemKind;
  readonly url: string;
  /** The end of a sentence that begins with the URL, such as `the status is 404`, without a period. */
  readonly reason: string;
  /** A sentence in the imperative. */
  readonly advice?: string;
  /** The path of the page, if the user has named its URL. */
  readonly namedPath?: string;
}

/** Kinds of problems whose pages a later run may be able to read. A manifest without such pages is incomplete. */
const incomplete: ReadonlySet<ProblemKind> = new Set(['unavailable', 'unreachable', 'limit']);

export const isIncomplete = ({ kind }: PageProblem): boolean => incomplete.has(kind);

export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly kind: ProblemKind;
  readonly reason: string;
  readonly advice?: string;

  constructor(kind: ProblemKind, reason: string, advice?: string, options?: ErrorOptions) {
    super(reason, options);
    this.kind = kind;
    this.reason = reason;
    if (advice !== undefined) this.advice = advice;
  }
}

/** Advice after a failed login. */
export const useBrowser = 'Log in with a browser, and use --cookie.';

export const problemOf = (url: string, { kind, reason, advice }: Omit<PageProblem, 'url'>): PageProblem => ({
  kind,
  url,
  reason,
  ...(advice !== undefined && { advice }),
});

export const sentencesOf = ({ reason, advice }: Pick<PageProblem, 'reason' | 'advice'>): string =>
  advice === undefined ? `${reason}.` : `${reason}. ${advice}`;

const maxUrlLength = 300;

export const urlStart = (url: string): string => truncate(url, maxUrlLength);

export const readError = (url: string, problem: Pick<PageProblem, 'reason' | 'advice'>, cause?: Error): UsageError =>
  new UsageError(`Cannot read ${urlStart(url)}: ${sentencesOf(problem)}`, cause && { cause });

const maxLinesPerKind = 10;

/** One line for each problem, up to a maximum for each kind, and one line that counts the remaining problems of the kind. */
export const problemLines = (problems: readonly PageProblem[]): readonly string[] =>
  [...groupBy(problems, ({ kind }) => kind).values()].flatMap((same) => {
    const lines = same.slice(0, maxLinesPerKind).map((each) => `Skipped ${urlStart(each.url)}: ${sentencesOf(each)}`);
    const more = same.length - lines.length;
    return more > 0 ? [...lines, `Skipped ${more} more URLs like the last one.`] : lines;
  });

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

function connectionError(cause: unknown, url: URL): RequestError {
  const { code, message } = originOf(cause);
  if (message === 'bad upgrade') return new RequestError('status', 'the status is 101, which was not requested');
  if (message === 'bad port') {
    const reason = `browsers and fetch do not connect to the port ${url.port}`;
    return new RequestError('unreachable', reason, 'Let the site listen at another port.');
  }
  const known = knownFailure(code, url);
  if (known) return new RequestError(known.kind, known.reason, known.advice, { cause });
  const suffix = code === '' ? '' : ` (${code})`;
  return new RequestError('unreachable', `the connection failed${suffix}`, 'Try again later.', { cause });
}

function originOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: '', message: '' };
  if (error.cause instanceof Error) return originOf(error.cause);
  const code = 'code' in error ? String(error.code) : '';
  return { code: code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : code, message: error.message };
}

function knownFailure(code: string, { host, hostname, protocol }: URL): Omit<PageProblem, 'url'> | undefined {
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
