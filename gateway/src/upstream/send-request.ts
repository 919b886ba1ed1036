import {
  type Deadline,
  displayUrl,
  followRedirects,
  type FormRequest,
  hasCode,
  type Hop,
  type HttpClient,
  type HttpErrors,
  type HttpResponse,
  pageHop,
  readBody,
  sendHop,
  type SiteResponse,
  SubmissionError,
} from 'webmcp-forms/headless';
import { loginAdvice } from '../gateway-error.js';

/** The limits of a call. */
export interface Limits {
  /** The maximum duration in milliseconds, including the page of the form and all redirects. @default 30000 */
  readonly milliseconds: number;
  /** The maximum size of a response in bytes, decompressed. @default 5000000 */
  readonly bytes: number;
  /** The maximum number of redirects. @default 10 */
  readonly redirects: number;
}

interface Upstream {
  readonly client: Omit<HttpClient, 'errors'>;
  readonly pageUrl: string;
  readonly deadline: Deadline;
  readonly maxBytes: number;
}

/** Sends a request and follows its redirects as a browser does. It never retries. @throws {SubmissionError} */
export async function sendRequest(
  { pageUrl, deadline, maxBytes, ...upstream }: Upstream,
  request: FormRequest,
): Promise<SiteResponse> {
  const { method, content, isPage = false } = request;
  const client: HttpClient = { ...upstream.client, errors: upstreamErrors(isPage) };
  const url = new URL(request.url);
  const first: Hop = isPage ? pageHop(url) : { method, content, url, referrer: new URL(pageUrl) };
  const progress: Progress = { submissions: 0, hop: first, isPage };
  const send = (hop: Hop): Promise<HttpResponse> => track(progress, hop, sendHop(client, hop, deadline));
  try {
    const response = await followRedirects(client, first, send);
    const { status, contentType, url, isRedirected, headers } = response;
    const bytes = await readBody(response, client.errors, maxBytes);
    const [refresh, disposition] = ['refresh', 'content-disposition'].map((name) => headers.get(name) ?? undefined);
    return { status, contentType, url: url.href, bytes, isRedirected, refresh, disposition };
  } catch (error) {
    throw error instanceof SubmissionError ? withRequest(error, progress) : error;
  }
}

interface Progress {
  submissions: number;
  hop: Hop;
  readonly isPage: boolean;
}

async function track(progress: Progress, hop: Hop, response: Promise<HttpResponse>): Promise<HttpResponse> {
  progress.hop = hop;
  if (hop.method === 'POST') progress.submissions++;
  try {
    return await response;
  } catch (error) {
    if (hop.method === 'POST' && isUnsent(error)) progress.submissions--;
    throw error;
  }
}

/** Whether a request failed before a connection was made. */
const isUnsent = (error: unknown): boolean =>
  hasCode(error, 'upstream-refused-address', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT');

/** Adds the request to the message, without the query of a submission, which can contain the input. */
function withRequest(
  { code, message, cause }: SubmissionError,
  { hop, submissions, isPage }: Progress,
): SubmissionError {
  const url = displayUrl(hop.url, { query: isPage });
  const advice = submissions > 0 ? ' The site may have processed the submission. Check before you send it again.' : '';
  return new SubmissionError(code, `${message} The request was ${hop.method} ${url}.${advice}`, { cause, url });
}

/** @param isPage - whether the page of a form is requested, before anything is submitted */
const upstreamErrors = (isPage: boolean): HttpErrors => ({
  refusedAddress: () =>
    new SubmissionError(
      'upstream-refused-address',
      'The site has a private or loopback address. Allow private addresses with allowPrivateAddresses or --allow-private.',
    ),
  unreachable: (cause) => new SubmissionError('upstream-unreachable', 'The site is unreachable.', { cause }),
  broken: (cause) => new SubmissionError('upstream-broken', 'The response of the site was aborted.', { cause }),
  tooLarge: (bytes) =>
    new SubmissionError('upstream-too-large', `The response of the site is larger than ${bytes} bytes.`),
  tooManyRedirects: (redirects) =>
    new SubmissionError('redirect-limit', `The site redirects more than ${redirects} times.`),
  repeatedSubmission: () => new SubmissionError('redirect-limit', 'The site redirects a submission to an earlier URL.'),
  invalidRedirect: () => new SubmissionError('upstream-broken', 'The site redirects to an invalid URL.'),
  forbiddenRedirect(place) {
    const advice = isPage ? ` If it is a login: ${loginAdvice}` : '';
    return new SubmissionError('redirect-elsewhere', `The site redirects to ${place}, which is not allowed.${advice}`);
  },
});
