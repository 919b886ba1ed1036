import { preview } from '../../compiler/preview.js';
import { asksForPassword } from '../../site/tools/asks-for-password.js';
import { isLoginPath } from '../../site/tools/password-input.js';
import type { SiteResponse } from '../response.js';
import { displayUrl } from '../secrets/display-url.js';
import { SubmissionError, type SubmissionErrorCode } from '../submission-error.js';

export interface FetchedPage extends Pick<SiteResponse, 'status' | 'url'> {
  readonly pageUrl: string;
  readonly html: string;
  /** The beginning of the page's visible text, without the secrets of the call; empty if the page is not HTML. */
  readonly text: () => string;
}

type PagePlace = Pick<FetchedPage, 'pageUrl' | 'url'>;

function failure({ pageUrl }: PagePlace, code: SubmissionErrorCode, message: string): SubmissionError {
  return new SubmissionError(code, message, { url: displayUrl(pageUrl) });
}

/** Quotes the page, because many sites explain there why the form is missing. */
function quote({ text }: FetchedPage): string {
  const said = text();
  return said && ` The page says: ${preview(said, said.length + 100)}.`;
}

/** The subject of a sentence about a response, such as "https://shop.example/a redirected to https://shop.example/b, which". */
function subject({ pageUrl, url }: PagePlace): string {
  return isRedirected(pageUrl, url)
    ? `${displayUrl(pageUrl)} redirected to ${displayUrl(url)}, which`
    : displayUrl(url);
}

const isRedirected = (pageUrl: string, url: string): boolean => pathOf(pageUrl) !== pathOf(url);

const pathOf = (url: string): string => `${new URL(url).origin}${new URL(url).pathname}`;

export function statusError(page: FetchedPage): SubmissionError | undefined {
  const { status, html } = page;
  if (status >= 200 && status <= 299) return undefined;
  const responded = `${subject(page)} responded with the status ${status}.${quote(page)}`;
  if (status === 401 || (status === 403 && asksForPassword(html))) {
    return failure(page, 'login-required', `The page of the form requires a login: ${responded}`);
  }
  if (status === 403) {
    const message = `The session may not read the page of the form: ${responded} It may require a login, or another account.`;
    return failure(page, 'page-forbidden', message);
  }
  if (status === 404 || status === 410) {
    return failure(page, 'page-not-found', `The page of the form does not exist: ${responded}`);
  }
  return unavailable(page, `responded with the status ${status}.${quote(page)}`);
}

export const unavailable = (page: PagePlace, reason: string): SubmissionError =>
  failure(page, 'page-unavailable', `The page of the form cannot be read: ${subject(page)} ${reason}`);

export function missingFormError(page: FetchedPage, tool: string | null, reason: string): SubmissionError {
  const { pageUrl, url, html } = page;
  const isLogin = asksForPassword(html) || (isRedirected(pageUrl, url) && isLoginPath(new URL(url).pathname));
  if (!isLogin) return driftError(`${subject(page)} has ${reason}`, page);
  const place = isRedirected(pageUrl, url)
    ? `${displayUrl(pageUrl)} redirected to ${displayUrl(url)}`
    : `${displayUrl(url)} has a password input instead of the form of the tool ${preview(tool)}`;
  return failure(page, 'login-required', `The page of the form may require a login: ${place}.`);
}

export const driftError = (reason: string, page: FetchedPage, advice = driftAdvice): SubmissionError =>
  failure(page, 'page-drift', `The page differs from the manifest: ${reason}.${quote(page)} ${advice}`);

const driftAdvice =
  'The site may not offer the form to this session or at this time. If its forms have changed, compile the manifest again.';
